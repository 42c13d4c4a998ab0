/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.members;

import io.trefoil.foundation.DaemonThreads;
import io.trefoil.foundation.Pause;
import io.trefoil.tools.cluster.GroupServers;
import io.trefoil.tools.cluster.NoAnswerException;
import io.trefoil.tools.cluster.ReportedDataNode;
import io.trefoil.tools.members.OutcomeReport.State;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * A single round through the servers of a group: queries each for its state, tells it if something must change, and queries it again. Tells
 * nothing to a server that is as it should be, so a round may be repeated at any time. One thread.
 */
final class GroupSweep {
    private static final long LOOK_MILLIS = 500;
    /** The number of servers that are queried at once. A large cluster takes a while at this rate, but none of its servers notices. */
    private static final int CONCURRENT_QUERIES = 16;

    private final ChangeOptions options;
    private final GroupServers servers;
    private final OutcomeReport report;
    private final Duration timeout;
    private final long beganNanos = System.nanoTime();
    private boolean needsSomebody;

    /** A query to a server. */
    interface DataNodeQuery<T> {
        T query(ReportedDataNode dataNode) throws IOException;
    }

    /** Checks the state of DataNodes; maps are keyed by their ids. */
    interface DataNodeCheck {
        /** The DataNodes that are not in the desired state; called repeatedly. */
        Set<String> findUnready(Map<String, ReportedDataNode> dataNodes) throws IOException;

        /** The problem of each DataNode that is not yet in the desired state. */
        Map<String, DataNodeProblem> problemsOf(Map<String, ReportedDataNode> unreadyDataNodes) throws IOException;
    }

    /** @throws picocli.CommandLine.ParameterException if the options are wrong: before any server is told anything */
    GroupSweep(ChangeOptions options, GroupServers servers, OutcomeReport report) {
        this.options = options;
        this.timeout = options.timeout();
        this.servers = servers;
        this.report = report;
    }

    /** Checks that the NameNodes name each other like this command's configuration does, and tells those that do not to reread theirs. */
    void refreshNameNodes(Collection<String> targets) throws IOException {
        int answered = 0;
        StringBuilder failures = new StringBuilder();
        for (String nameNode : targets) {
            try {
                refreshNameNode(nameNode);
                answered++;
            } catch (IOException e) {
                failures.append('\n').append(nameNode).append(": ").append(e.getMessage());
                report.add(
                        nameNode,
                        State.TROUBLE,
                        e.getMessage() + "; if it is down it reads its configuration when it is started");
            }
        }
        if (answered == 0) {
            throw new NoAnswerException("No NameNode says which NameNodes it names:" + failures);
        }
    }

    private void refreshNameNode(String nameNode) throws IOException {
        Map<String, String> wanted = servers.configuredNameNodes();
        Map<String, String> named = servers.knownNameNodes(nameNode);
        if (!named.equals(wanted) && options.isDryRun()) {
            report.add(nameNode, State.TO_DO, "names " + named.keySet() + ", would reread its configuration");
            return;
        }
        if (!named.equals(wanted)) {
            named = servers.refreshNameNode(nameNode);
        }
        if (named.equals(wanted)) {
            report.add(nameNode, State.DONE, "names " + named.keySet());
        } else {
            report.add(
                    nameNode,
                    State.TROUBLE,
                    "its hdfs-site.xml names " + named + ", this one " + wanted
                            + "; copy the new file to its host and run this again");
        }
    }

    /**
     * The live DataNodes seen by any of the NameNodes, by id.
     *
     * @throws NoAnswerException if none of them answers
     */
    Map<String, ReportedDataNode> queryDataNodes(Collection<String> targets) throws IOException {
        Map<String, ReportedDataNode> all = new TreeMap<>();
        StringBuilder failures = new StringBuilder();
        int answered = 0;
        for (String nameNode : targets) {
            try {
                servers.dataNodes(nameNode).forEach(each -> all.put(each.id(), each));
                answered++;
            } catch (IOException e) {
                failures.append('\n').append(nameNode).append(": ").append(e.getMessage());
            }
        }
        if (answered == 0) {
            throw new NoAnswerException("No NameNode says which DataNodes there are:" + failures);
        }
        return all;
    }

    /**
     * Tells the DataNodes with problems to reread their configuration, and waits for those that this may help.
     *
     * @param result what a DataNode does that is as it should be
     */
    void refreshDataNodes(Map<String, ReportedDataNode> all, DataNodeCheck check, String result) throws IOException {
        if (all.isEmpty()) {
            // A NameNode that has just started sees none yet.
            report.add(
                    "DataNodes",
                    State.TROUBLE,
                    "no NameNode that answers sees a live one; run this again when one does");
        }
        Map<String, ReportedDataNode> unreadyDataNodes = findUnready(all, check);
        Map<String, String> untold = new LinkedHashMap<>();
        if (!options.isDryRun()) {
            Map<String, Answer<String>> answers = queryAll(unreadyDataNodes, dataNode -> {
                servers.refreshDataNode(dataNode);
                return "";
            });
            answers.forEach((id, answer) -> {
                if (!answer.problem.isEmpty()) {
                    untold.put(id, "cannot be told: " + answer.problem);
                }
            });
            unreadyDataNodes = await(all.size(), unreadyDataNodes, check, untold.keySet());
        }
        Map<String, DataNodeProblem> missing = check.problemsOf(unreadyDataNodes);
        needsSomebody |= !missing.isEmpty();
        all.values().stream()
                .sorted((one, other) -> one.name().compareTo(other.name()))
                .forEach(dataNode -> {
                    DataNodeProblem lack = missing.get(dataNode.id());
                    if (lack == null) {
                        report.add(dataNode.name(), State.DONE, result);
                    } else if (options.isDryRun()) {
                        report.add(dataNode.name(), State.TO_DO, lack.text() + ", would reread its configuration");
                    } else {
                        report.add(dataNode.name(), State.TROUBLE, untold.getOrDefault(dataNode.id(), lack.text()));
                    }
                });
    }

    private static Map<String, ReportedDataNode> findUnready(
            Map<String, ReportedDataNode> dataNodes, DataNodeCheck check) throws IOException {
        Map<String, ReportedDataNode> unreadyDataNodes = new LinkedHashMap<>(dataNodes);
        unreadyDataNodes.keySet().retainAll(check.findUnready(dataNodes));
        return unreadyDataNodes;
    }

    /** Waits for DataNodes, and prints the number in the desired state whenever it changes. */
    private Map<String, ReportedDataNode> await(
            int count, Map<String, ReportedDataNode> unreadyDataNodes, DataNodeCheck check, Set<String> unnotifiedNodes)
            throws IOException {
        Set<String> unrecoverableNodes = findUnrecoverable(unreadyDataNodes, check, unnotifiedNodes);
        Map<String, ReportedDataNode> left = unreadyDataNodes;
        String said = "";
        while (!left.isEmpty()) {
            long askedNanos = System.nanoTime();
            left = findUnready(left, check);
            String progress = (count - left.size()) + " of " + count + " DataNodes"
                    + otherNodesText(unrecoverableNodes, left.keySet());
            if (!progress.equals(said) && !left.isEmpty()) {
                options.printProgress(progress);
                said = progress;
            }
            if (unrecoverableNodes.containsAll(left.keySet()) || isTimeoutOver()) {
                return left;
            }
            // With thousands of DataNodes a look is work for the NameNode, which should be free for most of the time.
            pause(Math.max(LOOK_MILLIS, 4 * TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - askedNanos)));
        }
        return left;
    }

    /**
     * The DataNodes that stay as they are until an operator acts: they could not be notified, or the configuration that they have read
     * since then is wrong. They read no more until they are told again, so they are asked once.
     */
    private static Set<String> findUnrecoverable(
            Map<String, ReportedDataNode> unreadyDataNodes, DataNodeCheck check, Set<String> unnotifiedNodes)
            throws IOException {
        Set<String> unrecoverableNodes = new HashSet<>(unnotifiedNodes);
        Map<String, ReportedDataNode> answers = new LinkedHashMap<>(unreadyDataNodes);
        answers.keySet().removeAll(unnotifiedNodes);
        check.problemsOf(answers).forEach((id, lack) -> {
            if (lack.isPermanent()) {
                unrecoverableNodes.add(id);
            }
        });
        return unrecoverableNodes;
    }

    private static String otherNodesText(Set<String> unrecoverableNodes, Set<String> remaining) {
        long count = remaining.stream().filter(unrecoverableNodes::contains).count();
        return count == 0 ? "" : "; not waited for: " + count;
    }

    /** Whether to stop waiting: time is up, or a DataNode needs an operator, who must run the command again anyway. */
    boolean shouldStopWaiting() {
        return needsSomebody || isTimeoutOver();
    }

    private boolean isTimeoutOver() {
        return System.nanoTime() - beganNanos > timeout.toNanos();
    }

    static void pause() throws IOException {
        pause(LOOK_MILLIS);
    }

    private static void pause(long millis) throws IOException {
        Pause.sleepMillis(millis, "Interrupted; what was done so far stays, and the command may be run again");
    }

    /** An answer, or the reason why there is none. */
    static final class Answer<T> {
        final T value;
        final String problem;

        private Answer(T value, String problem) {
            this.value = value;
            this.problem = problem;
        }
    }

    /** Queries many DataNodes at once, and waits for all answers. */
    static <T> Map<String, Answer<T>> queryAll(Map<String, ReportedDataNode> dataNodes, DataNodeQuery<T> question)
            throws IOException {
        ExecutorService threads =
                Executors.newFixedThreadPool(CONCURRENT_QUERIES, DaemonThreads.newFactory("ask-datanode"));
        try {
            Map<String, Future<T>> futures = new LinkedHashMap<>();
            dataNodes.forEach((id, dataNode) -> futures.put(id, threads.submit(() -> question.query(dataNode))));
            Map<String, Answer<T>> answers = new LinkedHashMap<>();
            for (Map.Entry<String, Future<T>> each : futures.entrySet()) {
                answers.put(each.getKey(), awaitAnswer(each.getValue()));
            }
            return answers;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("Interrupted while asking DataNodes");
        } finally {
            threads.shutdownNow();
        }
    }

    private static <T> Answer<T> awaitAnswer(Future<T> future) throws InterruptedException {
        try {
            return new Answer<>(future.get(), "");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException) {
                throw (RuntimeException) e.getCause();
            }
            return new Answer<>(null, String.valueOf(e.getCause().getMessage()));
        }
    }
}

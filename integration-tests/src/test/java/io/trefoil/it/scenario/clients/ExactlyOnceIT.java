/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.HaClusterBuilder;
import io.trefoil.it.cluster.NamespaceDigest;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.process.Await;
import io.trefoil.it.scenario.clients.MutatingCalls.Body;
import io.trefoil.it.scenario.clients.MutatingCalls.Call;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.hdfs.NameNodeProxiesClient;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.SafeModeAction;
import org.apache.hadoop.ipc.Client;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every mutating call is executed, its answer is assumed lost, and the call is sent again under its id: to the same
 * NameNode, to the next one after a kill, and to one that started from an image that includes the call. The active is
 * also killed before the call reaches it, and while it waits for the journal ({@code trefoil.it.kills} times). All
 * calls are also sent to standbys that forward them. Each time the state is that of one execution, and the answer that
 * of the first. What HDFS executes again by design is sent again as well. What HDFS does without the retry window is
 * written to {@code target/stock-retry-answers.md}.
 */
class ExactlyOnceIT {
    private static final int KILLS = Integer.getInteger("trefoil.it.kills", 2);
    private static final Path TABLE = Path.of("target/stock-retry-answers.md");

    /** Known to be wrong in HDFS itself, whenever the standby has learned of the call by tailing. */
    private static final List<String> WRONG_IN_HDFS = List.of("addErasureCodingPolicies");

    @TempDir
    private Path keys;

    @Test
    void retriedCallGetsSameAnswerWithoutReexecution() throws Exception {
        run(
                HaCluster.builder("exactly-once")
                        // As in stock HDFS, nothing is known here of calls from before its image.
                        .serverProperty("nn3", "dfs.namenode.enable.retrycache", "false"),
                ExactlyOnceIT::resendAllCalls);
    }

    @Test
    void forwardedCallIsExecutedOnceOnEitherPath() throws Exception {
        run(
                HaCluster.builder("handed-on")
                        .property("trefoil.ha.forward-calls", "true")
                        .property("dfs.ha.tail-edits.in-progress", "true"),
                ExactlyOnceIT::forwardCalls);
    }

    @Test
    void callIsExecutedOnceWhenNameNodeDiesDuringIt() throws Exception {
        // Standbys are frozen for a moment, which must not cost the lease.
        run(
                HaCluster.builder("killed-meanwhile").property("trefoil.journal.lease", "20s"),
                ExactlyOnceIT::killDuringCalls);
    }

    @Test
    @Tag("long")
    void callsReexecutedByHdfsLeaveStateOfOneExecution() throws Exception {
        HaCluster.builder("executed-again")
                .dataNodes(1)
                .withAutomaticFailover()
                .property("dfs.namenode.delegation.token.always-use", "true")
                .run(ExactlyOnceIT::resendReexecutedCalls);
    }

    private static void resendReexecutedCalls(HaCluster cluster) throws Exception {
        Sender sender = new Sender(cluster);
        NameNodeServer first = cluster.failOverTo(cluster.nameNode(1));
        assertSavesOneImage(first, sender);
        Map<Call, Body> states = new ReexecutedCalls(sender.connectTo(first)).all();
        assertThat(Stream.concat(
                        Stream.of("saveNamespace"), states.keySet().stream().map(Call::method)))
                .containsExactlyInAnyOrderElementsOf(MutatingCalls.EXECUTED_AGAIN.keySet());
        Map<Call, Integer> ids = new LinkedHashMap<>();
        Map<String, String> answers = new TreeMap<>();
        Map<String, String> expectedContents = new TreeMap<>();
        for (Map.Entry<Call, Body> call : states.entrySet()) {
            int id = Client.nextCallId();
            ids.put(call.getKey(), id);
            answers.put(call.getKey().method(), sender.send(first, call.getKey(), id));
            expectedContents.put(call.getKey().method(), readState(call.getValue(), sender.connectTo(first)));
        }
        assertThat(answers).containsEntry("cancelDelegationToken", "").containsKey("createSymlink");
        assertThat(answers.remove("createSymlink")).contains("UnsupportedOperationException");
        assertThat(answers.values()).noneMatch(answer -> answer.contains("error"));
        answers.remove("cancelDelegationToken");

        expectSame(first, sender, ids, answers, states, expectedContents);
        first.kill9();
        NameNodeServer second = cluster.awaitActive();
        expectSame(second, sender, ids, answers, states, expectedContents);
        // It starts from an image that includes all calls.
        first.awaitState(HAServiceState.STANDBY);
        cluster.awaitStandbysCaughtUp(Await.TIMEOUT);
        first.saveNamespace();
        first.restart();
        cluster.failOverTo(first);
        expectSame(first, sender, ids, answers, states, expectedContents);
    }

    private static void expectSame(
            NameNodeServer active,
            Sender sender,
            Map<Call, Integer> ids,
            Map<String, String> answers,
            Map<Call, Body> states,
            Map<String, String> expectedContents)
            throws Exception {
        Map<String, String> again = new TreeMap<>();
        sender.sendAll(active, ids).forEach((call, answer) -> again.put(call.method(), answer));
        assertThat(again.remove("createSymlink")).contains("UnsupportedOperationException");
        // HDFS does not remember tokens that are gone.
        assertThat(again.remove("cancelDelegationToken")).contains("InvalidToken");
        assertThat(again).isEqualTo(answers);
        for (Map.Entry<Call, Body> call : states.entrySet()) {
            assertThat(readState(call.getValue(), sender.connectTo(active)))
                    .as("state after %s on %s", call.getKey().method(), active.name())
                    .isEqualTo(expectedContents.get(call.getKey().method()));
        }
    }

    private static String readState(Body body, ClientProtocol nameNode) throws Exception {
        return String.valueOf(body.invoke(nameNode));
    }

    /** The one call that concerns only the NameNode that is asked. */
    private static void assertSavesOneImage(NameNodeServer nameNode, Sender sender) throws Exception {
        ClientProtocol client = sender.connectTo(nameNode);
        client.setSafeMode(SafeModeAction.SAFEMODE_ENTER, true);
        Call save = new Call("saveNamespace", node -> "", node -> node.saveNamespace(0, 0));
        int id = Client.nextCallId();
        String answer = sender.send(nameNode, save, id);
        FileTime saved = Files.getLastModifiedTime(nameNode.newestImage());
        assertThat(sender.send(nameNode, save, id)).isEqualTo(answer);
        assertThat(Files.getLastModifiedTime(nameNode.newestImage())).isEqualTo(saved);
        client.setSafeMode(SafeModeAction.SAFEMODE_LEAVE, true);
    }

    private void run(HaClusterBuilder builder, HaClusterBuilder.Action action) throws Exception {
        builder.dataNodes(1)
                .withAutomaticFailover()
                .property("dfs.namenode.fs-limits.min-block-size", "1024")
                .property("fs.permissions.umask-mode", "022")
                .property("dfs.namenode.fs-limits.max-xattrs-per-inode", "32")
                .property("dfs.storage.policy.satisfier.mode", "external")
                .property("hadoop.security.key.provider.path", "jceks://file" + keys.resolve("keys.jceks"));
        try (HaCluster cluster = builder.create()) {
            cluster.tool("org.apache.hadoop.crypto.key.KeyShell", "create", MutatingCalls.KEY, "-size", "128")
                    .expectSuccess();
            cluster.setUp();
            action.run(cluster);
            cluster.markSucceeded();
        }
    }

    private static void resendAllCalls(HaCluster cluster) throws Exception {
        Sender sender = new Sender(cluster);
        MutatingCalls calls = new MutatingCalls(cluster.newFileSystem(), 0);
        assertThat(calls.uncoveredMethods())
                .as("methods of ClientProtocol that are not tested")
                .isEmpty();

        NameNodeServer first = cluster.failOverTo(cluster.nameNode(1));
        Map<Call, Integer> ids = new LinkedHashMap<>();
        Map<Call, String> answers = new LinkedHashMap<>();
        for (Call call : calls.all()) {
            call.prepare().invoke(sender.connectTo(first));
            ids.put(call, Client.nextCallId());
            answers.put(call, sender.send(first, call, ids.get(call)));
        }
        assertThat(answers.values()).as("first answers").noneMatch(answer -> answer.startsWith("error"));
        MutatingCalls.awaitReencrypted(sender.connectTo(first));
        NamespaceDigest once = NamespaceDigest.of(first);

        // The reply is lost.
        assertThat(sender.sendAll(first, ids)).isEqualTo(answers);
        NamespaceDigest.of(first).expectSameAs(once);

        // The active dies after the execution; the next one has only tailed.
        first.kill9();
        NameNodeServer second = cluster.failOverTo(cluster.nameNode(2));
        assertThat(withoutKnownHdfsErrors(sender.sendAll(second, ids))).isEqualTo(withoutKnownHdfsErrors(answers));
        first.awaitState(HAServiceState.STANDBY);
        NamespaceDigest.of(second).expectSameAs(once);

        // A NameNode starts from an image that is newer than the calls.
        cluster.awaitStandbysCaughtUp(Await.TIMEOUT);
        for (NameNodeServer starting : List.of(cluster.nameNode(1), cluster.nameNode(3))) {
            NamespaceDigest.of(starting).expectSameAs(once);
            starting.restart();
            starting.awaitState(HAServiceState.STANDBY);
        }
        cluster.failOverTo(cluster.nameNode(1));
        assertThat(sender.sendAll(cluster.nameNode(1), ids)).isEqualTo(answers);
        NamespaceDigest.of(cluster.nameNode(1)).expectSameAs(once);

        cluster.failOverTo(cluster.nameNode(3));
        reportReexecutionDifferences(answers, sender.sendAll(cluster.nameNode(3), ids));
    }

    private static void forwardCalls(HaCluster cluster) throws Exception {
        Sender sender = new Sender(cluster);
        NameNodeServer active = cluster.failOverTo(cluster.nameNode(1));
        List<NameNodeServer> standbys = cluster.nameNodesExcept(active);
        standbys.forEach(standby -> standby.awaitState(HAServiceState.STANDBY));
        Map<Call, Integer> ids = new LinkedHashMap<>();
        Map<Call, String> answers = new LinkedHashMap<>();
        for (Call call : new MutatingCalls(cluster.newFileSystem(), 0).all()) {
            if (call.method().equals("metaSave")) {
                // Asked of each NameNode for a file on its own host.
                assertThat(sender.send(standbys.get(0), call, Client.nextCallId()))
                        .isEqualTo("error StandbyException");
                continue;
            }
            call.prepare().invoke(sender.connectTo(active));
            ids.put(call, Client.nextCallId());
            answers.put(call, sender.send(standbys.get(ids.size() % 2), call, ids.get(call)));
        }
        assertThat(answers.values()).as("first answers").noneMatch(answer -> answer.startsWith("error"));
        MutatingCalls.awaitReencrypted(sender.connectTo(active));
        NamespaceDigest once = NamespaceDigest.of(active);

        // The answer was lost, and the client asks the active itself, or the other standby.
        assertThat(sender.sendAll(active, ids)).isEqualTo(answers);
        Map<Call, String> again = new LinkedHashMap<>();
        for (Map.Entry<Call, Integer> id : ids.entrySet()) {
            again.put(id.getKey(), sender.send(standbys.get(again.size() % 2), id.getKey(), id.getValue()));
        }
        assertThat(withoutKnownHdfsErrors(again)).isEqualTo(withoutKnownHdfsErrors(answers));
        NamespaceDigest.of(active).expectSameAs(once);

        // It dies, and one of those that forwarded the calls becomes active.
        active.kill9();
        NameNodeServer next = cluster.awaitActive();
        assertThat(withoutKnownHdfsErrors(sender.sendAll(next, ids))).isEqualTo(withoutKnownHdfsErrors(answers));
        NamespaceDigest.of(next).expectSameAs(once);
    }

    private static void killDuringCalls(HaCluster cluster) throws Exception {
        Sender sender = new Sender(cluster);
        Round calm = Round.prepare(0, cluster, sender);
        Map<String, String> expected = calm.toComparable(sender.sendAll(cluster.awaitActive(), calm.ids()));
        assertThat(expected.values()).as("answers").noneMatch(answer -> answer.contains("error"));

        Round before = Round.prepare(1, cluster, sender);
        NameNodeServer first = awaitHealthy(cluster);
        first.kill9();
        before.assertOneExecution(expected, cluster, sender);

        for (int i = 1; i <= KILLS; i++) {
            Round during = Round.prepare(1 + i, cluster, sender);
            NameNodeServer killed = awaitHealthy(cluster);
            Map<Call, String> early = killWhileExecuting(killed, cluster, sender, during.ids());
            NameNodeServer next = cluster.awaitActive();
            System.out.printf(
                    "%s killed with %d calls out: %d had an answer, the journal had edits up to txid=%d%n",
                    killed, during.ids().size(), early.size(), next.appliedTxId());
            Map<String, String> answers = during.assertOneExecution(expected, cluster, sender);
            assertThat(answers)
                    .as("answers before the kill and after it")
                    .containsAllEntriesOf(during.toComparable(early));
        }
    }

    /** Waits until all NameNodes take part in the journal and in what follows; returns the active. */
    private static NameNodeServer awaitHealthy(HaCluster cluster) {
        NameNodeServer active = cluster.awaitActiveAndStandbys();
        cluster.awaitFullJournal();
        return active;
    }

    /**
     * Freezes the standbys, so that the first call waits for the journal and the others queue up behind it. When they
     * resume, the first is answered, and the kill hits the flush of all others.
     *
     * @return answers that arrived nevertheless
     */
    private static Map<Call, String> killWhileExecuting(
            NameNodeServer active, HaCluster cluster, Sender sender, Map<Call, Integer> ids) throws Exception {
        List<NameNodeServer> standbys = cluster.nameNodesExcept(active);
        ClientProtocol nameNode = sender.connectTo(active);
        long calledBefore = finishedCalls(active);
        Map<Call, String> answers = new ConcurrentHashMap<>();
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            standbys.forEach(NameNodeServer::pause);
            Future<?> blocking = threads.submit(() -> {
                nameNode.setTimes("/", 1_000, 1_000);
                return null;
            });
            List<Future<?>> sent = new ArrayList<>();
            ids.forEach((call, id) -> sent.add(threads.submit(() -> answers.put(call, sender.send(active, call, id)))));
            await().atMost(Await.TIMEOUT).until(() -> finishedCalls(active) > calledBefore + ids.size());
            standbys.forEach(NameNodeServer::resume);
            blocking.get();
            active.kill9();
            for (Future<?> one : sent) {
                awaitEnd(one);
            }
        } finally {
            standbys.forEach(NameNodeServer::resume);
            threads.shutdownNow();
        }
        return answers;
    }

    private static void awaitEnd(Future<?> pendingCall) throws InterruptedException {
        try {
            pendingCall.get();
        } catch (ExecutionException replyLost) {
            assertThat(replyLost).hasCauseInstanceOf(IOException.class);
        }
    }

    /** How many calls the NameNode has finished, answered or not. */
    private static long finishedCalls(NameNodeServer nameNode) {
        String port = nameNode.address("rpc").split(":")[1];
        return nameNode.jmx()
                .readNumber("Hadoop:service=NameNode,name=RpcActivityForPort" + port, "RpcProcessingTimeNumOps");
    }

    /** All calls on their own paths, each with the id that it keeps. */
    private record Round(int number, Map<Call, Integer> ids) {

        static Round prepare(int number, HaCluster cluster, Sender sender) throws Exception {
            ClientProtocol active = sender.connect(awaitHealthy(cluster));
            Map<Call, Integer> ids = new LinkedHashMap<>();
            for (Call call : new MutatingCalls(cluster.newFileSystem(), number).all()) {
                call.prepare().invoke(active);
                ids.put(call, Client.nextCallId());
            }
            return new Round(number, ids);
        }

        /** Sends all calls to the current active, and once more: answers and state stay the same. */
        Map<String, String> assertOneExecution(Map<String, String> expected, HaCluster cluster, Sender sender)
                throws Exception {
            NameNodeServer active = cluster.awaitActive();
            Map<Call, String> answers = sender.sendAll(active, ids);
            assertThat(toComparable(answers)).isEqualTo(expected);
            MutatingCalls.awaitReencrypted(sender.connectTo(active));
            NamespaceDigest once = NamespaceDigest.of(active);
            assertThat(withoutKnownHdfsErrors(sender.sendAll(active, ids))).isEqualTo(withoutKnownHdfsErrors(answers));
            NamespaceDigest.of(active).expectSameAs(once);
            return toComparable(answers);
        }

        /** Removes what differs between two rounds: their names, and the numbers that HDFS assigns. */
        Map<String, String> toComparable(Map<Call, String> answers) {
            List<Call> order = List.copyOf(ids.keySet());
            Map<String, String> comparable = new TreeMap<>();
            withoutKnownHdfsErrors(answers)
                    .forEach((call, answer) -> comparable.put(
                            call.method() + " of call " + order.indexOf(call),
                            answer.replace("round-" + number, "").replaceAll("[0-9]+", "#")));
            return comparable;
        }
    }

    private static Map<Call, String> withoutKnownHdfsErrors(Map<Call, String> answers) {
        Map<Call, String> right = new LinkedHashMap<>(answers);
        right.keySet().removeIf(call -> WRONG_IN_HDFS.contains(call.method()));
        return right;
    }

    /** Reports what goes wrong without the window, and checks that something does: otherwise this test would prove nothing. */
    private static void reportReexecutionDifferences(Map<Call, String> answers, Map<Call, String> stock)
            throws IOException {
        StringBuilder table = new StringBuilder(
                "| method | HDFS says | answer | answer to the repetition |\n| --- | --- | --- | --- |\n");
        List<String> wrong = new ArrayList<>();
        stock.forEach((call, answer) -> {
            if (!answer.equals(answers.get(call))) {
                wrong.add(call.method());
                table.append("| `%s` | %s | %s | %s |%n"
                        .formatted(
                                call.method(),
                                call.isAtMostOnce() ? "at most once" : "idempotent",
                                answers.get(call).isEmpty() ? "done" : answers.get(call),
                                answer));
            }
        });
        Files.writeString(TABLE, table);
        System.out.println("HDFS answers a repetition after a start from a newer image otherwise:\n" + table);
        assertThat(wrong).contains("delete", "rename", "create", "append");
    }

    /** Sends calls under ids that the test chooses, each to one NameNode. */
    private static final class Sender {
        private final HaCluster cluster;
        private final Map<NameNodeServer, ClientProtocol> nameNodes = new LinkedHashMap<>();

        Sender(HaCluster cluster) {
            this.cluster = cluster;
        }

        ClientProtocol connectTo(NameNodeServer server) throws IOException {
            ClientProtocol nameNode = nameNodes.get(server);
            if (nameNode == null) {
                nameNode = NameNodeProxiesClient.createNonHAProxyWithClientProtocol(
                        server.rpcAddress(),
                        cluster.clientConfiguration(),
                        UserGroupInformation.getCurrentUser(),
                        false,
                        null);
                nameNodes.put(server, nameNode);
            }
            return nameNode;
        }

        /** Retries, because a connection to the previous process on this port may have to be found dead first. */
        ClientProtocol connect(NameNodeServer active) throws IOException {
            ClientProtocol nameNode = connectTo(active);
            await().atMost(Await.TIMEOUT)
                    .ignoreExceptions()
                    .until(() -> nameNode.getHAServiceState() == HAServiceState.ACTIVE);
            return nameNode;
        }

        String send(NameNodeServer server, Call call, int id) throws Exception {
            ClientProtocol nameNode = connectTo(server);
            Client.setCallIdAndRetryCountUnprotected(id, 0, null);
            try {
                return String.valueOf(call.body().invoke(nameNode));
            } catch (RemoteException e) {
                String text = e.getMessage().split("\n")[0];
                String type = e.getClassName().substring(e.getClassName().lastIndexOf('.') + 1);
                return "error " + type + (text.length() > 80 ? "" : ": " + text);
            }
        }

        Map<Call, String> sendAll(NameNodeServer server, Map<Call, Integer> ids) throws Exception {
            connect(server);
            Map<Call, String> answers = new LinkedHashMap<>();
            for (Map.Entry<Call, Integer> id : ids.entrySet()) {
                answers.put(id.getKey(), send(server, id.getKey(), id.getValue()));
            }
            return answers;
        }
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.members;

import com.fasterxml.jackson.databind.JsonNode;
import io.trefoil.tools.cluster.GroupServers;
import io.trefoil.tools.cluster.NameNodes;
import io.trefoil.tools.cluster.ReportedDataNode;
import io.trefoil.tools.group.GroupReports;
import io.trefoil.tools.members.OutcomeReport.State;
import io.trefoil.tools.output.VersionOfJar;
import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code trefoil group add}: adds a NameNode to a running cluster. */
@Command(
        name = "add",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        description = {
            "Has a running cluster take in another NameNode, without a restart: the other NameNodes name it to clients and trust"
                    + " its host, and all live DataNodes report to it.",
            "The new hdfs-site.xml must be on the hosts of all NameNodes and DataNodes before: each server reads its own. Run it"
                    + " before the first start of the NameNode, whose bootstrap needs the others, and again when it runs. It tells"
                    + " no server anything twice."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:all live DataNodes report to it and it may become active, if it is electable; with --dry-run, nothing is in the way",
            "1:a server is not as it should be; the output says which, and what to do",
            "2:the command line or the configuration is wrong",
            "3:no NameNode answers"
        },
        footer = {"", "Examples:", "  hdfs trefoil group add nn4 --dry-run", "  hdfs trefoil group add nn4 --wait 30m"})
public final class GroupAddCommand implements Callable<Integer> {

    @Mixin
    private final ChangeOptions options;

    public GroupAddCommand(NameNodes nameNodes) {
        options = new ChangeOptions(nameNodes);
    }

    @Override
    public Integer call() throws IOException {
        String joiningNameNode = options.nameNode();
        GroupServers servers = options.group().servers();
        Map<String, String> configured = servers.configuredNameNodes();
        if (!configured.containsKey(joiningNameNode)) {
            throw options.newParameterException(
                    "The configuration of this host has NameNodes " + configured.keySet() + ", and no '"
                            + joiningNameNode
                            + "': give it its addresses there, and the file to the hosts of all NameNodes and DataNodes, before");
        }
        OutcomeReport report = new OutcomeReport();
        GroupSweep round = new GroupSweep(options, servers, report);
        Set<String> others = new LinkedHashSet<>(configured.keySet());
        others.remove(joiningNameNode);
        round.refreshNameNodes(others);
        Optional<String> silence = unansweredReason(servers, joiningNameNode);
        if (silence.isPresent()) {
            report.add(
                    joiningNameNode,
                    State.TROUBLE,
                    "does not answer at " + configured.get(joiningNameNode) + ": " + silence.get());
            options.print(report, notRunningText(joiningNameNode));
            return report.exitCode();
        }
        round.refreshNameNodes(Collections.singleton(joiningNameNode));
        round.refreshDataNodes(
                round.queryDataNodes(others),
                new BlockReportCheck(servers, joiningNameNode, problemText(joiningNameNode)),
                "reports to " + joiningNameNode);
        if (!options.isDryRun()) {
            awaitReady(round, report, joiningNameNode);
        }
        options.print(report, endText(joiningNameNode, report));
        return report.exitCode();
    }

    /** Describes a DataNode that does not report to the new NameNode: once notified, it has read its file. */
    private String problemText(String joiningNameNode) {
        return options.isDryRun()
                ? "does not report to " + joiningNameNode + " yet"
                : "its hdfs-site.xml does not name " + joiningNameNode
                        + "; copy the new file to its host and run this again,"
                        + " or 'hdfs dfsadmin -refreshNamenodes' there";
    }

    /** Returns why the new NameNode does not answer; empty if it does. */
    private static Optional<String> unansweredReason(GroupServers servers, String joiningNameNode) {
        try {
            servers.knownNameNodes(joiningNameNode);
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private static String notRunningText(String joiningNameNode) {
        return "If " + joiningNameNode
                + " does not run: on its host 'systemctl start hdfs-namenode' where systemd has that unit, which fetches an image"
                + " first; elsewhere 'hdfs namenode -bootstrapStandby', then 'hdfs --daemon start namenode'. Then run this"
                + " again. DataNodes are told when it answers.";
    }

    private static String endText(String joiningNameNode, OutcomeReport report) {
        if (report.hasFailures()) {
            return "Not done: see above, and run this again";
        }
        return report.isDone()
                ? "Done: all live DataNodes report to " + joiningNameNode
                : "Nothing was changed. To do it: hdfs trefoil group add " + joiningNameNode;
    }

    /** Checks whether DataNodes have reported to the new NameNode, according to that NameNode. */
    private static final class BlockReportCheck implements GroupSweep.DataNodeCheck {
        private final GroupServers servers;
        private final String joiningNameNode;
        private final String unnamed;

        BlockReportCheck(GroupServers servers, String joiningNameNode, String unnamed) {
            this.servers = servers;
            this.joiningNameNode = joiningNameNode;
            this.unnamed = unnamed;
        }

        @Override
        public Set<String> findUnready(Map<String, ReportedDataNode> dataNodes) throws IOException {
            Set<String> missing = new LinkedHashSet<>(dataNodes.keySet());
            for (ReportedDataNode seen : servers.dataNodes(joiningNameNode)) {
                if (seen.hasReported()) {
                    missing.remove(seen.id());
                }
            }
            return missing;
        }

        @Override
        public Map<String, DataNodeProblem> problemsOf(Map<String, ReportedDataNode> unreadyDataNodes)
                throws IOException {
            Map<String, DataNodeProblem> lacks = new LinkedHashMap<>();
            GroupSweep.queryAll(unreadyDataNodes, servers::nameNodesOf)
                    .forEach((id, answer) -> lacks.put(id, findProblem(answer)));
            return lacks;
        }

        private DataNodeProblem findProblem(GroupSweep.Answer<Set<String>> reportsTo) {
            if (!reportsTo.problem.isEmpty()) {
                return DataNodeProblem.transientProblem("does not report to " + joiningNameNode
                        + "; why is not known, its page does not answer: "
                        + reportsTo.problem + ". Check whether the hdfs-site.xml on its host names " + joiningNameNode
                        + ", and its log");
            }
            return reportsTo.value.contains(joiningNameNode)
                    ? DataNodeProblem.transientProblem("has not told " + joiningNameNode
                            + " its blocks yet; if that does not change, check whether it reaches "
                            + servers.configuredNameNodes().get(joiningNameNode) + ", and its log")
                    : DataNodeProblem.permanentProblem(unnamed);
        }
    }

    /**
     * Waits until the NameNode has all blocks, is out of safe mode, and is not far behind; asks only once if a DataNode needs an operator.
     */
    private void awaitReady(GroupSweep round, OutcomeReport report, String joiningNameNode) throws IOException {
        while (true) {
            GroupReports answers = options.group().queryReports();
            Optional<JsonNode> bean = answers.bean(joiningNameNode);
            String state = bean.map(document -> document.path("State").asText()).orElse("");
            if (state.equals("STANDBY") || state.equals("ACTIVE")) {
                report.add(
                        joiningNameNode,
                        State.DONE,
                        isElectable(joiningNameNode, answers)
                                ? "may become active"
                                : "has caught up; it never becomes active, as trefoil.ha.electable is false there");
                return;
            }
            if (round.shouldStopWaiting()) {
                report.add(
                        joiningNameNode,
                        State.TROUBLE,
                        "may not become active yet: "
                                + bean.map(document -> document.path("Reason").asText())
                                        .orElse("its page does not answer"));
                return;
            }
            GroupSweep.pause();
        }
    }

    private static boolean isElectable(String nameNode, GroupReports answers) throws IOException {
        for (JsonNode member : answers.newest("View").path("members")) {
            if (member.path("name").asText().equals(nameNode)) {
                return member.path("electable").asBoolean(true);
            }
        }
        return true;
    }
}

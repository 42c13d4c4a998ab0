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
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code trefoil group remove}: removes a NameNode from a running cluster. */
@Command(
        name = "remove",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        description = {
            "Has a running cluster let a NameNode go that was stopped: the others stop naming it to clients, and no DataNode"
                    + " tries to report to it. What was ordered about its elections is taken back.",
            "The hdfs-site.xml without it must be on the hosts of all NameNodes and DataNodes before: each server reads its own. Its"
                    + " pool node is removed by 'hdfs trefoil journal remove'."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:no NameNode knows it any more; with --dry-run, nothing is in the way",
            "1:it runs, or a server is not as it should be; the output says which, and what to do",
            "2:the command line or the configuration is wrong",
            "3:no NameNode answers"
        },
        footer = {"", "Examples:", "  hdfs trefoil group remove nn4 --dry-run", "  hdfs trefoil group remove nn4"})
public final class GroupRemoveCommand implements Callable<Integer> {

    @Mixin
    private final ChangeOptions options;

    public GroupRemoveCommand(NameNodes nameNodes) {
        options = new ChangeOptions(nameNodes);
    }

    @Override
    public Integer call() throws IOException {
        String leavingNameNode = options.nameNode();
        GroupServers servers = options.group().servers();
        Map<String, String> configured = servers.configuredNameNodes();
        if (configured.containsKey(leavingNameNode)) {
            throw options.newParameterException(
                    "The configuration of this host has NameNodes " + configured.keySet() + ": take '" + leavingNameNode
                            + "' out of it, and give the file to the hosts of all NameNodes and DataNodes, before");
        }
        GroupReports answers = options.group().queryReports();
        requireStopped(leavingNameNode, answers);
        OutcomeReport report = new OutcomeReport();
        GroupSweep round = new GroupSweep(options, servers, report);
        revokeOrders(leavingNameNode, answers.newest("View").path("orders"), report);
        round.refreshNameNodes(configured.keySet());
        round.refreshDataNodes(
                round.queryDataNodes(configured.keySet()),
                new UnregistrationCheck(servers, this::problemText),
                "reports to " + configured.keySet());
        options.print(report, endText(leavingNameNode, report));
        return report.exitCode();
    }

    /** Requires that the NameNode is stopped: a running one might be elected, and would not know the blocks written from then on. */
    private static void requireStopped(String leavingNameNode, GroupReports answers) throws IOException {
        if (!answers.isCurrent()) {
            throw new IOException("No NameNode reaches ZooKeeper, so it is unknown whether " + leavingNameNode
                    + " runs; nothing was changed");
        }
        for (JsonNode member : answers.newest("View").path("members")) {
            if (member.path("name").asText().equals(leavingNameNode)) {
                throw new IOException(leavingNameNode + " runs, as "
                        + member.path("state").asText().toLowerCase(Locale.ROOT)
                        + "; nothing was changed. While its id still stands in the configuration of its host:"
                        + " 'hdfs trefoil drain' there, 'hdfs trefoil journal remove' of its pool node, then stop it, and run this"
                        + " again. A NameNode that was killed counts as running until its session with ZooKeeper ends");
            }
        }
    }

    /** Revokes orders about the NameNode. No operator could do that later, when the nameservice no longer has such a NameNode. */
    private void revokeOrders(String leavingNameNode, JsonNode orders, OutcomeReport report) throws IOException {
        boolean isDrained = false;
        for (JsonNode drained : orders.path("drained")) {
            isDrained |= drained.path("nameNode").asText().equals(leavingNameNode);
        }
        if (isDrained) {
            giveOrder(leavingNameNode, "drained", report, () -> options.group()
                    .elections()
                    .undrain(leavingNameNode));
        }
        if (orders.path("preferred").path("nameNode").asText().equals(leavingNameNode)) {
            giveOrder(leavingNameNode, "preferred", report, () -> options.group()
                    .elections()
                    .clearPreference());
        }
    }

    /** Returns the resulting situation. */
    private interface Order {
        String give() throws IOException;
    }

    private void giveOrder(String leavingNameNode, String order, OutcomeReport report, Order takeBack)
            throws IOException {
        if (options.isDryRun()) {
            report.add(leavingNameNode, State.TO_DO, "is " + order + ", that would be taken back");
            return;
        }
        report.add(leavingNameNode, State.DONE, takeBack.give());
    }

    /** Describes a DataNode that still reports elsewhere: once notified, it has read its file. */
    private String problemText(Set<String> strangers) {
        return options.isDryRun()
                ? "still tries to report to " + strangers
                : "its hdfs-site.xml still names " + strangers + "; copy the new file to its host and run this again";
    }

    /** Checks whether DataNodes report only to NameNodes of the configuration, according to the DataNodes. */
    private static final class UnregistrationCheck implements GroupSweep.DataNodeCheck {
        private final GroupServers servers;
        private final Function<Set<String>, String> lackOf;

        UnregistrationCheck(GroupServers servers, Function<Set<String>, String> missingReason) {
            this.servers = servers;
            this.lackOf = missingReason;
        }

        @Override
        public Set<String> findUnready(Map<String, ReportedDataNode> dataNodes) throws IOException {
            return problemsOf(dataNodes).keySet();
        }

        @Override
        public Map<String, DataNodeProblem> problemsOf(Map<String, ReportedDataNode> dataNodes) throws IOException {
            Map<String, DataNodeProblem> lacks = new LinkedHashMap<>();
            GroupSweep.queryAll(dataNodes, servers::nameNodesOf)
                    .forEach((id, answer) -> findProblem(answer).ifPresent(lack -> lacks.put(id, lack)));
            return lacks;
        }

        private Optional<DataNodeProblem> findProblem(GroupSweep.Answer<Set<String>> reportsTo) {
            if (!reportsTo.problem.isEmpty()) {
                return Optional.of(DataNodeProblem.transientProblem(
                        "whether it still tries to report elsewhere is not known, its page does not answer: "
                                + reportsTo.problem));
            }
            Set<String> strangers =
                    reportsTo.value.stream().filter(one -> one.contains(":")).collect(Collectors.toSet());
            return strangers.isEmpty()
                    ? Optional.empty()
                    : Optional.of(DataNodeProblem.permanentProblem(lackOf.apply(strangers)));
        }
    }

    private static String endText(String leavingNameNode, OutcomeReport report) {
        if (report.hasFailures()) {
            return "Not done: see above, and run this again";
        }
        return report.isDone()
                ? "Done: no server knows " + leavingNameNode + " any more"
                : "Nothing was changed. To do it: hdfs trefoil group remove " + leavingNameNode;
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.verify;

import io.trefoil.foundation.Pause;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.pool.client.NodeAnswer;
import io.trefoil.journal.pool.client.PoolAdminClient;
import io.trefoil.journal.protocol.FailedReply;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.StartOverRequest;
import io.trefoil.journal.protocol.StartedOverReply;
import io.trefoil.tools.cluster.Installation;
import io.trefoil.tools.cluster.JournalLocation;
import io.trefoil.tools.output.ExitCode;
import io.trefoil.tools.output.TimeOption;
import io.trefoil.tools.output.VersionOfJar;
import io.trefoil.tools.pool.JournalOptions;
import io.trefoil.tools.pool.survey.NodeState;
import io.trefoil.tools.pool.survey.NodeStatus;
import io.trefoil.tools.pool.survey.PoolStatus;
import io.trefoil.tools.pool.survey.PoolSurvey;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code trefoil journal repair}: repairs the problems that {@code verify} finds. */
@Command(
        name = "repair",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        description = {
            "Reads everything as \"verify\" does, and says what there is to do for each node. Changes nothing without"
                    + " --execute.",
            "A node whose replica is damaged, cannot be opened, or differs from that of a majority is told to move it aside"
                    + " and to fetch everything again, one node after the other, and only while a majority of the voters"
                    + " is sound without it. Nothing is deleted: where the old replica is now is printed."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:nothing is wrong, or all that was wrong is repaired",
            "1:something is wrong: it was only shown, or could not be repaired",
            "2:the command line or the configuration is wrong",
            "3:no node answers"
        },
        footer = {"", "Examples:", "  hdfs trefoil journal repair", "  hdfs trefoil journal repair --execute --wait 20m"
        })
public final class RepairCommand implements Callable<Integer> {

    private static final long POLL_MILLIS = 200;

    @Mixin
    private final JournalOptions options;

    @Spec
    private CommandSpec spec;

    @Option(names = "--execute", description = "Do it, instead of only saying what would be done.")
    private boolean execute;

    @Option(
            names = "--wait",
            paramLabel = "TIME",
            defaultValue = "10m",
            description = "How long each node may take until it is whole again, as 30s, or a number of seconds; "
                    + "${DEFAULT-VALUE} if not given.")
    private String time;

    @Option(
            names = "--incarnation",
            paramLabel = "INCARNATION",
            description = "The incarnation that is in force, as \"status\" shows it, where two may be; if not given, "
                    + "the one with the highest number, and none that a majority of its voters has is "
                    + "moved aside.")
    private String incarnation;

    public RepairCommand(Installation installation) {
        options = new JournalOptions(installation);
    }

    @Override
    public Integer call() throws IOException {
        Duration wait = TimeOption.parseWait(spec, time);
        if (wait.isZero()) {
            throw new ParameterException(spec.commandLine(), "--wait is at least 1 second, got " + time);
        }
        JournalLocation location = options.find();
        try (PoolAdminClient adminClient = options.openAdminClient(location)) {
            JournalVerifier verification =
                    JournalVerifier.of(survey(location, adminClient), adminClient, options.progress());
            RepairPlan plan = new RepairPlan(verification, survey(location, adminClient));
            Execution execution = new Execution(location, adminClient, plan, wait);
            if (execute) {
                execution.run();
            }
            RepairText report = new RepairText(
                    plan,
                    execute ? Optional.of(execution.outcomes) : Optional.<Map<NodeAddress, String>>empty(),
                    execution.mended);
            options.print(report::json, report::table);
            return execution.isHealthy() ? ExitCode.FINE : ExitCode.FINDING;
        }
    }

    private PoolStatus survey(JournalLocation location, PoolAdminClient adminClient) throws IOException {
        PoolStatus status = PoolSurvey.of(location, adminClient, Long.MAX_VALUE);
        if (incarnation == null) {
            return status;
        }
        Incarnation kept = chosenIncarnation();
        if (status.nodes().stream().noneMatch(node -> node.reply()
                .filter(reply -> reply.end().incarnation().equals(kept))
                .isPresent())) {
            throw new ParameterException(
                    spec.commandLine(), "No node that answers holds incarnation " + kept + ", see 'journal status'");
        }
        return status.withIncarnationInForce(kept);
    }

    private Incarnation chosenIncarnation() {
        try {
            return Incarnation.parse(incarnation);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--incarnation: " + e.getMessage(), e);
        }
    }

    /** Carries out a plan, one node after the other. */
    private final class Execution {
        private final JournalLocation location;
        private final PoolAdminClient adminClient;
        private final RepairPlan plan;
        private final Duration wait;
        private final Map<NodeAddress, String> outcomes = new LinkedHashMap<>();
        private int mended;

        Execution(JournalLocation location, PoolAdminClient adminClient, RepairPlan plan, Duration wait) {
            this.location = location;
            this.adminClient = adminClient;
            this.plan = plan;
            this.wait = wait;
        }

        void run() throws IOException {
            for (NodeStatus node : plan.nodesWithRemedy(Remedy.WAIT)) {
                awaitHealthy(node.address(), "");
            }
            for (NodeStatus node : plan.nodesWithRemedy(Remedy.REFETCH)) {
                refetch(node);
            }
        }

        /** Whether no problem is left. */
        boolean isHealthy() {
            return plan.status().hasMajority()
                    && plan.nodesWithRemedy(Remedy.OPERATOR).isEmpty()
                    && plan.nodesWithRemedy(Remedy.REFETCH).size()
                                    + plan.nodesWithRemedy(Remedy.WAIT).size()
                            == mended;
        }

        private void refetch(NodeStatus node) throws IOException {
            NodeId id = node.id().get();
            NodeAnswer answer = adminClient
                    .query(
                            Collections.singleton(node.address()),
                            StartOverRequest.of(
                                    id, plan.status().highestCommitted().incarnation()))
                    .get(node.address());
            if (!answer.reply().isPresent()) {
                outcomes.put(node.address(), "did not say whether it started over: " + answer.failureReason());
                return;
            }
            PoolReply reply = answer.reply().get();
            if (reply instanceof StartedOverReply) {
                String movedTo = ((StartedOverReply) reply).oldStoragePath();
                awaitHealthy(
                        node.address(),
                        movedTo.isEmpty() ? "opened its storage again" : "old storage moved to " + movedTo);
            } else {
                String reason = reply instanceof FailedReply ? ((FailedReply) reply).reason() : reply.toString();
                outcomes.put(node.address(), "did not start over: " + reason);
            }
        }

        /** Waits until a repaired node has everything that was committed when the wait began, and votes. */
        private void awaitHealthy(NodeAddress address, String before) throws IOException {
            String prefix = before.isEmpty() ? "" : before + ", ";
            long committedSn = plan.status().highestCommitted().position().sn();
            long deadline = System.nanoTime() + wait.toNanos();
            while (System.nanoTime() - deadline < 0) {
                PoolStatus status = survey(location, adminClient);
                if (status.node(address)
                        .filter(node -> isComplete(status, node, committedSn))
                        .isPresent()) {
                    mended++;
                    outcomes.put(address, prefix + "whole again");
                    return;
                }
                if (isNotReplicatedTo(status, address)) {
                    mended++;
                    outcomes.put(
                            address,
                            prefix + "it was removed, and is given nothing before 'hdfs trefoil journal add " + address
                                    + "'");
                    return;
                }
                pause();
            }
            outcomes.put(
                    address,
                    prefix + "not whole after " + TimeUnit.NANOSECONDS.toSeconds(wait.toNanos())
                            + " s; the writer catches it up; is a NameNode " + "active?");
        }

        /** Whether there is no writer to catch the node up, so that there is nothing to wait for. */
        private boolean isNotReplicatedTo(PoolStatus status, NodeAddress address) {
            return status.members().isRemovedByOperator(address)
                    && !status.members().findByAddress(address).isPresent();
        }

        private boolean isComplete(PoolStatus status, NodeStatus node, long committedSn) {
            return node.state() == NodeState.SERVES
                    && status.member(node).filter(node::holdsStorageOf).isPresent()
                    && node.reply().get().committedSummary().position().sn() >= committedSn;
        }

        private void pause() throws IOException {
            Pause.sleepMillis(POLL_MILLIS, "Interrupted while a node was being repaired");
        }
    }
}

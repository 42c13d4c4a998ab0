/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.upgrade;

import io.trefoil.foundation.OrderRefusedException;
import io.trefoil.tools.cluster.NameNodes;
import io.trefoil.tools.output.ExitCode;
import io.trefoil.tools.output.VersionOfJar;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code trefoil upgrade next}: prepares the next NameNode to be stopped. */
@Command(
        name = "next",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        description = {
            "Waits until the next NameNode may be stopped, drains it, and returns when it is not active and the journal does not need its pool"
                    + " node. Then restart it with the new version, and type 'hdfs trefoil upgrade finish'.",
            "If it is interrupted, type it again."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:it is drained, and may be stopped now",
            "1:none may be stopped: not safe in time, refused, or none is left; the output says which",
            "2:the command line or the configuration is wrong",
            "3:no NameNode answered in time"
        },
        footer = {"", "Examples:", "  hdfs trefoil upgrade next", "  hdfs trefoil upgrade next nn3 --wait 1h"})
public final class UpgradeNextCommand implements Callable<Integer> {

    @Mixin
    private final UpgradeOptions options;

    @Parameters(
            paramLabel = "NAMENODE",
            arity = "0..1",
            description = "Its id in the configuration; if not given, the one that the plan has next.")
    private String nameNode;

    @Option(
            names = "--wait",
            paramLabel = "TIME",
            defaultValue = "10m",
            description =
                    "How long it may take until it is safe, and again to hand over, as 30m, or a number of seconds; 0 asks once;"
                            + " ${DEFAULT-VALUE} if not given.")
    private String time;

    public UpgradeNextCommand(NameNodes nameNodes) {
        options = new UpgradeOptions(nameNodes);
    }

    @Override
    public Integer call() throws IOException {
        String version = options.version();
        if (nameNode != null) {
            options.checkKnown(nameNode);
        }
        UpgradeOptions.AwaitResult turn = options.await(time, now -> drain(now, version));
        UpgradeStep step = step(turn.lastObserved(), version);
        if (!turn.missing().isEmpty() || !isRequestedStep(step)) {
            return printEnd(step.nameNode().orElse(""), false, turn.missing().isEmpty() ? text(step) : turn.missing());
        }
        String name = step.nameNode().get();
        UpgradeOptions.AwaitResult end = options.await(time, now -> obstacle(now, version, name));
        return end.missing().isEmpty()
                ? printEnd(
                        name,
                        true,
                        UpgradePlanner.nextStep(end.lastObserved(), version).text())
                : printEnd(
                        name,
                        false,
                        name + " is drained, but may not be stopped yet: " + end.missing()
                                + "; type this again, or 'hdfs trefoil upgrade abort'");
    }

    /**
     * Drains the NameNode whose turn it is, if it can safely be stopped.
     *
     * @return what is waited for; empty if it is drained, or none is left
     * @throws OrderRefusedException if it was refused, and not because the step of another one has begun meanwhile
     */
    private String drain(ObservedCluster cluster, String version) throws IOException {
        UpgradeStep step = step(cluster, version);
        if (!isRequestedStep(step)) {
            return step.kind() == UpgradeStep.Kind.DONE ? "" : text(step);
        }
        String name = step.nameNode().get();
        try {
            // Again where it is drained already: what was seen may be old, and only this order says that no other one
            // is drained.
            options.group().elections().drainIfNoneDrained(name);
            return "";
        } catch (OrderRefusedException e) {
            UpgradeStep begun = step(options.observe(), version);
            if (begun.isStopOf(name)) {
                throw e;
            }
            return begun.kind() == UpgradeStep.Kind.STOP ? startedText(begun) : text(begun);
        }
    }

    private UpgradeStep step(ObservedCluster cluster, String version) {
        return nameNode == null
                ? UpgradePlanner.nextStep(cluster, version)
                : UpgradePlanner.nextStep(cluster, version, nameNode);
    }

    /** Whether it is the turn of the named NameNode, or of any if none was named. */
    private boolean isRequestedStep(UpgradeStep step) {
        return nameNode == null ? step.kind() == UpgradeStep.Kind.STOP : step.isStopOf(nameNode);
    }

    private String text(UpgradeStep step) {
        if (step.kind() == UpgradeStep.Kind.FINISH) {
            return step.text() + "; first type 'hdfs trefoil upgrade finish "
                    + step.nameNode().get() + "'";
        }
        return nameNode != null && step.kind() == UpgradeStep.Kind.STOP && !step.isStopOf(nameNode)
                ? startedText(step)
                : step.text();
    }

    private static String startedText(UpgradeStep step) {
        return "the step of " + step.nameNode().get() + " has begun, and not ended";
    }

    /** Returns why the drained NameNode must not be stopped; empty if it may be. */
    private static String obstacle(ObservedCluster cluster, String version, String name) {
        if (!cluster.member(name).filter(ObservedNameNode::isDrained).isPresent()) {
            return "NameNodes do not say yet that " + name + " is drained";
        }
        UpgradeStep step = UpgradePlanner.nextStep(cluster, version);
        if (!step.isStopOf(name)) {
            return step.text();
        }
        return cluster.member(name).filter(ObservedNameNode::isActive).isPresent() ? name + " is still active" : "";
    }

    private int printEnd(String name, boolean isDone, String text) {
        options.group()
                .print(
                        () -> {
                            Map<String, Object> object = new LinkedHashMap<>();
                            object.put("nameNode", name);
                            object.put("done", isDone);
                            object.put("text", text);
                            return object;
                        },
                        () -> text + "\n");
        return isDone ? ExitCode.FINE : ExitCode.FINDING;
    }
}

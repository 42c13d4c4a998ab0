/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.upgrade;

import io.trefoil.foundation.OrderRefusedException;
import io.trefoil.tools.cluster.NameNodes;
import io.trefoil.tools.output.ExitCode;
import io.trefoil.tools.output.VersionOfJar;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code trefoil upgrade finish}: returns an upgraded NameNode to service. */
@Command(
        name = "finish",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        description =
                "Waits until a NameNode runs the new version and serves as what it should, with its pool node in sync, and undrains it. Then"
                        + " the next one may follow.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:it runs the new version, serves, and is not drained",
            "1:it did not in time, or the order was refused; the output says what it lacks, and it stays drained",
            "2:the command line or the configuration is wrong",
            "3:no NameNode answered in time"
        },
        footer = {"", "Examples:", "  hdfs trefoil upgrade finish nn3", "  hdfs trefoil upgrade finish --wait 2h"})
public final class UpgradeFinishCommand implements Callable<Integer> {

    @Mixin
    private final UpgradeOptions options;

    @Parameters(
            paramLabel = "NAMENODE",
            arity = "0..1",
            description = "Its id in the configuration; if not given, the one that is drained.")
    private String nameNode;

    @Option(
            names = "--wait",
            paramLabel = "TIME",
            defaultValue = "30m",
            description =
                    "How long it may take to load its image and catch up, as 30m, or a number of seconds; 0 asks once;"
                            + " ${DEFAULT-VALUE} if not given.")
    private String time;

    public UpgradeFinishCommand(NameNodes nameNodes) {
        options = new UpgradeOptions(nameNodes);
    }

    @Override
    public Integer call() throws IOException {
        String version = options.version();
        if (nameNode != null) {
            options.checkKnown(nameNode);
        }
        String name = nameNode == null ? requireOneDrained(options.observe()) : nameNode;
        UpgradeOptions.AwaitResult end = options.await(time, now -> missing(now, version, name));
        ObservedCluster after = end.lastObserved();
        String missing = end.missing();
        boolean isDone = missing.isEmpty();
        if (isDone && after.member(name).filter(ObservedNameNode::isDrained).isPresent()) {
            options.group().elections().undrain(name);
        }
        List<ObservedNameNode> left = after.membersNotAt(version);
        String text = isDone
                ? name + " runs " + version + ", and serves: "
                        + after.member(name).get().state() + "; "
                        + (left.isEmpty() ? "it was the last one" : "left: " + ObservedCluster.names(left))
                : missing;
        options.group()
                .print(
                        () -> {
                            Map<String, Object> object = new LinkedHashMap<>();
                            object.put("nameNode", name);
                            object.put("done", isDone);
                            object.put("left", left.size());
                            object.put("text", text);
                            return object;
                        },
                        () -> text + "\n");
        return isDone ? ExitCode.FINE : ExitCode.FINDING;
    }

    private static String requireOneDrained(ObservedCluster cluster) throws IOException {
        List<ObservedNameNode> drained = cluster.drained();
        if (drained.size() != 1) {
            throw new OrderRefusedException("Refused: wanted one drained NameNode, found "
                    + (drained.isEmpty() ? "none" : ObservedCluster.names(drained)) + "; name the one that is back");
        }
        return drained.get(0).name();
    }

    /** Returns what prevents a NameNode from returning to service; empty if nothing. */
    private static String missing(ObservedCluster cluster, String version, String name) {
        return cluster.member(name)
                .map(one -> {
                    if (!one.isReady()) {
                        return name + " " + one.missing();
                    }
                    return one.version().equals(version)
                            ? ""
                            : name + " runs " + one.version() + ", wanted " + version
                                    + ": was it restarted with the new release?";
                })
                .orElse(name + " is not known to the others");
    }
}

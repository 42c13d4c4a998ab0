/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.checkpoint;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trefoil.checkpoint.CheckpointJson;
import io.trefoil.checkpoint.Checkpoints;
import io.trefoil.checkpoint.retention.RetentionPolicy;
import io.trefoil.tools.checkpoint.text.TimeFormats;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code trefoil checkpoint prune}: deletes surplus, old and failed checkpoints. */
@Command(
        name = "prune",
        description = {
            "Lists the checkpoints that are too many, too old, or failed, and the snapshots of roots that belong "
                    + "to none; with --execute it deletes them.",
            "Never deletes the newest complete one of the same nameservices, nor one that a nameservice was last "
                    + "restored to."
        },
        footer = {
            "",
            "Examples:",
            "  hdfs trefoil checkpoint prune --retained 7",
            "  hdfs trefoil checkpoint prune --retained-age 30d --execute"
        })
final class PruneCommand implements Callable<Integer> {

    @Mixin
    private final CheckpointOptions options;

    @Option(
            names = "--retained",
            paramLabel = "COUNT",
            description = "How many of the same nameservices stay; trefoil.checkpoint.retained.count if not given.")
    private Integer count;

    @Option(
            names = "--retained-age",
            paramLabel = "TIME",
            description = "How long one stays, as 12h, 30d; trefoil.checkpoint.retained.age if not given.")
    private String age;

    @Option(
            names = "--failed-after",
            paramLabel = "TIME",
            description = "How old an incomplete one, or a snapshot without one, must be to be deleted; about 10 "
                    + "minutes if not given. What is in progress is younger.")
    private String failedAfter;

    @Option(names = "--execute", description = "Do it.")
    private boolean execute;

    @Spec
    private CommandSpec command;

    PruneCommand(Supplier<Checkpoints> checkpoints) {
        options = new CheckpointOptions(checkpoints);
    }

    @Override
    public Integer call() throws IOException {
        CheckpointPruner pruning = CheckpointPruner.plan(options.checkpoints(), policy(), Collections.emptyList());
        if (execute) {
            pruning.execute();
        }
        options.print(
                () -> {
                    ObjectNode object = CheckpointJson.object();
                    pruning.addTo(object);
                    return object;
                },
                () -> pruning.isEmpty()
                        ? "nothing to delete\n"
                        : pruning.text() + (execute ? "" : "dry run, nothing was changed; --execute does it\n"));
        return pruning.exitCode();
    }

    private RetentionPolicy policy() {
        RetentionPolicy configured = options.checkpoints().retention();
        if (count != null && count < 1) {
            throw new ParameterException(command.commandLine(), "--retained is at least 1, got " + count);
        }
        return RetentionPolicy.of(
                count == null ? configured.count() : Optional.of(count),
                age == null ? configured.age() : Optional.of(parseDuration("--retained-age: ", age)),
                failedAfter == null ? configured.failedMinAge() : parseDuration("--failed-after: ", failedAfter));
    }

    private Duration parseDuration(String prefix, String text) {
        return options.requireValid(prefix, () -> TimeFormats.parseDuration(text));
    }
}

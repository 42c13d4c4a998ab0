/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.checkpoint;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trefoil.checkpoint.Checkpoints;
import io.trefoil.checkpoint.model.Checkpoint;
import io.trefoil.checkpoint.restore.IncompleteFile;
import io.trefoil.checkpoint.restore.RestoreOptions;
import io.trefoil.checkpoint.restore.RestorePlan;
import io.trefoil.checkpoint.restore.UndoPlan;
import io.trefoil.tools.checkpoint.text.BlockersText;
import io.trefoil.tools.checkpoint.text.MovedSubtreeText;
import io.trefoil.tools.checkpoint.text.RestoreText;
import io.trefoil.tools.checkpoint.text.TimeFormats;
import io.trefoil.tools.checkpoint.text.UndoText;
import io.trefoil.tools.output.ExitCode;
import java.io.IOException;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code trefoil checkpoint restore}: restores a nameservice to a checkpoint, on the host of a NameNode. */
@Command(
        name = "restore",
        description = {
            "On the host of a NameNode: says what a restore to a checkpoint does there, and changes nothing.",
            "With --execute it does it, while all NameNodes of the checkpoint are stopped."
        },
        footer = {
            "",
            "Examples:",
            "  hdfs trefoil checkpoint restore nightly",
            "  hdfs trefoil checkpoint restore nightly --execute"
        })
final class RestoreCommand implements Callable<Integer> {

    @Mixin
    private final CheckpointOptions options;

    @Parameters(paramLabel = "ID", description = "Its id, or its name if there is one of that name.")
    private String id;

    @Option(names = "--execute", description = "Do it.")
    private boolean execute;

    @Option(
            names = "--alone",
            description = "Restore this host's nameservice alone, while NameNodes of the checkpoint's others run.")
    private boolean alone;

    @Option(
            names = "--again",
            description = "Do it even if it was done before, and discard what was written " + "since.")
    private boolean again;

    @Option(names = "--undo", description = "Bring back what there was before the restore to this checkpoint.")
    private boolean undo;

    @Mixin
    private final MovesSinceCheckpoint moves;

    RestoreCommand(Supplier<Checkpoints> checkpoints, MoveHistory history) {
        options = new CheckpointOptions(checkpoints);
        moves = new MovesSinceCheckpoint(history);
    }

    @Override
    public Integer call() throws IOException {
        Checkpoints host = options.hostCheckpoints();
        Checkpoint checkpoint = options.find(id);
        RestoreOptions given = RestoreOptions.builder()
                .singleNameservice(alone)
                .repeatRestore(again)
                .build();
        if (undo) {
            return undo(host, host.planUndo(checkpoint, given));
        }
        RestorePlan plan = host.planRestore(checkpoint, given);
        RestoreText text = new RestoreText(plan);
        if (execute) {
            return execute(host, plan, text);
        }
        Optional<List<IncompleteFile>> losses =
                plan.refusals().isEmpty() ? host.findIncompleteFiles(plan) : Optional.<List<IncompleteFile>>empty();
        Optional<MovedSubtreeText> moved =
                plan.refusals().isEmpty() ? movedSubtreeText(plan) : Optional.<MovedSubtreeText>empty();
        options.print(
                () -> {
                    ObjectNode object = text.json(losses);
                    moved.ifPresent(subtrees -> subtrees.put(object));
                    return object;
                },
                () -> text.dryRun(losses, moved.map(MovedSubtreeText::text).orElse("")));
        // Whatever must be stopped first is no finding: an operator looks before stopping a cluster.
        return plan.refusals().isEmpty() ? ExitCode.FINE : ExitCode.FINDING;
    }

    /** The effect of the plan on moved subtrees; empty if there is no table. */
    private Optional<MovedSubtreeText> movedSubtreeText(RestorePlan plan) {
        return alone
                ? moves.text(plan.checkpoint(), Collections.singleton(plan.nameservice()))
                : moves.text(plan.checkpoint());
    }

    private int undo(Checkpoints host, UndoPlan plan) throws IOException {
        UndoText text = new UndoText(plan);
        if (!execute) {
            options.print(() -> text.json(Collections.<String>emptyList()), text::dryRun);
            return plan.refusals().isEmpty() ? ExitCode.FINE : ExitCode.FINDING;
        }
        if (!plan.executable()) {
            throw new IOException(BlockersText.text(plan) + "Nothing was changed.");
        }
        List<String> done = host.undo(plan, TimeFormats.formatForBackup(Instant.now()));
        options.print(() -> text.json(done), () -> text.done(done));
        return ExitCode.FINE;
    }

    private int execute(Checkpoints host, RestorePlan plan, RestoreText text) throws IOException {
        if (!plan.executable()) {
            throw new IOException(BlockersText.text(plan) + "Nothing was changed.");
        }
        List<String> done = host.restore(plan, TimeFormats.formatForBackup(Instant.now()));
        options.print(() -> text.json(done), () -> text.done(done));
        return ExitCode.FINE;
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.checkpoint;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trefoil.checkpoint.Checkpoints;
import io.trefoil.checkpoint.model.Checkpoint;
import io.trefoil.tools.checkpoint.text.CheckpointText;
import io.trefoil.tools.checkpoint.text.MovedSubtreeText;
import io.trefoil.tools.output.ExitCode;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code trefoil checkpoint show}: shows one checkpoint, from the journals. */
@Command(
        name = "show",
        description = {
            "Shows one checkpoint, from the journals; needs no NameNode.",
            "If NameNodes run, it also shows the subtrees that were moved since, and what a restore does to them."
        },
        footer = {"", "Examples:", "  hdfs trefoil checkpoint show nightly"})
final class ShowCommand implements Callable<Integer> {

    @Mixin
    private final CheckpointOptions options;

    @Parameters(paramLabel = "ID", description = "Its id, or its name if there is one of that name.")
    private String id;

    @Mixin
    private final MovesSinceCheckpoint moves;

    ShowCommand(Supplier<Checkpoints> checkpoints, MoveHistory history) {
        options = new CheckpointOptions(checkpoints);
        moves = new MovesSinceCheckpoint(history);
    }

    @Override
    public Integer call() throws IOException {
        Checkpoint checkpoint = options.find(id);
        Optional<MovedSubtreeText> moved =
                checkpoint.isComplete() ? moves.text(checkpoint) : Optional.<MovedSubtreeText>empty();
        options.print(
                () -> {
                    ObjectNode object = CheckpointText.json(checkpoint);
                    moved.ifPresent(subtrees -> subtrees.put(object));
                    return object;
                },
                () -> CheckpointText.of(checkpoint)
                        + moved.map(MovedSubtreeText::text).orElse(""));
        return checkpoint.isComplete() ? ExitCode.FINE : ExitCode.FINDING;
    }
}

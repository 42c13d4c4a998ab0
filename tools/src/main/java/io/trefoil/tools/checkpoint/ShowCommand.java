/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.checkpoint;

import io.trefoil.checkpoint.Checkpoints;
import io.trefoil.checkpoint.model.Checkpoint;
import io.trefoil.tools.checkpoint.text.CheckpointText;
import io.trefoil.tools.output.ExitCode;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code trefoil checkpoint show}: shows one checkpoint, from the journals. */
@Command(
        name = "show",
        description = "Shows one checkpoint, from the journals; needs no NameNode.",
        footer = {"", "Examples:", "  hdfs trefoil checkpoint show nightly"})
final class ShowCommand implements Callable<Integer> {

    @Mixin
    private final CheckpointOptions options;

    @Parameters(paramLabel = "ID", description = "Its id, or its name if there is one of that name.")
    private String id;

    ShowCommand(Supplier<Checkpoints> checkpoints) {
        options = new CheckpointOptions(checkpoints);
    }

    @Override
    public Integer call() throws IOException {
        Checkpoint one = options.find(id);
        options.print(() -> CheckpointText.json(one), () -> CheckpointText.of(one));
        return one.isComplete() ? ExitCode.FINE : ExitCode.FINDING;
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.checkpoint;

import io.trefoil.checkpoint.Checkpoints;
import io.trefoil.checkpoint.model.Checkpoint;
import io.trefoil.tools.checkpoint.text.CheckpointText;
import io.trefoil.tools.output.ExitCode;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code trefoil checkpoint list}: lists all checkpoints, from the journals. */
@Command(
        name = "list",
        description = "Shows all checkpoints, and whether each is complete, from the journals; needs no NameNode.",
        footer = {"", "Examples:", "  hdfs trefoil checkpoint list --json"})
final class ListCommand implements Callable<Integer> {

    @Mixin
    private final CheckpointOptions options;

    ListCommand(Supplier<Checkpoints> checkpoints) {
        options = new CheckpointOptions(checkpoints);
    }

    @Override
    public Integer call() throws IOException {
        List<Checkpoint> all = Checkpoint.assemble(options.checkpoints().manifests());
        options.print(() -> CheckpointText.json(all), () -> CheckpointText.list(all));
        return ExitCode.FINE;
    }
}

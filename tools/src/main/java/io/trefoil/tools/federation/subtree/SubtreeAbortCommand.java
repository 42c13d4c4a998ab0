/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.subtree;

import io.trefoil.federation.move.MoveRecord;
import io.trefoil.federation.move.SubtreeMoves;
import io.trefoil.federation.table.TableRefusedException;
import io.trefoil.federation.table.TableStore;
import io.trefoil.tools.cluster.Installation;
import io.trefoil.tools.federation.cluster.Federation;
import io.trefoil.tools.federation.table.TableOptions;
import io.trefoil.tools.output.ExitCode;
import io.trefoil.tools.output.VersionOfJar;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code trefoil subtree abort}: undoes a move. */
@Command(
        name = "abort",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        description = {
            "Undoes the move that has begun and not ended: clients work at the source, and what was made at the target is deleted.",
            "Refused while the command that moves it runs, and for up to a minute after it was ended.",
            "Refused as well once the table has the new owner: then the move can only be completed."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:it is undone",
            "1:refused, or it could not be done; the output says why",
            "2:the command line or the configuration is wrong"
        },
        footer = {"", "Examples:", "  hdfs trefoil subtree abort"})
public final class SubtreeAbortCommand implements Callable<Integer> {

    private final Installation installation;

    @Mixin
    private final TableOptions options;

    public SubtreeAbortCommand(Installation installation) {
        this.installation = installation;
        options = new TableOptions(installation);
    }

    @Override
    public Integer call() throws IOException {
        try (TableStore table = options.open();
                SubtreeMoves moves = Federation.of(installation).openMoves(table)) {
            MoveRecord record =
                    moves.store().current().orElseThrow(() -> new TableRefusedException("No subtree is being moved"));
            // Nothing is copied, and no client is waited for.
            moves.connect(record, new CommandLimits(Duration.ZERO), 1, line -> {})
                    .abort();
            options.print(() -> MoveText.json(record, "aborted"), () -> MoveText.text(record, "aborted"));
            return ExitCode.FINE;
        }
    }
}

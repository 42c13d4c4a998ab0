/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.subtree;

import io.trefoil.tools.cluster.Installation;
import io.trefoil.tools.output.ExitCode;
import io.trefoil.tools.output.VersionOfJar;
import io.trefoil.tools.subtree.model.MoveRecord;
import io.trefoil.tools.subtree.model.SubtreeMoves;
import io.trefoil.tools.table.TableOptions;
import io.trefoil.tools.table.model.TableStore;
import java.io.IOException;
import java.util.Collections;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code trefoil subtree status}: shows the move that has begun and not ended. */
@Command(
        name = "status",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        description = "Shows the move that has begun and not ended, and what clients meet. There is one at most.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:it is shown, or there is none",
            "1:it cannot be read",
            "2:the command line or the configuration is wrong"
        },
        footer = {"", "Examples:", "  hdfs trefoil subtree status"})
public final class SubtreeStatusCommand implements Callable<Integer> {

    private final Installation installation;

    @Mixin
    private final TableOptions options;

    public SubtreeStatusCommand(Installation installation) {
        this.installation = installation;
        options = new TableOptions(installation);
    }

    @Override
    public Integer call() throws IOException {
        try (TableStore table = options.open();
                SubtreeMoves moves = installation.moves(table)) {
            Optional<MoveRecord> current = moves.store().current();
            if (!current.isPresent()) {
                options.print(() -> Collections.singletonMap("moving", false), () -> "No subtree is being moved.\n");
                return ExitCode.FINE;
            }
            MoveRecord record = current.get();
            boolean hasSwitched = record.hasSwitched(table.history());
            String state = state(record, hasSwitched);
            options.print(
                    () -> MoveText.json(record, state), () -> MoveText.text(record, state + MoveText.rate(record)));
            return ExitCode.FINE;
        }
    }

    private static String state(MoveRecord record, boolean hasSwitched) {
        switch (record.phase()) {
            case COPYING:
                return "copying; clients work at " + record.source();
            case PAUSED:
                return hasSwitched
                        ? "the table has the new owner, which is not open yet; clients are refused"
                        : "about to be paused, or paused. If the command does not run any more, clients may be refused: run it again, or"
                                + " abort";
            case OPENED:
                return "clients work at " + record.target() + "; the source is closed and still has its files";
            default:
                return "clients work at " + record.target() + "; the source is being deleted";
        }
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.subtree;

import io.trefoil.federation.move.MoveRecord;
import io.trefoil.federation.move.MoveStore;
import io.trefoil.federation.move.SubtreeMoves;
import io.trefoil.federation.move.progress.MoveProgress;
import io.trefoil.federation.table.TableStore;
import io.trefoil.tools.cluster.Installation;
import io.trefoil.tools.federation.cluster.Federation;
import io.trefoil.tools.federation.table.TableOptions;
import io.trefoil.tools.output.ExitCode;
import io.trefoil.tools.output.VersionOfJar;
import java.io.IOException;
import java.util.Collections;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code trefoil subtree status}: shows the move that has begun and not ended. */
@Command(
        name = "status",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        description = {
            "Shows the move that has begun and not ended, what clients meet, and how far the move was when its command, which tells it every"
                    + " few seconds, told it the last time. There is one move at most."
        },
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

    @Spec
    private CommandSpec command;

    public SubtreeStatusCommand(Installation installation) {
        this.installation = installation;
        options = new TableOptions(installation);
    }

    @Override
    public Integer call() throws IOException {
        try (TableStore table = options.open();
                SubtreeMoves moves = Federation.of(installation).openMoves(table)) {
            MoveStore store = moves.store();
            Optional<MoveRecord> current = store.current();
            if (!current.isPresent()) {
                options.print(() -> Collections.singletonMap("moving", false), () -> "No subtree is being moved.\n");
                return ExitCode.FINE;
            }
            MoveRecord record = current.get();
            boolean hasSwitched = record.hasSwitched(table.history());
            String state = state(record, hasSwitched);
            Optional<MoveProgress> progress = progress(store, record);
            options.print(
                    () -> MoveText.json(record, state, progress),
                    () -> MoveText.text(record, state + MoveText.rate(record) + MoveText.routers(record))
                            + MoveText.text(progress));
            return ExitCode.FINE;
        }
    }

    /** The progress of a move; empty if it cannot be read, as the rest of the status matters more. */
    private Optional<MoveProgress> progress(MoveStore store, MoveRecord record) {
        try {
            return store.readProgress(record);
        } catch (IOException e) {
            command.commandLine().getErr().println("How far it is cannot be read: " + e.getMessage());
            return Optional.empty();
        }
    }

    private static String state(MoveRecord record, boolean hasSwitched) {
        switch (record.phase()) {
            case COPYING:
                return "copying; clients work at " + record.source();
            case PAUSED:
                return hasSwitched
                        ? "the table has the new owner, which is not open yet; clients are refused. If the command does not run any more, run it"
                                + " again; it cannot be aborted"
                        : "about to be paused, or paused. If the command does not run any more, clients may be refused: run it again, or"
                                + " abort";
            case OPENED:
                return "clients work at " + record.target()
                        + "; the source is closed and still has its files. It cannot be aborted; this deletes them: hdfs trefoil subtree move "
                        + record.path() + " --to " + record.target();
            default:
                return "clients work at " + record.target() + "; the source is being deleted"
                        + (record.routers().isEmpty() ? "" : ", or Routers do not follow");
        }
    }
}

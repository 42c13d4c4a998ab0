/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.table;

import io.trefoil.federation.move.MoveRecord;
import io.trefoil.federation.move.SubtreeMoves;
import io.trefoil.federation.table.SubtreeHandover;
import io.trefoil.federation.table.SubtreePath;
import io.trefoil.federation.table.SubtreeTable;
import io.trefoil.federation.table.TableChange;
import io.trefoil.federation.table.TableStore;
import io.trefoil.tools.cluster.Installation;
import io.trefoil.tools.federation.cluster.Federation;
import io.trefoil.tools.output.ExitCode;
import java.io.IOException;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options and the execution that all commands which change the table share. */
final class TableChangeRunner {

    private final Installation installation;

    @Mixin
    private final TableOptions options;

    @Option(
            names = "--dry-run",
            description =
                    "Make all checks that the change makes, show what the table would become, and change nothing.")
    private boolean dryRun;

    TableChangeRunner(Installation installation) {
        this.installation = installation;
        options = new TableOptions(installation);
    }

    int run(String path, Function<SubtreePath, TableChange> change) throws IOException {
        return run(path, change, false);
    }

    /** @param withCopy whether the copy of a directory that is no longer to be hashed takes the place of its owner's directory */
    int run(String path, Function<SubtreePath, TableChange> change, boolean withCopy) throws IOException {
        SubtreePath subtree = options.parsePath(path);
        try (TableStore store = options.open()) {
            SubtreeTable before = store.requireNewest().table();
            TableChange wanted = change.apply(subtree);
            requireNotMoved(store, subtree);
            Optional<SubtreeHandover> made = SubtreeHandover.findCommitted(store, wanted);
            SubtreeHandover handover = made.isPresent() ? made.get() : SubtreeHandover.plan(store, before, wanted);
            if (withCopy && !made.isPresent()) {
                handover.requireCopy();
            }
            if (!dryRun && made.isPresent()) {
                handover.finish();
            } else if (!dryRun) {
                handover.run(Clock.systemUTC().instant());
            }
            if (withCopy && !dryRun) {
                handover.placeCopy();
            }
            options.print(() -> json(handover), () -> text(handover, subtree));
            return ExitCode.FINE;
        }
    }

    /**
     * Checks for a move in progress; one that begins after this is refused because of the version that it finds, or else this change is
     * because of the move's.
     */
    private void requireNotMoved(TableStore store, SubtreePath subtree) throws IOException {
        try (SubtreeMoves moves = Federation.of(installation).openMoves(store)) {
            Optional<MoveRecord> move = moves.store().current();
            if (move.isPresent()) {
                move.get().requireNoOverlap(subtree, store.history());
            }
        }
    }

    private String text(SubtreeHandover handover, SubtreePath subtree) {
        return TableText.text(handover.after()) + "\n" + subtree + (dryRun ? " would go" : " went") + " from "
                + handover.from() + " to " + handover.to() + (dryRun ? "; nothing was changed." : ".") + "\n";
    }

    private Map<String, Object> json(SubtreeHandover handover) {
        Map<String, Object> object = TableText.json(handover.after());
        object.put("from", handover.from());
        object.put("to", handover.to());
        object.put("done", !dryRun);
        return object;
    }
}

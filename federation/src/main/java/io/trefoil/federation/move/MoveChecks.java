/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move;

import io.trefoil.federation.move.SubtreeMover.SourceCleanup;
import io.trefoil.federation.move.progress.MoveStep;
import io.trefoil.federation.table.SubtreeTable;
import io.trefoil.federation.table.TableChange;
import io.trefoil.federation.table.TableRefusedException;
import io.trefoil.federation.table.TableStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The checks before a move may begin. Changes nothing. */
final class MoveChecks {

    private MoveChecks() {}

    /** Returns why the move cannot begin; problems that do not block it because the source is kept are only reported. */
    static List<MoveBlocker> blockers(MovePorts ports, SubtreeSize size, SourceCleanup cleanup) throws IOException {
        ports.counts().beginStep("Checks", MoveStep.CHECKING, size.contentAmount());
        List<MoveBlocker> blockers = new ArrayList<>();
        size.heapShortageReason(ports.limits().heapBytes()).map(MoveBlocker::of).ifPresent(blockers::add);
        blockers.addAll(ports.source().blockers());
        blockers.addAll(ports.target().blockers(size));
        openFileTimeoutRefusal(ports).map(MoveBlocker::of).ifPresent(blockers::add);
        blockers.stream()
                .filter(blocker -> blocker.permits(cleanup))
                .map(MoveBlocker::text)
                .forEach(ports.progress());
        blockers.removeIf(blocker -> blocker.permits(cleanup));
        return blockers;
    }

    static void requireValidOpenFileTimeout(MovePorts ports) throws IOException {
        Optional<String> tooPatient = openFileTimeoutRefusal(ports);
        if (tooPatient.isPresent()) {
            throw new TableRefusedException(tooPatient.get());
        }
    }

    private static Optional<String> openFileTimeoutRefusal(MovePorts ports) throws IOException {
        return ports.source().openFileTimeoutRefusal(ports.limits().openFileTimeout());
    }

    /**
     * The commands by which the subtree can get its new owner without a move, one per line, indented; empty if nothing in the subtree
     * itself prevents a move.
     */
    static List<String> copyInstructions(TableStore table, MoveRecord record, List<MoveBlocker> blockers)
            throws IOException {
        SubtreeTable newest = table.requireNewest().table();
        String where = " --table hdfs://" + table.tableNameservice() + table.tableDirectory();
        String change =
                TableChange.assignOwner(newest, record.path(), record.target()).text();
        String routers = MoveRecord.routerOptions(record.routers());
        List<String> changes = new ArrayList<>();
        changes.add("hdfs trefoil table " + change + where);
        if (!routers.isEmpty()) {
            changes.add("hdfs trefoil table mirror" + where + routers);
        }
        return new SubtreeCopyInstructions(
                        record,
                        blockers,
                        "hdfs trefoil subtree move " + record.path() + " --to " + record.target() + where + routers,
                        changes)
                .lines();
    }
}

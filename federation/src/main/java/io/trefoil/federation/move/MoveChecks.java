/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move;

import io.trefoil.federation.move.SubtreeMove.SourceCleanup;
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

    /** Why the move cannot begin; what is no blocker because the source is kept, is only said. */
    static List<MoveBlocker> blockers(MovePorts ports, SubtreeSize size, SourceCleanup afterwards) throws IOException {
        ports.counts().begin("Checks", MoveStep.CHECKING, size.inside());
        List<MoveBlocker> blockers = new ArrayList<>();
        size.tooLargeFor(ports.limits().heapBytes()).map(MoveBlocker::of).ifPresent(blockers::add);
        blockers.addAll(ports.source().blockers());
        blockers.addAll(ports.target().blockers(size));
        tooPatient(ports).map(MoveBlocker::of).ifPresent(blockers::add);
        blockers.stream()
                .filter(one -> one.allows(afterwards))
                .map(MoveBlocker::text)
                .forEach(ports.progress());
        blockers.removeIf(one -> one.allows(afterwards));
        return blockers;
    }

    static void requirePatience(MovePorts ports) throws IOException {
        Optional<String> tooPatient = tooPatient(ports);
        if (tooPatient.isPresent()) {
            throw new TableRefusedException(tooPatient.get());
        }
    }

    private static Optional<String> tooPatient(MovePorts ports) throws IOException {
        return ports.source().patienceExceedsFreeze(ports.limits().patience());
    }

    /**
     * The commands by which the subtree can get its new owner without a move, a line each, indented; empty if nothing
     * in the subtree itself is in the way.
     */
    static List<String> copyingWay(TableStore table, MoveRecord record, List<MoveBlocker> blockers) throws IOException {
        SubtreeTable newest = table.requireNewest().table();
        String where = " --table hdfs://" + table.keeper() + table.kept();
        String change = TableChange.give(newest, record.path(), record.target()).text();
        String routers = MoveRecord.typed(record.routers());
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

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move;

import io.trefoil.federation.move.MoveRecord.Phase;
import io.trefoil.federation.table.SubtreeTable;
import io.trefoil.federation.table.TableRefusedException;
import io.trefoil.federation.table.TableStore;
import java.io.IOException;

/** Who may do what to a source: the table decides, whatever the record of the move says. */
final class OwnerByTable {

    private final TableStore table;

    OwnerByTable(TableStore table) {
        this.table = table;
    }

    /** @throws TableRefusedException if a version gives the subtree to another nameservice than the source */
    void requireSource(SubtreeTable newest, MoveRecord record) throws TableRefusedException {
        String owner = newest.ownerOf(record.path());
        if (!owner.equals(record.source())) {
            throw new TableRefusedException(record.path() + " belongs to " + owner + ", not to " + record.source());
        }
    }

    /** Whoever opens the source needs the table to say that it is the owner, and this move not to have been further. */
    void requireUnswitched(MoveRecord record) throws IOException {
        SubtreeTable newest = table.requireNewest().table();
        String owner = newest.ownerOf(record.path());
        boolean hasOpened = record.phase() == Phase.OPENED || record.phase() == Phase.EMPTYING;
        if (hasOpened || !owner.equals(record.source())) {
            throw new TableRefusedException(record.path() + " belongs to " + owner + " by version " + newest.version()
                    + " of the table, which this move has not made"
                    + (hasOpened ? ", although its record says that " + record.target() + " has it" : "") + "; "
                    + forOperators(record));
        }
    }

    /** Whoever deletes at the source needs the table to say that the target is the owner, and clients not to have worked at the source since. */
    void requireSwitched(MoveRecord record) throws IOException {
        SubtreeTable newest = table.requireNewest().table();
        String owner = newest.ownerOf(record.path());
        if (!owner.equals(record.target())) {
            throw new TableRefusedException(record.path() + " belongs to " + owner + " by version " + newest.version()
                    + " of the table, after this move had given it to " + record.target() + "; "
                    + forOperators(record));
        }
        if (record.phase() == Phase.COPYING) {
            throw new TableRefusedException("The table has the version of this move, but its record says that "
                    + record.path() + " was being copied: clients may have worked at both since; "
                    + forOperators(record));
        }
    }

    private String forOperators(MoveRecord record) {
        String moves = "hdfs://" + table.keeper() + table.kept() + "/moves/";
        return "nothing was changed. Compare hdfs://" + record.source() + record.path() + " with hdfs://"
                + record.target() + record.path() + ", and when each is as it should be, end the move by hand: hdfs dfs"
                + " -mv " + moves + "current " + moves + "ended-" + record.id();
    }
}

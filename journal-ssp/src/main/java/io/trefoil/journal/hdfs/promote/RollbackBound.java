/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.promote;

import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.VoidRange;
import java.io.IOException;
import java.util.List;

/**
 * Describes how far back HDFS can roll: not to a transaction before a promotion. The counters that the promotion raised would be low
 * again, and only by them is an image after that transaction told from one with lost transactions. Forgetting what was
 * lost would be no way out: nothing would then keep such an image out of a namespace that has come as far again.
 */
public final class RollbackBound {

    private RollbackBound() {}

    /**
     * @param keptTxId the last transaction that the rollback would keep
     * @param lostRanges the ranges that the journal's promotions lost
     * @throws IOException if the journal was promoted after it
     */
    public static void requireAllowed(JournalId journal, long keptTxId, List<VoidRange> lostRanges) throws IOException {
        for (VoidRange range : lostRanges) {
            if (range.afterTxId() >= keptTxId) {
                throw new IOException("Cannot roll back to transaction " + keptTxId + ": journal " + journal
                        + " was promoted after transaction " + range.afterTxId()
                        + ", and images of later transactions than that could no longer be told from those of lost"
                        + " ones. Nothing was changed. Go on with the new version of HDFS, and finalize the upgrade");
            }
        }
    }
}

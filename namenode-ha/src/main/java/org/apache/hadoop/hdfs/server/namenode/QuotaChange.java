/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.namenode;

/**
 * The change by one edit in the counts of quotas: examined before HDFS applies the edit ({@link EditedPlaces}), and {@link #settle
 * settled} after.
 *
 * <p>While HDFS applies edits, it changes the counts for some of them, and not, or not by the right amount, for others: blocks
 * that are added or removed, deletions, storage policies. It does not matter which. The counts of all quotas above the places that
 * an edit names are set to their former values plus the difference of the usage there. What only snapshots still have under the same
 * names counts as well; what they have under other names is left to {@link SnapshotUsage}.
 */
final class QuotaChange {
    private static final QuotaChange NONE = new QuotaChange(() -> {});

    private final Settlement settlement;

    QuotaChange(Settlement settlement) {
        this.settlement = settlement;
    }

    /** The work that remains when the edit has been applied. */
    interface Settlement {
        void settle() throws UncountableException;
    }

    static QuotaChange none() {
        return NONE;
    }

    void settle() throws UncountableException {
        settlement.settle();
    }
}

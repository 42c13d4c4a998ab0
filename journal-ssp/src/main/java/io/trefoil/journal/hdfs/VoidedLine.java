/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.pool.Journal;
import java.io.IOException;
import java.util.Optional;

/**
 * The line of transactions that a restore made void, as the log still has it: so a restore takes nothing from the log that could not
 * be brought back. Immutable.
 */
@AutoValue
abstract class VoidedLine {

    /** In which entries it is. */
    abstract long firstSn();

    abstract long lastSn();

    /** Its last transaction. */
    abstract long lastTxId();

    /**
     * @param firstSn at or before the first entry behind the barrier
     * @param txId of the barrier
     * @param epoch of the restore; a try before it that came to no end is part of it
     * @throws IOException if it is not there, or something else than edits was written in it, which cannot be done again
     */
    static VoidedLine find(Journal journal, long firstSn, long lastSn, long txId, long epoch) throws IOException {
        Search search = new Search(txId, epoch);
        for (long next = firstSn; next <= lastSn; ) {
            for (Entry entry : VoidLines.entries(journal, next)) {
                search.see(entry);
                next++;
            }
        }
        return search.found.orElseThrow(() -> new IOException("The journal has no transactions behind " + txId
                + " that were taken back in epoch " + epoch + ", nor in one before"));
    }

    private static final class Search {
        private final long txId;
        private final long epoch;
        private Optional<VoidedLine> found = Optional.empty();
        private long firstSn;
        private long lastTxId;
        private int segments;
        private int batches;
        private boolean other;

        Search(long txId, long epoch) {
            this.txId = txId;
            this.epoch = epoch;
            begin();
        }

        private void begin() {
            firstSn = 0;
            lastTxId = txId;
            segments = 0;
            batches = 0;
            other = false;
        }

        void see(Entry entry) throws IOException {
            switch (entry.kind()) {
                case SEGMENT_START:
                    if (entry.txIds().first() > txId) {
                        firstSn = segments == 0 ? entry.sn() : firstSn;
                        segments++;
                    }
                    break;
                case EDITS:
                    if (entry.txIds().last() > txId) {
                        lastTxId = entry.txIds().last();
                        batches++;
                    }
                    break;
                case STORAGE:
                    other = segments > 0;
                    break;
                case DISCARD:
                    discard(entry);
                    break;
                default:
                    break;
            }
        }

        private void discard(Entry entry) throws IOException {
            if (entry.txIds().first() != txId + 1) {
                other = true;
                return;
            }
            // With one batch it is what a try of a restore begins with.
            if (batches > 1 && entry.epoch().number() <= epoch) {
                if (other) {
                    throw new IOException("Behind transaction " + txId
                            + " there was an upgrade or a rollback: that cannot be" + " done again");
                }
                found = Optional.of(new AutoValue_VoidedLine(firstSn, entry.sn() - 1, lastTxId));
            }
            begin();
        }
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.restore;

import com.google.auto.value.AutoValue;
import io.trefoil.foundation.Pause;
import io.trefoil.journal.hdfs.edits.EditFrames;
import io.trefoil.journal.hdfs.edits.NamespaceCounters;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.pool.Journal;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * Summary of all edits in a part of the log, valid or void, so that the findings of a restore do not depend on the
 * progress of an earlier one. Immutable.
 */
@AutoValue
abstract class VoidTimelines {

    private static final int FETCH_BYTES = 1 << 20;
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final long PAUSE_MILLIS = 20;

    /**
     * Reads entries of the log; waits up to 10 seconds for one that the nodes do not yet know to be committed.
     *
     * @param knownCounters the counters before these entries
     * @throws IOException if one cannot be read
     */
    static VoidTimelines read(Journal journal, long firstSn, long lastSn, NamespaceCounters knownCounters)
            throws IOException {
        NamespaceCounters counters = knownCounters;
        long lastTxId = 0;
        long next = firstSn;
        while (next <= lastSn) {
            for (Entry entry : entries(journal, next)) {
                if (entry.kind() == EntryKind.EDITS) {
                    counters = EditFrames.countersAfter(entry.payload(), counters);
                    lastTxId = Math.max(lastTxId, entry.txIds().last());
                }
                next++;
            }
        }
        return new AutoValue_VoidTimelines(counters, lastTxId);
    }

    /** Reads at least one entry from {@code firstSn} on; waits up to 10 seconds for the first. */
    static List<Entry> entries(Journal journal, long firstSn) throws IOException {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (true) {
            List<Entry> entries = journal.read(firstSn, FETCH_BYTES);
            if (!entries.isEmpty() && entries.get(0).sn() == firstSn) {
                return entries;
            }
            if (System.nanoTime() > deadline) {
                throw new IOException("Journal " + journal.id() + " cannot be read to its end: asked for entry "
                        + firstSn + ", got " + entries);
            }
            pause();
        }
    }

    private static void pause() throws IOException {
        Pause.sleepMillis(PAUSE_MILLIS, "Interrupted while reading a journal to its end");
    }

    /** The highest counters of all timelines. */
    abstract NamespaceCounters counters();

    /** The highest transaction of all timelines; 0 if there is none. */
    abstract long lastTxId();
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.restore;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.hdfs.edits.NamespaceCounters;

/** The history of transactions that begins where a journal was restored. Immutable. */
@AutoValue
public abstract class Timeline {

    static Timeline of(long epoch, long forkTxId, long lastTxId, NamespaceCounters counters) {
        return new AutoValue_Timeline(epoch, forkTxId, lastTxId, counters);
    }

    /** The epoch in which the journal was restored. */
    public abstract long epoch();

    /** The last transaction before the new timeline: the barrier's, or after an undo the last one that was repeated. */
    public abstract long forkTxId();

    /** The last of its first transactions, which only advance counters. */
    public abstract long lastTxId();

    /** The counters after these: above all numbers that any earlier timeline assigned. */
    public abstract NamespaceCounters counters();
}

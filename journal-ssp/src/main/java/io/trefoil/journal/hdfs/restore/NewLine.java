/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.restore;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.hdfs.edits.NamespaceCounters;

/** The line of transactions that begins where a journal was restored. Immutable. */
@AutoValue
public abstract class NewLine {

    static NewLine of(long epoch, long forkTxId, long lastTxId, NamespaceCounters counters) {
        return new AutoValue_NewLine(epoch, forkTxId, lastTxId, counters);
    }

    /** In which it was restored. */
    public abstract long epoch();

    /** The last transaction of the line that it goes on from: the barrier's, or, of one that was brought back, its last one. */
    public abstract long forkTxId();

    /** The last of the transactions that it begins with, which do nothing but count. */
    public abstract long lastTxId();

    /** What these have counted to: above all that any line before gave out. */
    public abstract NamespaceCounters counters();
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.archive;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.StorageRecord;
import java.util.Optional;

/** An entry behind which the transactions from one on are void, up to this entry: of a restore or a rollback. Immutable. */
@AutoValue
public abstract class VoidPoint {

    public static VoidPoint of(long sn, long fromTxId) {
        return new AutoValue_VoidPoint(sn, fromTxId);
    }

    /** Returns the point from which an entry makes transactions void; empty for most entries. */
    static Optional<VoidPoint> of(Entry entry) {
        if (entry.kind() == EntryKind.DISCARD) {
            return Optional.of(of(entry.sn(), entry.txIds().first()));
        }
        if (entry.kind() == EntryKind.STORAGE) {
            StorageRecord record = StorageRecord.fromPayload(entry.payload());
            if (record.event() == StorageRecord.Event.ROLLBACK) {
                return record.rollbackPoint().map(point -> of(entry.sn(), point.lastTxId() + 1));
            }
        }
        return Optional.empty();
    }

    public abstract long sn();

    public abstract long fromTxId();

    /** Whether it makes a transaction void that was written by one entry, as seen at another. */
    final boolean isVoid(long writtenSn, long txId, long seenSn) {
        return sn() > writtenSn && sn() <= seenSn && fromTxId() <= txId;
    }

    @Override
    public final String toString() {
        return sn() + " " + fromTxId();
    }

    /**
     * Parses the result of {@link #toString}.
     *
     * @throws IllegalArgumentException if it is something else
     */
    public static VoidPoint parse(String text) {
        long[] numbers = NumberList.parse(text, 2);
        return of(numbers[0], numbers[1]);
    }
}

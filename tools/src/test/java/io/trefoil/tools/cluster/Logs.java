/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.cluster;

import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.TxRange;
import java.util.ArrayList;
import java.util.List;

/** Logs to check, written one entry after the other. */
public final class Logs {
    private final List<Entry> entries = new ArrayList<>();
    private long txId = 1;

    /** A segment with the given number of batches, each of two transactions. */
    public static List<Entry> withBatches(int count) {
        Logs logs = new Logs().add(EntryKind.EPOCH_START, TxRange.NONE).startSegment();
        for (int i = 0; i < count; i++) {
            logs.addBatch();
        }
        return logs.entries;
    }

    public Logs startSegment() {
        return add(EntryKind.SEGMENT_START, TxRange.emptyRangeAt(txId));
    }

    public Logs addBatch() {
        add(EntryKind.EDITS, TxRange.of(txId, txId + 1));
        txId += 2;
        return this;
    }

    /** Leaves transactions out. */
    public Logs skipTransactions(int count) {
        txId += count;
        return this;
    }

    public Logs add(EntryKind kind, TxRange txIds) {
        LogPosition position = LogPosition.of(FakePool.EPOCH, entries.size() + 1);
        entries.add(Entry.of(position, kind, txIds, Bytes.ofUtf8("payload " + position)));
        return this;
    }

    public List<Entry> entries() {
        return entries;
    }

    /** The same entry with other bytes inside. */
    public static Entry withChangedBytes(Entry entry) {
        return Entry.of(entry.position(), entry.kind(), entry.txIds(), Bytes.ofUtf8("something else"));
    }

    /** The same entry by another writer. */
    public static Entry withEpoch(Epoch epoch, Entry entry) {
        return Entry.of(LogPosition.of(epoch, entry.sn()), entry.kind(), entry.txIds(), entry.payload());
    }
}

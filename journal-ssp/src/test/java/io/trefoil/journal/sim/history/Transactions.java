/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.history;

import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.StorageRecord;
import io.trefoil.journal.model.TxRange;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * What a log says about transactions up to an entry: counted from the log's first entry, in the plainest way, as a
 * reference for the machines, which count incrementally.
 */
public final class Transactions {

    private final List<TxRange> segments = new ArrayList<>();
    private long lastTxId;

    private Transactions() {}

    /** Counts up to an entry. */
    public static Transactions upTo(Optional<LogTree.Branch> end) {
        Deque<Entry> log = new ArrayDeque<>();
        for (Optional<LogTree.Branch> branch = end;
                branch.isPresent();
                branch = branch.get().predecessor()) {
            log.push(branch.get().entry());
        }
        Transactions transactions = new Transactions();
        log.forEach(transactions::add);
        return transactions;
    }

    /** The last transaction that an entry lets stand; empty if it takes none back. */
    public static Optional<Long> discardBoundary(Entry entry) {
        if (entry.kind() == EntryKind.DISCARD) {
            return Optional.of(entry.txIds().first() - 1);
        }
        if (entry.kind() == EntryKind.STORAGE) {
            StorageRecord record = StorageRecord.fromPayload(entry.payload());
            return record.event() == StorageRecord.Event.ROLLBACK
                    ? record.rollbackPoint().map(StorageRecord.RollbackPoint::lastTxId)
                    : Optional.empty();
        }
        return Optional.empty();
    }

    private void add(Entry entry) {
        discardBoundary(entry).ifPresent(txId -> {
            segments.removeIf(segment -> segment.first() > txId);
            lastTxId = Math.min(lastTxId, txId);
        });
        if (entry.kind() == EntryKind.SEGMENT_START) {
            segments.removeIf(TxRange::isEmpty);
            segments.add(entry.txIds());
        }
        if (entry.kind() == EntryKind.EDITS) {
            TxRange open = segments.remove(segments.size() - 1);
            lastTxId = entry.txIds().last();
            segments.add(TxRange.of(open.first(), lastTxId));
        }
    }

    /** The last transaction that stands; 0 if there is none. */
    public long lastTxId() {
        return lastTxId;
    }

    /** The segments, in order, with those of their transactions that stand; the last segment may be empty. */
    public List<TxRange> segments() {
        return Collections.unmodifiableList(segments);
    }
}

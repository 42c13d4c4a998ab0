/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.archive.store;

import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.storage.PurgedException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A journal whose committed entries a test adds, purges, and begins anew. */
final class GrowingLog implements CommittedLog {

    final List<Entry> entries = new ArrayList<>();
    Incarnation incarnation = Incarnation.of(1, 0xabc);

    /** The transactions that are in force at the end. */
    final List<Long> live = new ArrayList<>();

    private final List<Long> segments = new ArrayList<>();
    private LogSummary purged = LogSummary.ORIGIN;
    private boolean open;
    private long nextTxId = 1;

    @Override
    public Incarnation incarnation() {
        return incarnation;
    }

    @Override
    public List<Entry> read(long firstSn, int maxBytes) throws IOException {
        if (firstSn <= purged.position().sn()) {
            throw new PurgedException(firstSn, purged);
        }
        int from = (int) Math.min(firstSn - 1, entries.size());
        return List.copyOf(entries.subList(from, Math.min(entries.size(), from + 3)));
    }

    /** Commits something. */
    void grow(Random random) {
        if (!open) {
            segments.add(nextTxId);
            add(EntryKind.SEGMENT_START, TxRange.emptyAt(nextTxId), "-66");
            open = true;
        }
        int count = 1 + random.nextInt(4);
        TxRange txIds = TxRange.of(nextTxId, nextTxId + count - 1);
        for (long txId = txIds.first(); txId <= txIds.last(); txId++) {
            live.add(txId);
        }
        nextTxId += count;
        add(EntryKind.EDITS, txIds, "edits " + txIds + " " + random.nextInt());
        if (random.nextInt(4) == 0) {
            end();
        }
    }

    private void end() {
        long first = segments.get(segments.size() - 1);
        add(EntryKind.SEGMENT_END, TxRange.of(first, nextTxId - 1), "");
        open = false;
    }

    /** Makes the newest segments void, as a restore does. */
    void restore(Random random) {
        if (open) {
            end();
        }
        if (segments.isEmpty()) {
            return;
        }
        int at = random.nextInt(segments.size());
        nextTxId = segments.get(at);
        segments.subList(at, segments.size()).clear();
        live.removeIf(txId -> txId >= nextTxId);
        add(EntryKind.DISCARD, TxRange.emptyAt(nextTxId), "");
    }

    void purgeAll() {
        LogSummary summary = LogSummary.ORIGIN;
        for (Entry entry : entries) {
            summary = summary.plus(entry);
        }
        purged = summary;
    }

    private void add(EntryKind kind, TxRange txIds, String payload) {
        entries.add(Entry.of(LogPosition.of(Epoch.of(1), entries.size() + 1L), kind, txIds, Bytes.ofUtf8(payload)));
    }
}

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
import java.util.SortedMap;
import java.util.TreeMap;

/** A journal whose committed entries a test adds, purges, and begins anew. */
final class GrowingLog implements CommittedLog {

    final List<Entry> entries = new ArrayList<>();
    Incarnation incarnation = Incarnation.of(1, 0xabc);

    /** The transactions that are in force at the end, and the entry of each: a number may be of one line or another. */
    final SortedMap<Long, Long> live = new TreeMap<>();

    private final List<Long> segments = new ArrayList<>();
    private LogSummary purged = LogSummary.ORIGIN;
    private boolean open;
    long epoch = 1;
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
            add(EntryKind.SEGMENT_START, TxRange.emptyRangeAt(nextTxId), "-66");
            open = true;
        }
        int count = 1 + random.nextInt(4);
        TxRange txIds = TxRange.of(nextTxId, nextTxId + count - 1);
        for (long txId = txIds.first(); txId <= txIds.last(); txId++) {
            live.put(txId, entries.size() + 1L);
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
        if (!segments.isEmpty()) {
            restoreTo(segments.get(random.nextInt(segments.size())));
        }
    }

    /** Makes the segment that begins with a transaction void, and those after it. */
    void restoreTo(long firstTxId) {
        if (open) {
            end();
        }
        int at = segments.indexOf(firstTxId);
        nextTxId = segments.get(at);
        segments.subList(at, segments.size()).clear();
        live.tailMap(nextTxId).clear();
        add(EntryKind.DISCARD, TxRange.emptyRangeAt(nextTxId), "");
    }

    void purgeAll() {
        purge(entries.size());
    }

    /** Keeps only the entries behind some number of them. */
    void purge(int count) {
        LogSummary summary = LogSummary.ORIGIN;
        for (Entry entry : entries.subList(0, count)) {
            summary = summary.plus(entry);
        }
        if (count > purged.position().sn()) {
            purged = summary;
        }
    }

    private void add(EntryKind kind, TxRange txIds, String payload) {
        entries.add(Entry.of(LogPosition.of(Epoch.of(epoch), entries.size() + 1L), kind, txIds, Bytes.ofUtf8(payload)));
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.replica.storage;

import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.SegmentInfo;
import io.trefoil.journal.model.StorageRecord;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.storage.JournalStorage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * An index of HDFS's segments in the committed part of a log. Built from the entries in order; not thread-safe.
 *
 * <p>Empty segments are not listed: HDFS starts a segment with the same txid again.
 */
public final class SegmentIndex {

    /** The number of entries per remembered place; a reader skips those in between. */
    private static final int ENTRIES_PER_MARK = 16;

    private static final int CHUNK_BYTES = 4 << 20;

    private final List<Segment> segments = new ArrayList<>();
    private long lastSn;
    private long lastTxId;

    /** The index of a log that begins after {@code base}. */
    public SegmentIndex(LogSummary base) {
        lastSn = base.position().sn();
        lastTxId = base.lastTxId();
        if (base.openSegment().isPresent()) {
            // The front of this segment is no longer kept; to readers, the rest is a segment of its own.
            int layoutVersion = base.storage()
                    .map(StorageRecord::version)
                    .map(StorageRecord.Version::layoutVersion)
                    .orElse(0);
            segments.add(new Segment(base.lastTxId() + 1, base.position().sn() + 1, layoutVersion));
        }
    }

    /** The highest committed transaction. */
    long lastTxId() {
        return lastTxId;
    }

    /** The serial number of the last indexed entry. */
    long lastSn() {
        return lastSn;
    }

    /** Adds the missing entries up to {@code sn}, which are committed, from {@code storage}. */
    void readUpTo(long sn, JournalStorage storage) throws IOException {
        while (lastSn < sn) {
            readNextMissing(sn, storage).forEach(this::add);
        }
    }

    /** The next missing entries up to {@code sn}, at least one, for {@link #add}. */
    List<Entry> readNextMissing(long sn, JournalStorage storage) throws IOException {
        List<Entry> entries = storage.read(lastSn + 1, CHUNK_BYTES);
        if (entries.isEmpty()) {
            throw new IOException("Entry " + (lastSn + 1) + " is committed but not in the log");
        }
        long more = sn - lastSn;
        return entries.size() <= more ? entries : entries.subList(0, (int) more);
    }

    /** Adds the next committed entry. */
    public void add(Entry entry) {
        lastSn = entry.sn();
        switch (entry.kind()) {
            case SEGMENT_START:
                segments.add(new Segment(
                        entry.txIds().first(),
                        entry.sn(),
                        Integer.parseInt(entry.payload().utf8().trim())));
                break;
            case EDITS:
                if (segments.isEmpty() || newest().finalized) {
                    throw new IllegalStateException(entry + " is in no segment");
                }
                newest().extend(entry);
                lastTxId = entry.txIds().last();
                break;
            case SEGMENT_END:
                if (!segments.isEmpty()) {
                    endNewest();
                }
                break;
            case DISCARD:
                truncateAfter(entry.txIds().first() - 1);
                break;
            case STORAGE:
                StorageRecord record = StorageRecord.fromPayload(entry.payload());
                if (record.event() == StorageRecord.Event.ROLLBACK) {
                    truncateAfter(record.rollbackPoint().get().lastTxId());
                }
                break;
            case EPOCH_START:
            case MEMBERS:
            case BARRIER:
            case BARRIER_RELEASE:
                break;
        }
    }

    /** Returns how many segments there are with transactions at or above {@code fromTxId}, empty ones included. */
    int countFrom(long fromTxId) {
        return segments.size() - indexOfFirstWith(fromTxId);
    }

    /** Segments with transactions at or above {@code fromTxId}, in order. */
    public List<SegmentInfo> segmentsFrom(long fromTxId) {
        List<SegmentInfo> found = new ArrayList<>();
        for (int i = indexOfFirstWith(fromTxId); i < segments.size(); i++) {
            if (!segments.get(i).txIds().isEmpty()) {
                found.add(segments.get(i).toSegmentInfo(fromTxId));
            }
        }
        return found;
    }

    /** The lowest serial number to keep so that {@code minTxId} and everything above stay readable. */
    public long firstSnFor(long minTxId) {
        int index = indexOfFirstWith(minTxId);
        if (index == segments.size() && index > 0 && !newest().finalized) {
            // It will get more transactions, which may be above.
            index--;
        }
        return index < segments.size() ? segments.get(index).startSn : Long.MAX_VALUE;
    }

    /** Forgets segments that begin below the oldest entry kept. */
    public void purge(long firstSn) {
        segments.removeIf(segment -> segment.startSn < firstSn);
    }

    /** Position of the first segment that ends at or above a transaction. */
    private int indexOfFirstWith(long txId) {
        int low = 0;
        int high = segments.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (segments.get(middle).lastTxId < txId) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private Segment newest() {
        return segments.get(segments.size() - 1);
    }

    private void endNewest() {
        if (newest().txIds().isEmpty()) {
            segments.remove(segments.size() - 1);
        } else {
            newest().finalized = true;
        }
    }

    private void truncateAfter(long txId) {
        segments.removeIf(segment -> segment.firstTxId > txId);
        if (!segments.isEmpty() && newest().lastTxId > txId) {
            throw new IllegalStateException("Segment " + newest().txIds() + " would be cut in the middle, after " + txId
                    + ": HDFS discards whole segments only");
        }
        lastTxId = Math.min(lastTxId, txId);
    }

    /** A segment, and places inside it. */
    private static final class Segment {
        private final long firstTxId;
        private final long startSn;
        private final int layoutVersion;
        private final List<Mark> marks = new ArrayList<>();
        private long lastTxId;
        private int entryCount;
        private boolean finalized;

        Segment(long firstTxId, long startSn, int layoutVersion) {
            this.firstTxId = firstTxId;
            this.startSn = startSn;
            this.layoutVersion = layoutVersion;
            this.lastTxId = firstTxId - 1;
        }

        TxRange txIds() {
            return TxRange.of(firstTxId, lastTxId);
        }

        void extend(Entry entry) {
            if (entry.txIds().first() != lastTxId + 1) {
                throw new IllegalStateException(entry + " does not follow transaction " + lastTxId);
            }
            if (entryCount++ % ENTRIES_PER_MARK == 0) {
                marks.add(new Mark(entry.txIds().first(), entry.sn()));
            }
            lastTxId = entry.txIds().last();
        }

        SegmentInfo toSegmentInfo(long fromTxId) {
            int index = Collections.binarySearch(
                    marks, new Mark(Math.max(fromTxId, firstTxId), 0), (a, b) -> Long.compare(a.txId, b.txId));
            Mark mark = marks.get(index >= 0 ? index : Math.max(0, -index - 2));
            return SegmentInfo.of(txIds(), finalized, layoutVersion, TxRange.of(mark.txId, lastTxId), mark.sn);
        }
    }

    /** The position of an entry, by its first transaction. */
    private static final class Mark {
        private final long txId;
        private final long sn;

        Mark(long txId, long sn) {
            this.txId = txId;
            this.sn = sn;
        }
    }
}

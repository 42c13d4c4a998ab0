/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.edits;

import io.trefoil.journal.codec.PayloadAllocator;
import io.trefoil.journal.model.Barrier;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.SegmentInfo;
import io.trefoil.journal.model.StorageRecord;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.pool.writer.JournalWriter;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The time in which one {@code JournalManager} writes: from acquiring its epoch until it is closed.
 *
 * <p>Checks HDFS's requests against the log before writing, because an entry that does not fit would stay in every
 * replica for ever. Thread-safe: HDFS flushes outside of the monitor under which it rolls the log and finalizes an
 * upgrade, and a {@link JournalWriter} takes one entry at a time.
 */
public final class Term {
    /** The time given to a majority that is reachable, but slow. */
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final JournalWriter writer;
    private final CommitWatch commits;
    private volatile long acknowledgedTxId;
    private final PayloadAllocator room = new PayloadAllocator();

    /** @param watcher runs when there may be progress; see {@link CommitWatch} */
    public Term(JournalWriter writer, Runnable watcher) {
        this.writer = writer;
        this.acknowledgedTxId = writer.end().lastTxId();
        this.commits = new CommitWatch(writer, watcher);
    }

    /** Summary of the log up to its last entry. */
    public LogSummary end() {
        return writer.end();
    }

    /** The highest transaction that this NameNode may assume to be in the journal. */
    public long acknowledgedTxId() {
        return acknowledgedTxId;
    }

    /**
     * The memory in which all segments of the term keep their payloads. If each segment had its own, a few remembered
     * edits would keep a whole array alive, and a NameNode with few edits and many rolls would fill its heap.
     */
    PayloadAllocator payloadAllocator() {
        return room;
    }

    public CommitWatch commitWatch() {
        return commits;
    }

    boolean isFenced() {
        return writer.isFenced();
    }

    public synchronized void startSegment(long firstTxId, int layoutVersion) throws IOException {
        LogSummary end = writer.end();
        if (end.openSegment().isPresent()) {
            throw new IOException("Cannot start segment " + firstTxId + ": segment "
                    + end.openSegment().get() + " was not ended, its last transaction is " + end.lastTxId());
        }
        // A journal that never held a transaction was made for a namespace that may already have had many.
        boolean follows = firstTxId == end.lastTxId() + 1 || end.lastTxId() == 0;
        if (firstTxId < 1 || !follows) {
            throw new IOException("Cannot start segment " + firstTxId + ": the last transaction in the journal is "
                    + end.lastTxId() + ", so the next segment starts with " + (end.lastTxId() + 1)
                    + "; this NameNode has not read the whole journal");
        }
        // HDFS writes and flushes a transaction right afterwards: wait only once, for both.
        writer.appendAhead(
                EntryKind.SEGMENT_START,
                TxRange.emptyRangeAt(firstTxId),
                Bytes.ofUtf8(Integer.toString(layoutVersion)));
    }

    public synchronized void appendEdits(TxRange txIds, Bytes edits) throws IOException {
        long sn = writer.append(EntryKind.EDITS, txIds, edits);
        acknowledgedTxId = txIds.last();
        commits.recordAppended(sn, txIds.last());
    }

    public synchronized void endSegment(TxRange txIds) throws IOException {
        LogSummary end = writer.end();
        Optional<Long> open = end.openSegment();
        if (!open.isPresent() || open.get() != txIds.first()) {
            throw new IOException("Cannot end segment " + txIds + ": "
                    + (open.isPresent()
                            ? "the segment being written is " + open.get()
                            : "no segment is being written"));
        }
        boolean complete = txIds.isEmpty() ? end.lastTxId() < txIds.first() : end.lastTxId() == txIds.last();
        if (!complete) {
            throw new IOException(
                    "Cannot end segment " + txIds + ": the last transaction written to it is " + end.lastTxId());
        }
        // The next segment, or the end of the term, follows at once: wait only once, for both.
        writer.appendAhead(EntryKind.SEGMENT_END, txIds, Bytes.wrap(new byte[0]));
    }

    /**
     * Makes every segment from {@code firstTxId} on void.
     *
     * @return whether there was one
     * @throws IOException if a segment begins before {@code firstTxId} and does not end before it; nothing was written
     */
    public synchronized boolean discardSegments(CommittedSegments committed, long firstTxId) throws IOException {
        List<SegmentInfo> segments = committed.segmentsFrom(firstTxId, Optional.of(this));
        if (segments.isEmpty()) {
            return false;
        }
        TxRange first = segments.get(0).txIds();
        if (first.first() < firstTxId) {
            throw new IOException("Cannot discard transactions from " + firstTxId + " on: segment " + first
                    + " begins before, and only whole segments can be discarded");
        }
        refuseOpenSegment("discard transactions from " + firstTxId);
        appendAndConfirmCommit(EntryKind.DISCARD, TxRange.emptyRangeAt(firstTxId), Bytes.wrap(new byte[0]));
        setCommitted();
        return true;
    }

    public void requireBarrier(String name) throws IOException {
        if (!writer.end().barriers().find(name).isPresent()) {
            throw new IOException("There is no barrier " + name + " in the journal");
        }
    }

    /** Replaces the barrier of the same name. */
    public synchronized void replaceBarrier(Barrier barrier) throws IOException {
        requireBarrier(barrier.name());
        appendAndConfirmCommit(EntryKind.BARRIER, TxRange.NONE, barrier.toPayload());
    }

    /** Appends again an entry that the log had before it was restored. */
    public synchronized void appendAgain(Entry entry) throws IOException {
        if (entry.kind() == EntryKind.SEGMENT_START || entry.kind() == EntryKind.SEGMENT_END) {
            writer.appendAhead(entry.kind(), entry.txIds(), entry.payload());
            return;
        }
        long sn = writer.append(entry.kind(), entry.txIds(), entry.payload());
        if (entry.kind() == EntryKind.EDITS) {
            commits.recordAppended(sn, entry.txIds().last());
        }
    }

    public long epoch() {
        return writer.epoch().number();
    }

    /** Appends a change of the storage's version. */
    synchronized void append(StorageRecord record) throws IOException {
        appendAndConfirmCommit(EntryKind.STORAGE, TxRange.NONE, record.toPayload());
        setCommitted();
    }

    private void setCommitted() {
        acknowledgedTxId = writer.end().lastTxId();
        commits.setCommitted(acknowledgedTxId);
    }

    /**
     * Appends an entry after which committed transactions may be void; a majority must not only store it, but learn of its commit: commands
     * exit right afterwards, and a NameNode that starts then must not read void transactions. A node learns of a commit from the entry that
     * follows, so the entry is written twice; the second one changes nothing.
     */
    private void appendAndConfirmCommit(EntryKind kind, TxRange txIds, Bytes payload) throws IOException {
        writer.append(kind, txIds, payload);
        writer.append(kind, txIds, payload);
    }

    /** @param operation completes "Cannot" in the text */
    void refuseOpenSegment(String operation) throws IOException {
        Optional<Long> open = writer.end().openSegment();
        if (open.isPresent()) {
            throw new IOException("Cannot " + operation + ": segment " + open.get() + " is being written");
        }
    }

    /**
     * Ends the term; never fails. If no majority answers, a segment's end that was not yet committed may be lost; the
     * next writer then ends the segment that it finds.
     */
    public void close() {
        writer.awaitAllCommitted(TIMEOUT);
        writer.close();
        commits.end();
    }

    @Override
    public String toString() {
        return "epoch " + writer.epoch();
    }
}

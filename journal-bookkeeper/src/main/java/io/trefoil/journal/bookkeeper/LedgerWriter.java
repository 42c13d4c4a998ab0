/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.bookkeeper;

import io.trefoil.journal.bookkeeper.ledger.LedgerEntry;
import io.trefoil.journal.bookkeeper.ledger.LedgerStore;
import io.trefoil.journal.bookkeeper.ledger.WritableLedger;
import io.trefoil.journal.bookkeeper.record.LedgerLog;
import io.trefoil.journal.bookkeeper.record.LedgerSpan;
import io.trefoil.journal.bookkeeper.record.RecordStore;
import io.trefoil.journal.codec.EntryCodec;
import io.trefoil.journal.model.Barrier;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.pool.writer.BarrierRefusedException;
import io.trefoil.journal.pool.writer.EntryTooLargeException;
import io.trefoil.journal.pool.writer.FencedException;
import io.trefoil.journal.pool.writer.JournalWriter;
import io.trefoil.journal.pool.writer.LocalTerm;
import io.trefoil.journal.pool.writer.term.SuspendDetector;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A single term of a journal in ledgers. Entries are added to the ledger that is open, under the lock of this object, and are
 * confirmed on BookKeeper's threads; {@link LedgerChanges} changes the ledger. Thread-safe.
 */
final class LedgerWriter implements JournalWriter, LedgerChanges.Term {
    private static final Logger LOG = LoggerFactory.getLogger(LedgerWriter.class);

    private final LedgerLog claimed;
    private final LedgerLimits limits;
    private final AnswerLease lease;
    private final LedgerChanges changes;
    private final SuspendDetector clocks = new SuspendDetector(System::nanoTime, System::currentTimeMillis);

    private LogSummary end;
    /** The summary of everything known to be committed. */
    private LogSummary committed;

    private WritableLedger current;
    private Optional<WritableLedger> next = Optional.empty();
    private long currentBytes;

    /** Whether the current ledger accepts no more entries, until there is another one. */
    private boolean isBroken;

    private final Deque<Entry> unconfirmed = new ArrayDeque<>();
    /** The record of the process that took over. */
    private Optional<LedgerLog> fencedBy = Optional.empty();

    private boolean closed;
    /** The transaction id below which transactions may be purged. */
    private long keptFromTxId;

    private long sentNanos = System.nanoTime();
    private volatile long committedSn;
    /** The time at which the newest confirmed add was sent; before the first one, a time one lease in the past. */
    private volatile long confirmedSentNanos;

    private volatile boolean over;
    private volatile Runnable watcher = () -> {};

    /**
     * @param claimed the record in which this writer has its epoch, and {@code first} is the newest ledger
     * @param end of the log before that ledger
     */
    LedgerWriter(
            LedgerStore ledgers,
            RecordStore records,
            LedgerLog claimed,
            LedgerLimits limits,
            WritableLedger first,
            LogSummary end) {
        this.claimed = claimed;
        this.limits = limits;
        this.lease = AnswerLease.ofMillis(limits.leaseMillis());
        this.current = first;
        this.end = end;
        this.committed = end;
        this.committedSn = end.position().sn();
        this.confirmedSentNanos = System.nanoTime() - 2 * lease.aloneNanos();
        this.changes = new LedgerChanges(ledgers, records, claimed, this);
    }

    /** Begins the term: its first entries are committed when this returns. */
    void begin() throws IOException {
        synchronized (this) {
            send(LedgerEntry.encode(end), end.position().sn());
        }
        // After the summary: a ledger that begins with a beat ends the log for its readers.
        changes.schedule(this::sendHeartbeatIfSilent, lease.beatNanos() / 4);
        changes.beginOpeningAhead();
        changes.beginSweep();
        long sn = enqueue(EntryKind.EPOCH_START, TxRange.NONE, Bytes.EMPTY, Optional.empty());
        Optional<Long> open = end().openSegment();
        if (open.isPresent()) {
            TxRange txIds = TxRange.of(open.get(), Math.max(open.get() - 1, end().lastTxId()));
            sn = enqueue(EntryKind.SEGMENT_END, txIds, Bytes.EMPTY, Optional.empty());
        }
        awaitCommitted(sn);
    }

    @Override
    public Epoch epoch() {
        return claimed.epoch();
    }

    /** Whether a record shows this term as the newest. */
    boolean isWriterOf(LedgerLog log) {
        return log.isWrittenBy(claimed.incarnation(), claimed.writer());
    }

    @Override
    public synchronized LogSummary end() {
        return end;
    }

    @Override
    public long append(EntryKind kind, TxRange txIds, Bytes payload) throws IOException {
        return awaitCommitted(enqueue(kind, txIds, payload, Optional.empty()));
    }

    @Override
    public long appendAhead(EntryKind kind, TxRange txIds, Bytes payload) throws IOException {
        return enqueue(kind, txIds, payload, Optional.empty());
    }

    /** @param beginTxId the lowest transaction that the journal still has */
    void addBarrier(Barrier barrier, long beginTxId) throws IOException {
        synchronized (this) {
            keptFromTxId = Math.max(keptFromTxId, beginTxId);
        }
        awaitCommitted(enqueue(EntryKind.BARRIER, TxRange.NONE, barrier.toPayload(), Optional.of(barrier)));
    }

    void releaseBarrier(String name) throws IOException {
        append(EntryKind.BARRIER_RELEASE, TxRange.NONE, Bytes.ofUtf8(Barrier.requireName(name)));
    }

    private synchronized long enqueue(EntryKind kind, TxRange txIds, Bytes payload, Optional<Barrier> barrier)
            throws IOException {
        requireWriting();
        if (payload.size() > EntryCodec.MAX_PAYLOAD_SIZE) {
            throw new EntryTooLargeException("BookKeeper", kind, txIds, payload.size());
        }
        if (barrier.isPresent()) {
            requireKept(barrier.get());
        }
        Entry entry = Entry.of(LogPosition.of(epoch(), end.position().sn() + 1), kind, txIds, payload);
        LogSummary before = end;
        end = before.plus(entry);
        if (unconfirmed.isEmpty() && !isBroken && currentBytes >= limits.ledgerBytes() && next.isPresent()) {
            changeLedger(before);
        }
        unconfirmed.add(entry);
        if (!isBroken) {
            send(entry);
        }
        return entry.sn();
    }

    private void requireKept(Barrier wanted) throws BarrierRefusedException {
        Optional<String> refusal = end.barriers().refusalReason(wanted);
        if (refusal.isPresent()) {
            throw new BarrierRefusedException(refusal.get());
        }
        if (wanted.keepFrom() < keptFromTxId) {
            throw new BarrierRefusedException("Barrier " + wanted.name() + " keeps transactions from "
                    + wanted.keepFrom() + " on, but those below " + keptFromTxId + " may be purged already");
        }
    }

    private void requireWriting() throws IOException {
        if (fencedBy.isPresent()) {
            throw reasonOf(fencedBy.get());
        }
        if (closed) {
            throw new IOException("The writer of epoch " + epoch() + " was closed");
        }
    }

    /** Sends an entry to the open ledger, in parts if it is too large for one message; called with the lock held. */
    private void send(Entry entry) {
        List<byte[]> parts = LedgerEntry.encode(entry, limits.addBytes());
        for (int i = 0; i < parts.size(); i++) {
            boolean isLast = i == parts.size() - 1;
            send(parts.get(i), isLast ? entry.sn() : entry.sn() - 1);
        }
    }

    /** Sends bytes that are confirmed when everything up to {@code sn} is; called with the lock held. */
    private void send(byte[] bytes, long sn) {
        WritableLedger ledger = current;
        long now = System.nanoTime();
        currentBytes += bytes.length;
        sentNanos = now;
        ledger.add(bytes).whenComplete((done, failure) -> {
            if (failure == null) {
                onConfirmed(sn, now);
            } else {
                onAddFailed(ledger, failure);
            }
        });
    }

    private void onConfirmed(long sn, long sentAtNanos) {
        synchronized (this) {
            settleUpTo(sn);
            if (sentAtNanos - confirmedSentNanos > 0) {
                confirmedSentNanos = sentAtNanos;
            }
            notifyAll();
        }
        watcher.run();
    }

    private void settleUpTo(long sn) {
        while (!unconfirmed.isEmpty() && unconfirmed.peek().sn() <= sn) {
            committed = committed.plus(unconfirmed.remove());
        }
        committedSn = Math.max(committedSn, sn);
    }

    private synchronized void onAddFailed(WritableLedger ledger, Throwable cause) {
        if (ledger != current || isBroken || over) {
            return;
        }
        isBroken = true;
        LOG.warn(
                "epoch={}: ledger={} accepts no more entries, continuing in another one; do: check the "
                        + "bookies if this recurs: {}",
                epoch(),
                ledger.id(),
                cause.toString());
        changes.beginReplacing(ledger);
    }

    /** Continues in the ledger that was opened ahead, when nothing is unanswered in the previous one. The lock is held. */
    private void changeLedger(LogSummary before) {
        WritableLedger full = current;
        current = next.get();
        next = Optional.empty();
        currentBytes = 0;
        LedgerSpan span = LedgerSpan.of(current.id(), epoch(), before.position().sn() + 1);
        // Before anything is sent: if that fails, the ledger is recorded before the one that replaces it.
        changes.beginChange(full, span);
        send(LedgerEntry.encode(before), before.position().sn());
    }

    @Override
    public synchronized void offerNext(WritableLedger ahead) {
        next = Optional.of(ahead);
    }

    /** Repeats in the new ledger the entries that the old one lacks. */
    @Override
    public Optional<WritableLedger> continueIn(WritableLedger fresh, long sn) {
        Optional<WritableLedger> unused;
        synchronized (this) {
            LogSummary before = summaryUpTo(sn);
            settleUpTo(sn);
            notifyAll();
            unused = next;
            current = fresh;
            next = Optional.empty();
            currentBytes = 0;
            isBroken = false;
            send(LedgerEntry.encode(before), sn);
            for (Entry entry : new ArrayDeque<>(unconfirmed)) {
                send(entry);
            }
        }
        watcher.run();
        return unused;
    }

    /** The summary of the log up to an entry: of entries that are committed, and of those known to be in the ledger. */
    private LogSummary summaryUpTo(long sn) {
        LogSummary before = committed;
        for (Entry entry : unconfirmed) {
            before = entry.sn() <= sn ? before.plus(entry) : before;
        }
        return before;
    }

    @Override
    public void fence(LedgerLog by) {
        synchronized (this) {
            if (closed || fencedBy.isPresent()) {
                return;
            }
            fencedBy = Optional.of(by);
            over = true;
            notifyAll();
        }
        LOG.warn(
                "epoch={} was fenced; no action needed: {}",
                epoch(),
                reasonOf(by).getMessage());
        watcher.run();
    }

    private FencedException reasonOf(LedgerLog by) {
        return by.incarnation().equals(claimed.incarnation())
                ? new FencedException(epoch(), by.epoch())
                : FencedException.ofReinitialized(epoch(), claimed.incarnation(), by.incarnation());
    }

    private void sendHeartbeatIfSilent() {
        clocks.trustedSinceNanos();
        synchronized (this) {
            if (!over && !isBroken && System.nanoTime() - sentNanos >= lease.beatNanos()) {
                send(LedgerEntry.beat(end.position().sn()), end.position().sn());
            }
        }
    }

    private synchronized long awaitCommitted(long sn) throws IOException {
        while (committedSn < sn) {
            requireWriting();
            try {
                wait();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException(
                        "Interrupted: it is unknown whether entry " + sn + " will be in the journal");
            }
        }
        return sn;
    }

    @Override
    public synchronized boolean awaitAllCommitted(Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (!over && committedSn < end.position().sn()) {
            long left = (deadline - System.nanoTime()) / 1_000_000L;
            if (left <= 0) {
                return false;
            }
            try {
                wait(left);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
        return committedSn >= end.position().sn();
    }

    @Override
    public long committedSn() {
        return committedSn;
    }

    @Override
    public boolean wasSoleWriterAt(long nanos) {
        return !over && lease.covers(nanos, confirmedSentNanos, clocks.trustedSinceNanos());
    }

    @Override
    public boolean hasMajorityAnsweredSince(long nanos) {
        return !over && confirmedSentNanos - nanos >= 0;
    }

    @Override
    public void trackExclusivity() {
        // Beats are sent whether readers are answered or not: they are few.
    }

    @Override
    public boolean grantReads(NodeId node) {
        return false;
    }

    @Override
    public void setAdvanceWatcher(Runnable newWatcher) {
        watcher = newWatcher;
    }

    @Override
    public boolean hasEnded() {
        return over;
    }

    @Override
    public synchronized boolean isFenced() {
        return fencedBy.isPresent();
    }

    synchronized boolean isClosed() {
        return closed;
    }

    LocalTerm term() {
        long left = confirmedSentNanos + lease.aloneNanos() - System.nanoTime();
        return isFenced() ? LocalTerm.fenced(epoch()) : LocalTerm.alone(epoch(), Duration.ofNanos(left));
    }

    /**
     * Deletes ledgers whose entries are no longer needed; returns at once.
     *
     * @param firstSn finds the lowest serial number to keep for a transaction
     */
    void purge(long minTxId, LedgerChanges.SnFinder firstSn) {
        long kept;
        synchronized (this) {
            // From now on no barrier can want what is purged.
            kept = Math.min(minTxId, end.barriers().keepFrom());
            keptFromTxId = Math.max(keptFromTxId, kept);
        }
        changes.beginPurge(kept, firstSn);
    }

    @Override
    public void close() {
        boolean wasFenced;
        synchronized (this) {
            if (closed) {
                return;
            }
            wasFenced = fencedBy.isPresent();
            closed = true;
            // From here on no caller is answered, so the next writer need not wait.
            over = true;
            notifyAll();
        }
        changes.close(() -> {
            if (!wasFenced) {
                endTerm();
            }
        });
        watcher.run();
    }

    private void endTerm() {
        WritableLedger last;
        Optional<WritableLedger> ahead;
        synchronized (this) {
            last = current;
            ahead = next;
        }
        changes.endTerm(last, ahead);
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.bookkeeper;

import io.trefoil.foundation.DaemonThreads;
import io.trefoil.foundation.Pause;
import io.trefoil.journal.bookkeeper.ledger.LedgerEntry;
import io.trefoil.journal.bookkeeper.ledger.LedgerStore;
import io.trefoil.journal.bookkeeper.ledger.ReadableLedger;
import io.trefoil.journal.bookkeeper.ledger.WritableLedger;
import io.trefoil.journal.bookkeeper.record.LedgerLog;
import io.trefoil.journal.bookkeeper.record.LedgerSpan;
import io.trefoil.journal.bookkeeper.record.RecordStore;
import io.trefoil.journal.bookkeeper.record.VersionedLog;
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
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A single term of a journal in ledgers. Entries are added to the ledger that is open, under the lock of this object, and are
 * confirmed on BookKeeper's threads. Whatever talks to metadata runs on one thread of its own, so no append waits for that
 * while the ledger takes entries. Thread-safe.
 */
final class LedgerWriter implements JournalWriter {
    private static final Logger LOG = LoggerFactory.getLogger(LedgerWriter.class);

    private static final long FIRST_PAUSE_MILLIS = 50;
    private static final long LONGEST_PAUSE_MILLIS = 2_000;
    private static final long END_MILLIS = 5_000;

    private final LedgerStore ledgers;
    private final RecordStore records;
    private final LedgerLog claimed;
    private final LedgerLimits limits;
    private final AnswerLease lease;
    private final ScheduledExecutorService worker;
    private final SuspendDetector clocks = new SuspendDetector(System::nanoTime, System::currentTimeMillis);

    private LogSummary end;
    /** The summary of everything known to be committed. */
    private LogSummary committed;

    private WritableLedger current;
    private Optional<WritableLedger> next = Optional.empty();
    private long currentBytes;
    /** A ledger that was created, but may or may not be in the record. On the worker. */
    private Optional<WritableLedger> unrecorded = Optional.empty();

    /** Whether the current ledger accepts no more entries, until the worker has another one. */
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
        this.ledgers = ledgers;
        this.records = records;
        this.claimed = claimed;
        this.limits = limits;
        this.lease = AnswerLease.ofMillis(limits.leaseMillis());
        this.current = first;
        this.end = end;
        this.committed = end;
        this.committedSn = end.position().sn();
        this.confirmedSentNanos = System.nanoTime() - 2 * lease.aloneNanos();
        this.worker =
                Executors.newSingleThreadScheduledExecutor(DaemonThreads.newFactory("bk-writer-" + claimed.writer()));
    }

    /** Begins the term: its first entries are committed when this returns. */
    void begin() throws IOException {
        synchronized (this) {
            send(LedgerEntry.encode(end), end.position().sn());
        }
        // After the summary: a ledger that begins with a beat ends the log for its readers.
        worker.scheduleWithFixedDelay(
                DaemonThreads.logFailures(this::beatIfSilent),
                lease.beatNanos() / 4,
                lease.beatNanos() / 4,
                TimeUnit.NANOSECONDS);
        worker.execute(this::openAhead);
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
        if (payload.size() > limits.entryBytes()) {
            throw new EntryTooLargeException("BookKeeper", kind, txIds, payload.size(), limits.entryBytes());
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
            send(LedgerEntry.encode(entry), entry.sn());
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

    /** Sends an entry to the open ledger; called with the lock held. */
    private void send(byte[] bytes, long sn) {
        WritableLedger ledger = current;
        long now = System.nanoTime();
        currentBytes += bytes.length;
        sentNanos = now;
        ledger.add(bytes).whenComplete((done, failure) -> {
            if (failure == null) {
                confirmed(sn, now);
            } else {
                failed(ledger, failure);
            }
        });
    }

    private void confirmed(long sn, long sentAtNanos) {
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

    private synchronized void failed(WritableLedger ledger, Throwable cause) {
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
        submit(this::goOnElsewhere);
    }

    private void submit(Runnable task) {
        try {
            worker.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.debug("The term of epoch={} has ended", epoch());
        }
    }

    /** Continues in the ledger that was opened ahead, when nothing is unanswered in the previous one. The lock is held. */
    private void changeLedger(LogSummary before) {
        WritableLedger full = current;
        current = next.get();
        next = Optional.empty();
        currentBytes = 0;
        LedgerSpan span = LedgerSpan.of(current.id(), epoch(), before.position().sn() + 1);
        // Before anything is sent: if that fails, the ledger is recorded before the one that replaces it.
        submit(() -> {
            untilDone("close ledger " + full.id(), () -> {
                closeFull(full);
                return true;
            });
            untilDone("record ledger " + span, () -> update(log -> log.continuedIn(span)));
            openAhead();
        });
        send(LedgerEntry.encode(before), before.position().sn());
    }

    private void closeFull(WritableLedger full) throws IOException {
        try {
            full.close();
        } catch (IOException e) {
            // BookKeeper refuses every time if a process that took over, or the bookies' replicator, closed it
            // elsewhere.
            LOG.debug("ledger={} cannot be closed by its writer", full.id(), e);
            ledgers.recover(full.id()).close();
        }
    }

    /** Opens the ledger in which this writer continues after the current one. On the worker. */
    private void openAhead() {
        untilDone("open a ledger ahead", () -> {
            WritableLedger made = create();
            if (!record(made, log -> log.withAhead(OptionalLong.of(made.id())))) {
                return false;
            }
            synchronized (this) {
                next = Optional.of(made);
            }
            return true;
        });
    }

    /** Creates a new ledger, or returns the one whose recording failed last time. On the worker. */
    private WritableLedger create() throws IOException {
        return unrecorded.isPresent() ? unrecorded.get() : ledgers.create();
    }

    /**
     * Changes the record so that it names a new ledger. The ledger is deleted if it is certain that no record names it.
     *
     * @return whether the record was changed
     */
    private boolean record(WritableLedger made, UnaryOperator<LedgerLog> change) throws IOException {
        boolean mayBeRecorded = unrecorded.isPresent();
        unrecorded = Optional.of(made);
        boolean isDone = update(change);
        unrecorded = Optional.empty();
        if (!isDone && !mayBeRecorded) {
            delete(made.id());
        }
        return isDone;
    }

    private void delete(long ledger) {
        try {
            ledgers.delete(ledger);
        } catch (IOException | RuntimeException e) {
            LOG.warn("epoch={}: cannot delete unused ledger={}; do: delete it by hand", epoch(), ledger, e);
        }
    }

    /** Replaces a ledger that accepts no more entries, and repeats in the new one the entries that it lacks. On the worker. */
    private void goOnElsewhere() {
        untilDone("replace a ledger", this::replaceLedger);
        if (!over) {
            openAhead();
        }
    }

    private synchronized WritableLedger current() {
        return current;
    }

    private synchronized Optional<WritableLedger> next() {
        return next;
    }

    private boolean replaceLedger() throws IOException {
        long sn;
        WritableLedger failed = current();
        synchronized (this) {
            sn = committedSn;
        }
        boolean isEmpty;
        try (ReadableLedger recovered = ledgers.recover(failed.id())) {
            long last = recovered.lastConfirmed();
            isEmpty = last < 0;
            if (!isEmpty) {
                sn = Math.max(
                        sn,
                        LedgerEntry.decode(recovered.read(last, last).get(0)).sn());
            }
        }
        WritableLedger fresh = create();
        LedgerSpan span = LedgerSpan.of(fresh.id(), epoch(), sn + 1);
        // A ledger without a summary would end the log for its readers.
        UnaryOperator<LedgerLog> dropEmpty =
                log -> isEmpty && log.newest().ledger() == failed.id() ? log.withoutNewest() : log;
        if (!record(fresh, log -> dropEmpty.apply(log).continuedIn(span).withAhead(OptionalLong.empty()))) {
            return false;
        }
        Optional<WritableLedger> unused = next();
        synchronized (this) {
            LogSummary before = beforeUnconfirmed(sn);
            settleUpTo(sn);
            notifyAll();
            current = fresh;
            next = Optional.empty();
            currentBytes = 0;
            isBroken = false;
            send(LedgerEntry.encode(before), sn);
            for (Entry entry : new ArrayDeque<>(unconfirmed)) {
                send(LedgerEntry.encode(entry), entry.sn());
            }
        }
        watcher.run();
        LOG.info("Continued in another ledger: ledger={} firstSn={}", fresh.id(), sn + 1);
        unused.ifPresent(ledger -> delete(ledger.id()));
        if (isEmpty) {
            delete(failed.id());
        }
        return true;
    }

    /** The summary of the log up to an entry: of entries that are committed, and of those known to be in the ledger. */
    private LogSummary beforeUnconfirmed(long sn) {
        LogSummary before = committed;
        for (Entry entry : unconfirmed) {
            before = entry.sn() <= sn ? before.plus(entry) : before;
        }
        return before;
    }

    /**
     * Changes the record, if it is still this writer's; if not, the writer is fenced.
     *
     * @param change may be applied to its own result
     * @return whether it was changed
     */
    private boolean update(UnaryOperator<LedgerLog> change) throws IOException {
        while (!over) {
            VersionedLog found = records.read().orElseThrow(() -> new IOException("The journal's record is gone"));
            if (!found.log().isWrittenBy(claimed.incarnation(), claimed.writer())) {
                fence(found.log());
                return false;
            }
            LedgerLog wanted = change.apply(found.log());
            if (wanted.equals(found.log()) || records.compareAndSet(Optional.of(found), wanted)) {
                return true;
            }
        }
        return false;
    }

    private void fence(LedgerLog by) {
        synchronized (this) {
            if (closed || fencedBy.isPresent()) {
                return;
            }
            fencedBy = Optional.of(by);
            over = true;
            notifyAll();
        }
        LOG.warn(
                "epoch={} is fenced; no action needed: {}",
                epoch(),
                reasonOf(by).getMessage());
        watcher.run();
    }

    private FencedException reasonOf(LedgerLog by) {
        return by.incarnation().equals(claimed.incarnation())
                ? new FencedException(epoch(), by.epoch())
                : FencedException.ofReinitialized(epoch(), claimed.incarnation(), by.incarnation());
    }

    /** Repeats a task until it is done or the term ends, however long bookies or ZooKeeper are down. On the worker. */
    private void untilDone(String what, MetadataTask task) {
        long pauseMillis = FIRST_PAUSE_MILLIS;
        while (!over) {
            try {
                task.tryOnce();
                return;
            } catch (IOException | RuntimeException e) {
                LOG.warn(
                        "epoch={} cannot {}, retrying; do: check that bookies and ZooKeeper are running: {}",
                        epoch(),
                        what,
                        e.toString());
            }
            // A task that can never succeed must not hide from this writer that it was fenced.
            fenceIfSuperseded();
            try {
                Pause.sleepMillis(pauseMillis, "The term of epoch " + epoch() + " is over");
            } catch (InterruptedIOException e) {
                return;
            }
            pauseMillis = Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS);
        }
    }

    private void fenceIfSuperseded() {
        try {
            update(log -> log);
        } catch (IOException | RuntimeException e) {
            LOG.debug("epoch={}: the record cannot be read", epoch(), e);
        }
    }

    /** A task that may fail temporarily. */
    private interface MetadataTask {
        /** @return false if it must not be done any longer */
        boolean tryOnce() throws IOException;
    }

    private void beatIfSilent() {
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
    void purge(long minTxId, SnFinder firstSn) {
        long kept;
        synchronized (this) {
            // From now on no barrier can want what is purged.
            kept = Math.min(minTxId, end.barriers().keepFrom());
            keptFromTxId = Math.max(keptFromTxId, kept);
        }
        submit(() -> {
            try {
                purgeOnce(kept, firstSn);
            } catch (IOException | RuntimeException e) {
                // Retried here, it would keep the worker from tasks that clients wait for.
                LOG.warn("epoch={} cannot purge ledgers; no action needed: the next purge includes them", epoch(), e);
            }
        });
    }

    private void purgeOnce(long kept, SnFinder firstSn) throws IOException {
        long sn = firstSn.firstSnFor(kept);
        List<LedgerSpan> old =
                records.read().map(found -> found.log().below(sn)).orElse(Collections.emptyList());
        if (old.isEmpty() || !update(log -> log.withoutBelow(sn))) {
            return;
        }
        for (LedgerSpan span : old) {
            delete(span.ledger());
        }
        LOG.info("Purged ledgers={} below sn={}", old, sn);
    }

    /** Finds the entry in which a transaction begins, or a segment around it. */
    interface SnFinder {
        long firstSnFor(long txId) throws IOException;
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
            // From here on nobody is answered, so the next writer need not wait.
            over = true;
            notifyAll();
        }
        Future<?> ended = worker.submit(() -> {
            if (!wasFenced) {
                endTerm();
            }
        });
        worker.shutdown();
        try {
            ended.get(END_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn(
                    "Cannot record the end of epoch={}: the next writer waits for the lease; no action needed",
                    epoch(),
                    e);
        }
        worker.shutdownNow();
        watcher.run();
    }

    private void endTerm() {
        try {
            Optional<WritableLedger> ahead;
            WritableLedger last;
            synchronized (this) {
                ahead = next;
                last = current;
            }
            last.close();
            Optional<VersionedLog> found = records.read();
            Predicate<LedgerLog> isOwn = log -> log.isWrittenBy(claimed.incarnation(), claimed.writer());
            // What is ahead in the record may be the ledger that was just closed.
            if (found.isPresent()
                    && isOwn.test(found.get().log())
                    && found.get().log().newest().ledger() == last.id()
                    && records.compareAndSet(found, found.get().log().end())
                    && ahead.isPresent()) {
                ledgers.delete(ahead.get().id());
            }
        } catch (IOException | RuntimeException e) {
            LOG.warn(
                    "Cannot record the end of epoch={}: the next writer waits for the lease; no action needed",
                    epoch(),
                    e);
        }
    }
}

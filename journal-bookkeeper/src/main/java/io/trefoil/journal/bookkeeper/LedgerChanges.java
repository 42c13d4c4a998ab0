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
import io.trefoil.journal.model.Epoch;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Collections;
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
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens, records, replaces and purges the ledgers of a term, one after the other on a thread of its own: whatever talks to metadata is
 * done here, so no append waits for that while the ledger takes entries. Thread-safe.
 */
final class LedgerChanges {
    private static final Logger LOG = LoggerFactory.getLogger(LedgerChanges.class);

    private static final long FIRST_PAUSE_MILLIS = 50;
    private static final long MAX_PAUSE_MILLIS = 2_000;
    private static final long END_MILLIS = 5_000;
    /** How far back a sweep looks: others may have created any number of ledgers in the same cluster. */
    private static final long SWEPT_LEDGERS = 10_000;

    private static final long SWEPT_AT_ONCE = 100;

    private final LedgerStore ledgers;
    private final RecordStore records;
    private final LedgerLog claimed;
    private final Term term;
    private final ScheduledExecutorService worker;
    /** A ledger that was created, but may or may not be in the record. On the worker. */
    private Optional<WritableLedger> unrecorded = Optional.empty();

    /** The term whose ledgers these are; its methods are called on the worker, and take its lock. */
    interface Term {
        /** Whether it needs no more ledgers. */
        boolean hasEnded();

        /** Another process took over, with this record. */
        void fence(LedgerLog by);

        long committedSn();

        /** The term may continue in this ledger when the current one is full. */
        void offerNext(WritableLedger ahead);

        /**
         * Continues in a ledger that replaces the current one, which holds everything up to an entry.
         *
         * @return the ledger opened ahead, which is not needed any more
         */
        Optional<WritableLedger> continueIn(WritableLedger fresh, long sn);
    }

    /** @param claimed the record in which the term has its epoch */
    LedgerChanges(LedgerStore ledgers, RecordStore records, LedgerLog claimed, Term term) {
        this.ledgers = ledgers;
        this.records = records;
        this.claimed = claimed;
        this.term = term;
        this.worker =
                Executors.newSingleThreadScheduledExecutor(DaemonThreads.newFactory("bk-writer-" + claimed.writer()));
    }

    private Epoch epoch() {
        return claimed.epoch();
    }

    /** Runs a task again and again, between the others. */
    void schedule(Runnable task, long periodNanos) {
        worker.scheduleWithFixedDelay(DaemonThreads.logFailures(task), periodNanos, periodNanos, TimeUnit.NANOSECONDS);
    }

    private void submit(Runnable task) {
        try {
            worker.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.debug("The term of epoch={} has ended", epoch());
        }
    }

    /** Opens the ledger in which the term continues after the current one. */
    void beginOpeningAhead() {
        submit(this::openAhead);
    }

    private void openAhead() {
        retryUntilDone("open a ledger ahead", () -> {
            WritableLedger made = create();
            if (!record(made, log -> log.withAhead(OptionalLong.of(made.id())))) {
                return false;
            }
            term.offerNext(made);
            return true;
        });
    }

    /** Closes a full ledger, records the one in which the term continues, and opens another one ahead. */
    void beginChange(WritableLedger full, LedgerSpan next) {
        submit(() -> {
            retryUntilDone("close ledger " + full.id(), () -> {
                closeFull(full);
                return true;
            });
            retryUntilDone("record ledger " + next, () -> update(log -> log.continuedIn(next)));
            openAhead();
        });
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

    /** Creates a new ledger, or returns the one whose recording failed last time. */
    private WritableLedger create() throws IOException {
        return unrecorded.isPresent() ? unrecorded.get() : ledgers.create(claimed.incarnation());
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
            UnneededLedgers.delete(ledgers, made.id());
        }
        return isDone;
    }

    /** Replaces a ledger that accepts no more entries. */
    void beginReplacing(WritableLedger failed) {
        submit(() -> {
            retryUntilDone("replace a ledger", () -> replace(failed));
            if (!term.hasEnded()) {
                openAhead();
            }
        });
    }

    /** Continues the log in a new ledger; returns false if the record is no longer this term's. */
    private boolean replace(WritableLedger failed) throws IOException {
        long sn = term.committedSn();
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
        Optional<WritableLedger> unused = term.continueIn(fresh, sn);
        LOG.info("Continued in another ledger: ledger={} firstSn={}", fresh.id(), sn + 1);
        unused.ifPresent(ledger -> UnneededLedgers.delete(ledgers, ledger.id()));
        if (isEmpty) {
            UnneededLedgers.delete(ledgers, failed.id());
        }
        return true;
    }

    /**
     * Changes the record, if it is still this term's; if not, the term is fenced.
     *
     * @param change may be applied to its own result
     * @return whether it was changed
     */
    private boolean update(UnaryOperator<LedgerLog> change) throws IOException {
        while (!term.hasEnded()) {
            VersionedLog found = records.read().orElseThrow(() -> new IOException("The journal's record is gone"));
            if (!isOwn(found.log())) {
                term.fence(found.log());
                return false;
            }
            LedgerLog wanted = change.apply(found.log());
            if (wanted.equals(found.log()) || records.compareAndSet(Optional.of(found), wanted)) {
                return true;
            }
        }
        return false;
    }

    private boolean isOwn(LedgerLog log) {
        return log.isWrittenBy(claimed.incarnation(), claimed.writer());
    }

    /** Repeats a task until it is done or the term ends, however long bookies or ZooKeeper are down. */
    private void retryUntilDone(String what, MetadataTask task) {
        long pauseMillis = FIRST_PAUSE_MILLIS;
        while (!term.hasEnded()) {
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
            // A task that can never succeed must not hide from the term that it was fenced.
            fenceIfSuperseded();
            try {
                Pause.sleepMillis(pauseMillis, "The term of epoch " + epoch() + " is over");
            } catch (InterruptedIOException e) {
                return;
            }
            pauseMillis = Math.min(2 * pauseMillis, MAX_PAUSE_MILLIS);
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

    /**
     * Deletes the ledgers of this journal that are in no record, because a process died between creating and recording them, or because what
     * was opened ahead did not count. Safe, as they are older than this term's first ledger: an earlier writer can record nothing any more,
     * and a later one creates its ledgers later.
     */
    void beginSweep() {
        long first = claimed.newest().ledger();
        long oldest = Math.max(claimed.ledgers().get(0).ledger(), first - SWEPT_LEDGERS);
        submit(() -> sweep(oldest, first));
    }

    /** Looks at some ledgers at a time, as other tasks may be urgent. */
    private void sweep(long above, long below) {
        long some = Math.max(above, below - SWEPT_AT_ONCE - 1);
        try {
            for (long ledger : ledgers.find(claimed.incarnation(), some, below)) {
                if (claimed.ledgers().stream().noneMatch(span -> span.ledger() == ledger)) {
                    UnneededLedgers.delete(ledgers, ledger);
                    LOG.info("Deleted a ledger that an earlier writer left: ledger={}", ledger);
                }
            }
        } catch (IOException | RuntimeException e) {
            LOG.warn(
                    "epoch={} cannot look for ledgers that earlier writers left; no action needed: the next writer does",
                    epoch(),
                    e);
            return;
        }
        if (some > above && !term.hasEnded()) {
            submit(() -> sweep(above, some + 1));
        }
    }

    /** Deletes the ledgers without any entry from the one on that {@code firstSn} finds for a transaction. */
    void beginPurge(long keptFromTxId, SnFinder firstSn) {
        submit(() -> {
            try {
                purge(firstSn.firstSnFor(keptFromTxId));
            } catch (IOException | RuntimeException e) {
                // Retried here, it would keep the worker from tasks that clients wait for.
                LOG.warn("epoch={} cannot purge ledgers; no action needed: the next purge includes them", epoch(), e);
            }
        });
    }

    private void purge(long sn) throws IOException {
        List<LedgerSpan> old =
                records.read().map(found -> found.log().ledgersBelow(sn)).orElse(Collections.emptyList());
        if (old.isEmpty() || !update(log -> log.withoutBelow(sn))) {
            return;
        }
        for (LedgerSpan span : old) {
            UnneededLedgers.delete(ledgers, span.ledger());
        }
        LOG.info("Purged ledgers={} below sn={}", old, sn);
    }

    /** Finds the entry in which a transaction begins, or a segment around it. */
    interface SnFinder {
        long firstSnFor(long txId) throws IOException;
    }

    /** Ends the worker, and waits a little for its last task. */
    void close(Runnable last) {
        Future<?> ended = worker.submit(last);
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
    }

    /** Closes the last ledger, and records that nothing more will be written or answered in this term. On the worker. */
    void endTerm(WritableLedger last, Optional<WritableLedger> ahead) {
        try {
            last.close();
            Optional<VersionedLog> found = records.read();
            // What is ahead in the record may be the ledger that was just closed.
            if (found.isPresent()
                    && isOwn(found.get().log())
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

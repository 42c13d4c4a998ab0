/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.bookkeeper;

import io.trefoil.foundation.Pause;
import io.trefoil.journal.bookkeeper.ledger.LedgerStore;
import io.trefoil.journal.bookkeeper.ledger.ReadableLedger;
import io.trefoil.journal.bookkeeper.ledger.WritableLedger;
import io.trefoil.journal.bookkeeper.record.LedgerLog;
import io.trefoil.journal.bookkeeper.record.LedgerSpan;
import io.trefoil.journal.bookkeeper.record.VersionedLog;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.pool.writer.FencedException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The steps by which a process becomes the writer (docs/design/bookkeeper.md, "Taking over"). Used once, by one thread. */
final class Takeover {
    private static final Logger LOG = LoggerFactory.getLogger(Takeover.class);

    private static final long FIRST_PAUSE_MILLIS = 50;
    private static final long MAX_PAUSE_MILLIS = 2_000;

    private final JournalId journal;
    private final OwnRecord records;
    private final LedgerStore ledgers;
    private final LedgerLimits limits;
    private final QuietEnd seen;
    private final WriterId own = WriterId.of(UUID.randomUUID().toString());
    private Epoch epoch = Epoch.NONE;

    /** @param seen what this process knows of the end of the log */
    Takeover(JournalId journal, OwnRecord records, LedgerStore ledgers, LedgerLimits limits, QuietEnd seen) {
        this.journal = journal;
        this.records = records;
        this.ledgers = ledgers;
        this.limits = limits;
        this.seen = seen;
    }

    /**
     * Becomes the writer, however long bookies and ZooKeeper are down.
     *
     * @throws FencedException if another process did so meanwhile
     * @throws IOException if the journal is not formatted, is of another namespace, or the thread was interrupted
     */
    LedgerWriter run() throws IOException {
        LedgerLog before = repeat("claim the next epoch", this::claim);
        LedgerLog claimed = repeat("read the record", this::readOwn).log();
        LOG.info("Claimed journal={} epoch={} from writer={}", journal, claimed.epoch(), before.writer());
        Recovered last = repeat("recover the last ledger", () -> recover(claimed, new HashMap<>()));
        if (!before.ended()) {
            awaitLeaseEnd(claimed.leaseMillis(), seen.leaseBegin(last.ends, System.nanoTime()));
        }
        LedgerWriter writer = repeat("begin a ledger", () -> beginLedger(last));
        try {
            writer.begin();
            return writer;
        } catch (IOException | RuntimeException e) {
            writer.close();
            throw e;
        }
    }

    private void awaitLeaseEnd(long leaseMillis, long beginNanos) throws InterruptedIOException {
        long leftNanos = beginNanos + AnswerLease.ofMillis(leaseMillis).newWriterNanos() - System.nanoTime();
        long waitMillis = Math.max(0, leftNanos / 1_000_000L + 1);
        LOG.info(
                "Waiting for the lease of the previous writer: journal={} leaseMillis={} waitMillis={}",
                journal,
                leaseMillis,
                waitMillis);
        Pause.sleepMillis(waitMillis, "Interrupted while the lease of the writer before ran out");
    }

    /** Writes the record with the next epoch, and returns the previous record. */
    private LedgerLog claim() throws IOException {
        VersionedLog found = records.requireFormatted();
        epoch = found.log().epoch().next();
        while (!records.compareAndSet(Optional.of(found), found.log().claimed(own, limits.leaseMillis()))) {
            VersionedLog newer = records.requireFormatted();
            if (newer.log().writer().equals(own)) {
                return found.log();
            }
            found = newer;
            epoch = found.log().epoch().next();
        }
        return found.log();
    }

    private VersionedLog readOwn() throws IOException {
        VersionedLog found = records.requireFormatted();
        if (!found.log().writer().equals(own)) {
            throw new FencedException(epoch, found.log().epoch());
        }
        return found;
    }

    /**
     * Fences the previous writer, and finds the end of the log.
     *
     * @param ends gets the last entry of each ledger that is recovered
     */
    private Recovered recover(LedgerLog claimed, Map<Long, Long> ends) throws IOException {
        LedgerSpan newest = claimed.newest();
        LogSummary end;
        try (ReadableLedger ledger = ledgers.recover(newest.ledger())) {
            ends.put(ledger.id(), ledger.lastConfirmed());
            LedgerScan scan = new LedgerScan(ledger);
            scan.advance(entry -> {});
            end = scan.end().orElse(LogSummary.ORIGIN);
        }
        if (end.equals(LogSummary.ORIGIN)) {
            if (claimed.ledgers().size() == 1) {
                throw new IOException(
                        "Ledger " + newest.ledger() + ", the only one, is empty: entries of it were lost");
            }
            // Its writer died before the first add: nothing was acknowledged in it, and the one before was recovered
            // for it.
            return recover(claimed.withoutNewest(), ends);
        }
        if (claimed.continuationLedger().isPresent()) {
            try (ReadableLedger ledger =
                    ledgers.recover(claimed.continuationLedger().getAsLong())) {
                ends.put(ledger.id(), ledger.lastConfirmed());
                LedgerScan scan = new LedgerScan(ledger);
                Optional<LogSummary> summary = scan.readSummary();
                requireNothingLost(newest, end, summary);
                if (summary.isPresent() && summary.get().position().equals(end.position())) {
                    scan.advance(entry -> {});
                    LedgerSpan span = LedgerSpan.of(
                            ledger.id(),
                            newest.epoch(),
                            summary.get().position().sn() + 1);
                    return new Recovered(scan.end().get(), claimed.continuedIn(span), ends);
                }
            }
        }
        return new Recovered(end, claimed.withAhead(OptionalLong.empty()), ends);
    }

    /** The writer changes ledgers when everything in the full one is confirmed, so what that lacks now was acknowledged. */
    private static void requireNothingLost(LedgerSpan full, LogSummary end, Optional<LogSummary> ahead)
            throws IOException {
        long wanted = ahead.map(summary -> summary.position().sn()).orElse(0L);
        if (wanted > end.position().sn()) {
            throw new IOException("Ledger " + full.ledger() + " ends with entry "
                    + end.position().sn() + ", and the next one continues behind entry " + wanted
                    + ": acknowledged entries were lost");
        }
    }

    /** The end of the log, and the record that contains exactly its ledgers. */
    private static final class Recovered {
        private final LogSummary end;
        private final LedgerLog log;
        private final Map<Long, Long> ends;

        Recovered(LogSummary end, LedgerLog log, Map<Long, Long> ends) {
            this.end = end;
            this.log = log;
            this.ends = ends;
        }
    }

    private LedgerWriter beginLedger(Recovered last) throws IOException {
        VersionedLog found = readOwn();
        WritableLedger first = ledgers.create(last.log.incarnation());
        LedgerSpan span =
                LedgerSpan.of(first.id(), last.log.epoch(), last.end.position().sn() + 1);
        LedgerLog begun = last.log.continuedIn(span);
        if (!records.compareAndSet(Optional.of(found), begun)) {
            ledgers.delete(first.id());
            throw new IOException("The record was changed meanwhile");
        }
        return new LedgerWriter(ledgers, records, begun, limits, first, last.end);
    }

    /** Repeats a step until it succeeds, or can no longer succeed. */
    private <T> T repeat(String what, Step<T> step) throws IOException {
        long pauseMillis = FIRST_PAUSE_MILLIS;
        while (true) {
            try {
                return step.tryOnce();
            } catch (FencedException
                    | OwnRecord.NotFormattedException
                    | WrongNamespaceException
                    | InterruptedIOException e) {
                throw e;
            } catch (IOException e) {
                LOG.warn(
                        "journal={}: cannot {}, retrying; do: check that bookies and ZooKeeper are running: {}",
                        journal,
                        what,
                        e.toString());
            }
            Pause.sleepMillis(pauseMillis, "Interrupted while becoming the writer of journal " + journal);
            pauseMillis = Math.min(2 * pauseMillis, MAX_PAUSE_MILLIS);
        }
    }

    /** An attempt that may fail temporarily. */
    private interface Step<T> {
        T tryOnce() throws IOException;
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.bookkeeper;

import io.trefoil.journal.bookkeeper.ledger.EntryAssembly;
import io.trefoil.journal.bookkeeper.ledger.LedgerEntry;
import io.trefoil.journal.bookkeeper.ledger.LedgerStore;
import io.trefoil.journal.bookkeeper.ledger.ReadableLedger;
import io.trefoil.journal.bookkeeper.record.LedgerLog;
import io.trefoil.journal.bookkeeper.record.LedgerSpan;
import io.trefoil.journal.bookkeeper.record.RecordStore;
import io.trefoil.journal.bookkeeper.record.VersionedLog;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.SegmentInfo;
import io.trefoil.journal.pool.replica.storage.SegmentIndex;
import io.trefoil.journal.storage.PurgedException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Follows the ledgers of a journal, and reads entries by serial number. Reads of the same reader wait for each other, except
 * that none waits for one that waits for more entries. Thread-safe.
 */
final class LedgerReader implements AutoCloseable {
    /** How long a reader waits at a ledger before it checks whether the log continues in another one. */
    private static final Duration LOOK_ROUND = Duration.ofMillis(200);

    private static final int CHUNK = 100;

    private final JournalId journal;
    private final RecordStore records;
    private final LedgerStore ledgers;

    /** The newest record; empty if the journal is not formatted. */
    private Optional<LedgerLog> log = Optional.empty();

    private Optional<LedgerScan> scan = Optional.empty();
    private LogSummary end = LogSummary.ORIGIN;
    private LogSummary base = LogSummary.ORIGIN;
    private SegmentIndex index = new SegmentIndex(LogSummary.ORIGIN);
    private final Map<Long, ReadableLedger> opened = new HashMap<>();
    /** The place of the entry that a sequential reader wants next. */
    private long likelyLedger = -1;

    private long likelySn;
    private long likelyEntry;

    LedgerReader(JournalId journal, RecordStore records, LedgerStore ledgers) {
        this.journal = journal;
        this.records = records;
        this.ledgers = ledgers;
    }

    /** The summary of everything that is confirmed now. */
    synchronized LogSummary readEnd() throws IOException {
        refresh();
        if (scan.isPresent()) {
            scan.get().ledger().readLastConfirmed();
        }
        advance();
        return end;
    }

    /** The summary of everything read so far. Does not block for longer than a read takes. */
    synchronized LogSummary end() {
        return end;
    }

    /** The summary of the log before the oldest entry that is kept. */
    synchronized LogSummary readBase() throws IOException {
        readEnd();
        return base;
    }

    synchronized Incarnation incarnation() {
        return end.incarnation();
    }

    synchronized List<SegmentInfo> segments(long fromTxId) throws IOException {
        readEnd();
        return index.segmentsFrom(fromTxId);
    }

    /** The lowest serial number to keep so that {@code minTxId} stays readable. */
    synchronized long firstSnFor(long minTxId) throws IOException {
        readEnd();
        return index.firstSnFor(minTxId);
    }

    /** Waits until the log that was acknowledged at this moment is confirmed for readers, or the time is up. */
    void awaitWritten(Duration limit) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        readEnd();
        Optional<LedgerScan> at = scan();
        while (at.isPresent() && hasWriterGoneOnAhead() && System.nanoTime() - deadline < 0) {
            ReadableLedger full = at.get().ledger();
            full.awaitConfirmed(full.lastConfirmed(), left(deadline));
            readEnd();
            at = scan();
        }
        if (!at.isPresent()) {
            return;
        }
        ReadableLedger ledger = at.get().ledger();
        long written = ledger.readLastWritten();
        while (ledger.lastConfirmed() < written && !ledger.isClosed() && System.nanoTime() - deadline < 0) {
            ledger.awaitConfirmed(ledger.lastConfirmed(), left(deadline));
        }
    }

    /** Whether entries may be acknowledged in the next ledger, as its writer closes the previous one only afterwards. */
    private synchronized boolean hasWriterGoneOnAhead() throws IOException {
        OptionalLong ahead = log.isPresent() ? log.get().continuationLedger() : OptionalLong.empty();
        return ahead.isPresent()
                && scan.isPresent()
                && scan.get().ledger().id() != ahead.getAsLong()
                && openCached(ahead.getAsLong()).readLastWritten() >= 0;
    }

    /** Waits until a transaction above {@code knownTxId} is confirmed, or the time is up. */
    long awaitTxId(long knownTxId, Duration limit) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        long lastTxId = readEnd().lastTxId();
        while (lastTxId <= knownTxId && System.nanoTime() - deadline < 0) {
            Optional<LedgerScan> at = scan();
            if (!at.isPresent()) {
                throw notFormatted();
            }
            ReadableLedger ledger = at.get().ledger();
            ledger.awaitConfirmed(ledger.lastConfirmed(), left(deadline));
            synchronized (this) {
                if (ledger.isClosed() || ledger.lastConfirmed() < at.get().nextEntry()) {
                    // Nothing came. The journal may have been formatted again, or continue elsewhere.
                    refresh();
                }
                advance();
                lastTxId = end.lastTxId();
            }
        }
        return lastTxId;
    }

    private static Duration left(long deadline) {
        long left = Math.max(1_000_000L, deadline - System.nanoTime());
        return Duration.ofNanos(Math.min(left, LOOK_ROUND.toNanos()));
    }

    private synchronized Optional<LedgerScan> scan() {
        return scan;
    }

    private IOException notFormatted() {
        return new IOException("Journal " + journal + " is not formatted in BookKeeper");
    }

    /** Reads the record, and restarts from the oldest ledger if the journal was formatted again. */
    private void refresh() throws IOException {
        Optional<LedgerLog> newest = records.read().map(VersionedLog::log);
        boolean isSame = newest.map(LedgerLog::incarnation).equals(log.map(LedgerLog::incarnation));
        log = newest;
        if (!isSame || isScanPurged()) {
            closeLedgers();
            scan = Optional.empty();
            end = LogSummary.ORIGIN;
            base = LogSummary.ORIGIN;
        } else if (newest.isPresent() && scan.isPresent()) {
            forgetPurged();
        }
    }

    /** Whether the ledger read last is no longer in the record: this reader was away for longer than the log is kept. */
    private boolean isScanPurged() {
        if (!scan.isPresent() || !log.isPresent()) {
            return false;
        }
        long read = scan.get().ledger().id();
        OptionalLong ahead = log.get().continuationLedger();
        return log.get().ledgers().stream().noneMatch(span -> span.ledger() == read)
                && !(ahead.isPresent() && ahead.getAsLong() == read);
    }

    private void forgetPurged() throws IOException {
        LedgerSpan oldest = log.get().ledgers().get(0);
        if (oldest.firstSn() > base.position().sn() + 1) {
            base = new LedgerScan(openCached(oldest.ledger())).readSummary().orElse(base);
            index.purge(oldest.firstSn());
        }
    }

    /** Reads everything that is confirmed, from all ledgers. */
    private void advance() throws IOException {
        if (!log.isPresent()) {
            return;
        }
        if (!scan.isPresent()) {
            LedgerScan first =
                    new LedgerScan(openCached(log.get().ledgers().get(0).ledger()));
            first.ledger().readLastConfirmed();
            Optional<LogSummary> summary = first.readSummary();
            if (!summary.isPresent()) {
                return;
            }
            scan = Optional.of(first);
            base = summary.get();
            end = base;
            index = new SegmentIndex(base);
        }
        scan.get().advance(index::add);
        end = scan.get().end().get();
        Optional<LedgerScan> next = scan.get().isDone() ? next() : Optional.empty();
        while (next.isPresent()) {
            scan = next;
            scan.get().advance(index::add);
            end = scan.get().end().get();
            next = scan.get().isDone() ? next() : Optional.empty();
        }
    }

    /** The ledger after the one that was read to its end; empty if there is none yet. */
    private Optional<LedgerScan> next() throws IOException {
        Optional<Long> id = ledgerAfter(scan.get().ledger().id());
        if (!id.isPresent()) {
            refresh();
            id = scan.isPresent() ? ledgerAfter(scan.get().ledger().id()) : Optional.empty();
        }
        if (!id.isPresent()) {
            return Optional.empty();
        }
        LedgerScan candidate = new LedgerScan(openCached(id.get()));
        candidate.ledger().readLastConfirmed();
        // One that was opened ahead counts from when it begins where this one ends.
        return candidate
                        .readSummary()
                        .filter(summary -> summary.position().equals(end.position()))
                        .isPresent()
                ? Optional.of(candidate)
                : Optional.empty();
    }

    private Optional<Long> ledgerAfter(long ledger) {
        List<LedgerSpan> spans = log.get().ledgers();
        for (int i = 0; i + 1 < spans.size(); i++) {
            if (spans.get(i).ledger() == ledger) {
                return Optional.of(spans.get(i + 1).ledger());
            }
        }
        return log.get().newest().ledger() == ledger
                        && log.get().continuationLedger().isPresent()
                ? Optional.of(log.get().continuationLedger().getAsLong())
                : Optional.empty();
    }

    private ReadableLedger openCached(long ledger) throws IOException {
        ReadableLedger known = opened.get(ledger);
        if (known == null) {
            known = ledgers.open(ledger);
            opened.put(ledger, known);
        }
        return known;
    }

    /** Entries from {@code firstSn} on that were confirmed when the end was last read. */
    synchronized List<Entry> read(long firstSn, int maxBytes) throws IOException {
        List<Entry> read = new ArrayList<>();
        if (firstSn <= base.position().sn()) {
            throw new PurgedException(firstSn, base);
        }
        if (firstSn > end.position().sn()) {
            readEnd();
        }
        if (firstSn > end.position().sn()) {
            return read;
        }
        ReadableLedger ledger = openCached(holding(firstSn));
        long last = ledger.lastConfirmed();
        long from = ledger.id() == likelyLedger && firstSn == likelySn ? likelyEntry : find(firstSn, ledger, last);
        EntryAssembly parts = new EntryAssembly();
        // The first part of the entry that comes next.
        long resume = from;
        int bytes = 0;
        while (from <= last) {
            for (byte[] found : ledger.read(from, Math.min(last, from + CHUNK - 1))) {
                Optional<Entry> entry = parts.add(LedgerEntry.decode(found));
                boolean isEnough = entry.isPresent()
                        && !read.isEmpty()
                        && (bytes + entry.get().payload().size() > maxBytes);
                if (isEnough
                        || (entry.isPresent()
                                && entry.get().sn() > end.position().sn())) {
                    remember(ledger, firstSn + read.size(), resume);
                    return read;
                }
                if (entry.isPresent()) {
                    bytes += entry.get().payload().size();
                    read.add(entry.get());
                }
                from++;
                resume = parts.isEmpty() ? from : resume;
            }
        }
        remember(ledger, firstSn + read.size(), resume);
        return read;
    }

    private void remember(ReadableLedger ledger, long sn, long entry) {
        likelyLedger = ledger.id();
        likelySn = sn;
        likelyEntry = entry;
    }

    private long holding(long sn) {
        long ledger = log.get().ledgers().get(0).ledger();
        for (LedgerSpan span : log.get().ledgers()) {
            ledger = span.firstSn() <= sn ? span.ledger() : ledger;
        }
        Optional<LogSummary> ofScan = scan.get().summaryBefore();
        return ofScan.isPresent() && ofScan.get().position().sn() < sn
                ? scan.get().ledger().id()
                : ledger;
    }

    /** Finds an entry by bisection, as serial numbers grow with entry ids in a ledger. */
    private static long find(long sn, ReadableLedger ledger, long last) throws IOException {
        long low = 1;
        long high = last;
        while (low < high) {
            long middle = (low + high) >>> 1;
            if (LedgerEntry.decode(ledger.read(middle, middle).get(0)).headSn() < sn) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private void closeLedgers() {
        opened.values().forEach(ReadableLedger::close);
        opened.clear();
        likelyLedger = -1;
    }

    @Override
    public synchronized void close() {
        closeLedgers();
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.bookkeeper;

import io.trefoil.journal.bookkeeper.ledger.LedgerEntry;
import io.trefoil.journal.bookkeeper.ledger.LedgerStore;
import io.trefoil.journal.bookkeeper.ledger.WritableLedger;
import io.trefoil.journal.bookkeeper.record.LedgerLog;
import io.trefoil.journal.bookkeeper.record.LedgerSpan;
import io.trefoil.journal.bookkeeper.record.RecordStore;
import io.trefoil.journal.bookkeeper.record.VersionedLog;
import io.trefoil.journal.model.Barrier;
import io.trefoil.journal.model.Barriers;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.SegmentInfo;
import io.trefoil.journal.model.StorageRecord;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.model.VoidRange;
import io.trefoil.journal.pool.Journal;
import io.trefoil.journal.pool.StoreStatus;
import io.trefoil.journal.pool.client.PoolLeaseStatus;
import io.trefoil.journal.pool.format.FormatOrder;
import io.trefoil.journal.pool.format.FormatRefusals;
import io.trefoil.journal.pool.replica.AcknowledgedLog;
import io.trefoil.journal.pool.replica.LocalNamespace;
import io.trefoil.journal.pool.replica.ObservedTerm;
import io.trefoil.journal.pool.replica.UnappliedEdit;
import io.trefoil.journal.pool.replica.storage.CommitSignal;
import io.trefoil.journal.pool.writer.JournalWriter;
import io.trefoil.journal.pool.writer.LocalTerm;
import io.trefoil.journal.pool.writer.WriterStatus;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A journal in the ledgers of BookKeeper. What the port says of replicas and nodes does not exist here: where it allows an
 * empty answer, this gives one. Thread-safe.
 */
public final class LedgerJournal implements Journal, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LedgerJournal.class);

    /** The member that stands for all bookies, as the log has a list of members, and a majority of one is one. */
    private static final Member BOOKIES = Member.voter(NodeId.of("bookkeeper"), NodeAddress.of("bookkeeper", 1));

    /** How many ledgers an operator is shown: each costs a question to ZooKeeper. */
    private static final int SHOWN_LEDGERS = 5;

    private final JournalId id;
    private final RecordStore records;
    private final OwnRecord own;
    private final LedgerStore ledgers;
    private final LedgerLimits limits;
    private final LedgerReader reader;
    private final EndWatch watch;
    private final AtomicReference<Incarnation> followed = new AtomicReference<>(Incarnation.NONE);
    private final AtomicReference<LedgerWriter> prepared = new AtomicReference<>();
    private volatile Optional<LedgerWriter> newest = Optional.empty();
    private volatile LocalNamespace namespace = LocalNamespace.UNKNOWN;

    /** Creates a journal that owns the stores, and closes them. */
    public LedgerJournal(JournalId id, RecordStore records, LedgerStore ledgers, LedgerLimits limits) {
        this.id = id;
        this.records = records;
        this.ledgers = ledgers;
        this.limits = limits;
        this.own = new OwnRecord(id, records);
        this.reader = new LedgerReader(id, own, ledgers);
        this.watch = new EndWatch(own, ledgers);
    }

    /**
     * Refuses to read or write the journal of any other namespace from now on; an unknown one changes nothing.
     *
     * @param wanted the namespace of the NameNode in this process
     */
    public void requireNamespace(NamespaceId wanted) {
        own.requireNamespace(wanted);
    }

    @Override
    public JournalId id() {
        return id;
    }

    @Override
    public boolean hasSomeData() throws IOException {
        return records.read().isPresent();
    }

    @Override
    public void requireFormattable(FormatOrder order) throws IOException {
        Optional<VersionedLog> found = records.read();
        if (found.isPresent()) {
            requireFormattable(order, found.get().log());
        }
    }

    /** Returns the end of the log that is replaced, as far as it matters. */
    private LogSummary requireFormattable(FormatOrder order, LedgerLog log) throws IOException {
        boolean isKnown = order.knownIncarnations().contains(log.incarnation()) || isVoided(order, log);
        if (!log.ended() && !isKnown) {
            throw new IOException("Journal " + id + " cannot be formatted: writer " + log.writer() + " of epoch "
                    + log.epoch() + " has not ended its term, and this host knows nothing of incarnation "
                    + log.incarnation() + "; stop the NameNodes in order"
                    + FormatRefusals.adviceToVoid(order, log.incarnation()));
        }
        LogSummary end = readReplaced(order, log);
        Optional<VoidRange> unclear = order.unclearRange(end);
        if (unclear.isPresent()) {
            throw new IOException(FormatRefusals.describeUnclearLoss(order, end, unclear.get()));
        }
        return end;
    }

    private static boolean isVoided(FormatOrder order, LedgerLog log) {
        return order.voidedIncarnations().contains(log.incarnation());
    }

    /** Only a journal that continues a namespace repeats what the previous one lost, and only that is in the ledgers. */
    private LogSummary readReplaced(FormatOrder order, LedgerLog log) throws IOException {
        if (!order.continuesNamespace()) {
            return LogSummary.ORIGIN.with(log.incarnation());
        }
        try {
            return reader.readEnd();
        } catch (WrongNamespaceException e) {
            // Nothing of it is continued.
            return LogSummary.ORIGIN.with(log.incarnation());
        } catch (IOException e) {
            if (isVoided(order, log)) {
                LOG.warn(
                        "journal={}: cannot read the ledgers of incarnation={}, which is declared void; "
                                + "do: run 'hdfs namenode -bootstrapStandby' on all other hosts",
                        id,
                        log.incarnation(),
                        e);
                return LogSummary.ORIGIN.with(log.incarnation());
            }
            throw new IOException(
                    "Journal " + id + " cannot be formatted: its ledgers say which transactions were lost before, and "
                            + "cannot be read; start the bookies: " + e.getMessage()
                            + FormatRefusals.adviceToVoid(order, log.incarnation()),
                    e);
        }
    }

    @Override
    public Incarnation format(FormatOrder order) throws IOException {
        Optional<VersionedLog> found = records.read();
        List<LogSummary> replaced = new ArrayList<>();
        if (found.isPresent()) {
            replaced.add(requireFormattable(order, found.get().log()));
        }
        if (found.isPresent() && !order.force()) {
            throw new IOException("Journal " + id + " cannot be formatted: it holds data of "
                    + found.get().log().namespace() + "; format with -force to replace it");
        }
        Members members = order.inheritedFrom(replaced).with(BOOKIES);
        long number = System.currentTimeMillis();
        for (Incarnation earlier : members.replacedIncarnations()) {
            number = Math.max(number, earlier.number() + 1);
        }
        Incarnation incarnation = Incarnation.ofFormat(number, new SecureRandom().nextLong());
        namespace.expectFormat(incarnation);
        if (found.isPresent()) {
            fence(order, found.get().log());
        }
        long ledger = writeFirst(LogSummary.ORIGIN.with(incarnation), order.version(), members);
        if (!records.compareAndSet(found, LedgerLog.formatted(order.namespace(), incarnation, ledger))) {
            ledgers.delete(ledger);
            throw new IOException("Journal " + id + " cannot be formatted: another process changed it meanwhile");
        }
        own.requireNamespace(order.namespace());
        LOG.info(
                "Formatted journal={} namespace={} incarnation={} ledger={}",
                id,
                order.namespace(),
                incarnation,
                ledger);
        if (found.isPresent()) {
            deleteLedgers(found.get().log());
        }
        return incarnation;
    }

    private long writeFirst(LogSummary origin, StorageRecord.Version version, Members members) throws IOException {
        Bytes storage = StorageRecord.ofFormat(version).toPayload();
        Entry first = Entry.of(LogPosition.of(Epoch.FORMAT, 1), EntryKind.MEMBERS, TxRange.NONE, members.toPayload());
        Entry second = Entry.of(LogPosition.of(Epoch.FORMAT, 2), EntryKind.STORAGE, TxRange.NONE, storage);
        List<byte[]> all = new ArrayList<>();
        all.add(LedgerEntry.encode(origin));
        all.addAll(LedgerEntry.encode(first, limits.addBytes()));
        all.addAll(LedgerEntry.encode(second, limits.addBytes()));
        WritableLedger ledger = ledgers.create(origin.incarnation());
        try {
            CompletableFuture.allOf(all.stream().map(ledger::add).toArray(CompletableFuture<?>[]::new))
                    .join();
        } catch (CompletionException e) {
            throw new IOException("Journal " + id + " cannot be formatted: its first entries were not written", e);
        }
        ledger.close();
        return ledger.id();
    }

    /**
     * Fences the previous journal's writer. Must precede the new record, which no longer names its ledgers. If the operator has
     * declared that journal void, its writer may go on for as long as it finds bookies; nobody reads what it acknowledges.
     */
    private void fence(FormatOrder order, LedgerLog log) throws IOException {
        if (log.ended()) {
            return;
        }
        try {
            ledgers.recover(log.newest().ledger()).close();
            if (log.continuationLedger().isPresent()) {
                ledgers.recover(log.continuationLedger().getAsLong()).close();
            }
        } catch (IOException e) {
            if (isVoided(order, log)) {
                LOG.warn(
                        "journal={}: cannot fence writer={} of a journal that is declared void; do: stop its NameNode",
                        id,
                        log.writer(),
                        e);
                return;
            }
            throw new IOException(
                    "Journal " + id + " cannot be formatted, because its previous writer " + log.writer()
                            + " cannot be fenced; start the bookies: " + e.getMessage()
                            + FormatRefusals.adviceToVoid(order, log.incarnation()),
                    e);
        }
    }

    private void deleteLedgers(LedgerLog log) {
        if (log.continuationLedger().isPresent()) {
            UnneededLedgers.delete(ledgers, log.continuationLedger().getAsLong());
        }
        log.ledgers().forEach(span -> UnneededLedgers.delete(ledgers, span.ledger()));
    }

    @Override
    public void declareAnswersHeld() {
        // Appends return when BookKeeper has them; there are no observers to wait for.
    }

    @Override
    public void setLocalNamespace(LocalNamespace newNamespace) {
        namespace = newNamespace;
    }

    @Override
    public LocalNamespace localNamespace() {
        return namespace;
    }

    @Override
    public JournalWriter openWriter(int minReplicas) throws IOException {
        LedgerWriter ready = prepared.getAndSet(null);
        // One that was fenced is handed out, as by a pool: its first append says so.
        boolean isUsable = ready != null && !ready.isClosed();
        return isUsable ? ready : takeOver();
    }

    @Override
    public JournalWriter prepareWriter(int minReplicas) throws IOException {
        LedgerWriter writer = takeOver();
        prepared.set(writer);
        return writer;
    }

    private LedgerWriter takeOver() throws IOException {
        newest.ifPresent(LedgerWriter::close);
        LedgerWriter writer = new Takeover(id, own, ledgers, limits, watch.end()).run();
        newest = Optional.of(writer);
        return writer;
    }

    @Override
    public void openSessions(int minReplicas) {
        // The client of BookKeeper is connected as long as this object exists.
    }

    @Override
    public void closeSessions() {
        // As above.
    }

    private Optional<LedgerWriter> openWriter() {
        return newest.filter(writer -> !writer.isClosed());
    }

    @Override
    public Optional<LocalTerm> localTerm() {
        return openWriter().map(LedgerWriter::term);
    }

    @Override
    public Optional<WriterStatus> writerStatus() {
        return Optional.empty();
    }

    @Override
    public Optional<CommitSignal> localCommitSignal() {
        return Optional.empty();
    }

    @Override
    public Duration diskStallTime() {
        return Duration.ZERO;
    }

    @Override
    public Optional<UnappliedEdit> unappliedEdit() {
        return Optional.empty();
    }

    @Override
    public Optional<ObservedTerm> observedTerm() {
        return Optional.empty();
    }

    @Override
    public Optional<AcknowledgedLog> acknowledgedLog() {
        return Optional.empty();
    }

    @Override
    public void setLeaseFreedWatcher(Runnable watcher) {
        // No bookie knows whether the process of a writer lives.
    }

    @Override
    public PoolLeaseStatus queryLease(Duration timeout) throws IOException {
        LedgerLog log = watch.checkParent();
        boolean isFree = log.ended() || watch.end().isFree(AnswerLease.ofMillis(log.leaseMillis()));
        Optional<LedgerWriter> writing = openWriter();
        boolean isOwn = writing.filter(writer -> writer.isWriterOf(log)).isPresent();
        LogSummary end = isOwn ? writing.get().end() : reader.readEnd();
        return PoolLeaseStatus.ofSingleLog(isFree, !isOwn, log.epoch(), end);
    }

    @Override
    public Optional<StoreStatus> storeStatus() throws IOException {
        LedgerLog log = own.requireFormatted().log();
        List<LedgerSpan> newest = log.ledgers()
                .subList(
                        Math.max(0, log.ledgers().size() - SHOWN_LEDGERS),
                        log.ledgers().size());
        List<StoreStatus.Ledger> shown = new ArrayList<>();
        for (LedgerSpan span : newest) {
            shown.add(ledgers.describe(span));
        }
        return Optional.of(StoreStatus.of(log.epoch(), reader.readEnd(), ledgers.availableBookies(), shown));
    }

    @Override
    public void awaitWritten(Duration limit) throws IOException {
        try {
            reader.awaitWritten(limit);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException(
                    "Journal " + id + ": interrupted while what is written was being confirmed");
        }
    }

    @Override
    public List<SegmentInfo> segments(long fromTxId) throws IOException {
        long wanted = openWriter()
                .filter(writer -> !writer.hasEnded())
                .map(LedgerWriter::committedSn)
                .orElse(0L);
        List<SegmentInfo> found = reader.segments(fromTxId);
        if (reader.end().position().sn() < wanted) {
            throw new IOException("Journal " + id + ": entry " + wanted
                    + " is committed, but readers are shown only entries up to "
                    + reader.end().position().sn() + " so far");
        }
        return found;
    }

    @Override
    public Incarnation lastShownIncarnation() {
        return reader.incarnation();
    }

    @Override
    public AtomicReference<Incarnation> followedIncarnation() {
        return followed;
    }

    @Override
    public List<Entry> read(long firstSn, int maxBytes) throws IOException {
        return reader.read(firstSn, maxBytes);
    }

    @Override
    public Optional<StorageRecord> storageRecord() throws IOException {
        Optional<LedgerWriter> writing = openWriter().filter(writer -> !writer.hasEnded());
        return writing.isPresent()
                ? writing.get().end().storage()
                : reader.readEnd().storage();
    }

    @Override
    public long awaitCommitted(long knownTxId, Duration timeout) throws InterruptedException, IOException {
        return reader.awaitTxId(knownTxId, timeout);
    }

    @Override
    public void addBarrier(Barrier barrier) throws IOException {
        LedgerWriter writer = writerFor("a barrier is added");
        writer.addBarrier(barrier, reader.readBase().lastTxId() + 1);
    }

    @Override
    public void releaseBarrier(String name) throws IOException {
        writerFor("a barrier is released").releaseBarrier(name);
    }

    private LedgerWriter writerFor(String what) throws IOException {
        return openWriter()
                .orElseThrow(() -> new IOException("Journal " + id + ": " + what
                        + " by the process that writes the journal, the active NameNode; this one does not"));
    }

    @Override
    public Barriers barriers() throws IOException {
        return reader.readEnd().barriers();
    }

    @Override
    public List<VoidRange> lostRanges() throws IOException {
        return reader.readEnd().members().lostRanges();
    }

    @Override
    public LogPosition committedPosition() throws IOException {
        return reader.readEnd().position();
    }

    @Override
    public void purge(long minTxId) {
        openWriter()
                .filter(writer -> !writer.hasEnded())
                .ifPresent(writer -> writer.purge(minTxId, reader::firstSnFor));
    }

    @Override
    public void close() {
        newest.ifPresent(LedgerWriter::close);
        reader.close();
        watch.close();
        ledgers.close();
        records.close();
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs;

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
import io.trefoil.journal.pool.client.PoolLeaseStatus;
import io.trefoil.journal.pool.format.FormatOrder;
import io.trefoil.journal.pool.replica.AcknowledgedLog;
import io.trefoil.journal.pool.replica.LocalNamespace;
import io.trefoil.journal.pool.replica.ObservedTerm;
import io.trefoil.journal.pool.replica.UnappliedEdit;
import io.trefoil.journal.pool.replica.storage.CommitSignal;
import io.trefoil.journal.pool.writer.FencedException;
import io.trefoil.journal.pool.writer.JournalWriter;
import io.trefoil.journal.pool.writer.LocalTerm;
import io.trefoil.journal.pool.writer.WriterStatus;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;

/**
 * A journal in memory that keeps the contract of {@link Journal} to the letter and has switches for trouble. Several
 * NameNodes of one test share it, as they share a pool.
 */
public final class FakeJournal implements Journal {
    private final UnappliedEdit unapplied = UnappliedEdit.inMemory();
    private final JournalId id;
    private final List<Entry> entries = new ArrayList<>();
    private LogSummary end = LogSummary.ORIGIN;
    private final AtomicReference<Incarnation> followed = new AtomicReference<>(Incarnation.NONE);
    private NamespaceId namespace = NamespaceId.UNKNOWN;
    private LocalNamespace localNamespace = LocalNamespace.UNKNOWN;
    private FakeWriter writer;
    private long committedAtMostSn = Long.MAX_VALUE;
    private int openedWith;
    private int awaitedWritten;
    private long purgedBelow;
    private boolean stalled;
    private FormatOrder wanted;
    private Optional<String> refusal = Optional.empty();
    private boolean formatInterrupted;
    private int failingReads;
    private long hiddenSn = Long.MAX_VALUE;
    private Predicate<Entry> killing = entry -> false;

    public FakeJournal(String id) {
        this.id = JournalId.of(id);
    }

    @Override
    public JournalId id() {
        return id;
    }

    @Override
    public synchronized boolean hasSomeData() {
        return !entries.isEmpty();
    }

    @Override
    public synchronized void requireFormattable(FormatOrder order) throws IOException {
        wanted = order;
        if (refusal.isPresent()) {
            throw new IOException(refusal.get());
        }
    }

    /** What was to be formatted. */
    public synchronized FormatOrder formatOrder() {
        return wanted;
    }

    /** From now on, the journal must not be formatted. */
    public synchronized void refuseFormat(String reason) {
        refusal = Optional.of(reason);
    }

    @Override
    public synchronized Incarnation format(FormatOrder order) throws IOException {
        requireFormattable(order);
        if (!entries.isEmpty() && !order.force()) {
            throw new IOException("Journal " + id + " holds data");
        }
        Incarnation next = Incarnation.ofFormat(end.incarnation().number() + 1, 0);
        localNamespace.expectFormat(next);
        entries.clear();
        end = LogSummary.ORIGIN.with(next);
        namespace = order.namespace();
        Members members = Members.of(List.of(Member.voter(NodeId.of("n1"), NodeAddress.of("h1", 1))))
                .withLostRanges(order.lostRanges());
        add(Epoch.FORMAT, EntryKind.MEMBERS, TxRange.NONE, members.toPayload());
        add(
                Epoch.FORMAT,
                EntryKind.STORAGE,
                TxRange.NONE,
                StorageRecord.ofFormat(order.version()).toPayload());
        if (formatInterrupted) {
            throw new IOException("interrupted");
        }
        return end.incarnation();
    }

    /** Formats end from now on when the nodes are formatted, before who ordered that hears of it. */
    public synchronized void interruptFormat() {
        formatInterrupted = true;
    }

    @Override
    public void declareAnswersHeld() {}

    @Override
    public synchronized void setLocalNamespace(LocalNamespace newNamespace) {
        localNamespace = newNamespace;
    }

    @Override
    public synchronized LocalNamespace localNamespace() {
        return localNamespace;
    }

    @Override
    public synchronized JournalWriter openWriter(int minReplicas) throws IOException {
        if (entries.isEmpty()) {
            throw new IOException("Journal " + id + " is not formatted");
        }
        openedWith = minReplicas;
        Epoch epoch = end.position().epoch().next();
        if (writer != null && !writer.closed) {
            writer.fencedBy = Optional.of(epoch);
        }
        add(epoch, EntryKind.EPOCH_START, TxRange.NONE, Bytes.wrap(new byte[0]));
        if (end.openSegment().isPresent()) {
            TxRange open = TxRange.of(end.openSegment().get(), end.lastTxId());
            add(epoch, EntryKind.SEGMENT_END, open, Bytes.wrap(new byte[0]));
        }
        writer = new FakeWriter(epoch);
        return writer;
    }

    @Override
    public synchronized JournalWriter prepareWriter(int minReplicas) throws IOException {
        return openWriter(minReplicas);
    }

    @Override
    public void openSessions(int minReplicas) {
        // A fake has no nodes.
    }

    @Override
    public void closeSessions() {
        // A fake has no nodes.
    }

    @Override
    public Optional<WriterStatus> writerStatus() {
        return Optional.empty();
    }

    @Override
    public Optional<LocalTerm> localTerm() {
        return Optional.empty();
    }

    @Override
    public Optional<AcknowledgedLog> acknowledgedLog() {
        return Optional.empty();
    }

    @Override
    public void setLeaseFreedWatcher(Runnable watcher) {
        // A fake has no lease.
    }

    @Override
    public Optional<UnappliedEdit> unappliedEdit() {
        return Optional.of(unapplied);
    }

    @Override
    public Optional<ObservedTerm> observedTerm() {
        return Optional.empty();
    }

    @Override
    public Duration diskStallTime() {
        return Duration.ZERO;
    }

    @Override
    public Optional<CommitSignal> localCommitSignal() {
        return Optional.empty();
    }

    @Override
    public PoolLeaseStatus queryLease(Duration timeout) throws IOException {
        throw new IOException("no node to ask");
    }

    private long add(Epoch epoch, EntryKind kind, TxRange txIds, Bytes payload) {
        Entry entry = Entry.of(LogPosition.of(epoch, entries.size() + 1), kind, txIds, payload);
        if (killing.test(entry)) {
            killing = any -> false;
            throw new IllegalStateException("killed");
        }
        end = end.plus(entry);
        entries.add(entry);
        notifyAll();
        return entry.sn();
    }

    @Override
    public synchronized Incarnation lastShownIncarnation() {
        return end.incarnation();
    }

    @Override
    public AtomicReference<Incarnation> followedIncarnation() {
        return followed;
    }

    @Override
    public synchronized List<SegmentInfo> segments(long fromTxId) throws IOException {
        failIfRequested();
        List<SegmentInfo> found = new ArrayList<>();
        for (FoundSegment segment : FoundSegment.all(visibleEntries())) {
            segment.segmentInfoFrom(fromTxId).ifPresent(found::add);
        }
        return found;
    }

    private List<Entry> visibleEntries() {
        return entries.subList(0, (int) Math.min(hiddenSn - 1, entries.size()));
    }

    @Override
    public synchronized List<Entry> read(long firstSn, int maxBytes) throws IOException {
        failIfRequested();
        List<Entry> read = new ArrayList<>();
        int bytes = 0;
        for (long sn = firstSn; sn <= visibleEntries().size(); sn++) {
            Entry entry = entries.get((int) sn - 1);
            bytes += entry.payload().size();
            if (!read.isEmpty() && bytes > maxBytes) {
                break;
            }
            read.add(entry);
        }
        return read;
    }

    private void failIfRequested() throws IOException {
        if (failingReads > 0) {
            failingReads--;
            throw new IOException("no node answers");
        }
    }

    @Override
    public synchronized Optional<StorageRecord> storageRecord() {
        return end.storage();
    }

    @Override
    public synchronized void awaitWritten(Duration limit) {
        // What is written here is committed.
        awaitedWritten++;
    }

    /** How often a caller wanted to see all that was acknowledged. */
    synchronized int awaitWrittenCount() {
        return awaitedWritten;
    }

    @Override
    public synchronized long awaitCommitted(long knownTxId, Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (end.lastTxId() <= knownTxId) {
            long left = (deadline - System.nanoTime()) / 1_000_000L;
            if (left <= 0) {
                break;
            }
            wait(left);
        }
        return end.lastTxId();
    }

    @Override
    public synchronized void addBarrier(Barrier barrier) {
        add(end.position().epoch(), EntryKind.BARRIER, TxRange.NONE, barrier.toPayload());
    }

    @Override
    public synchronized void releaseBarrier(String name) {
        add(end.position().epoch(), EntryKind.BARRIER_RELEASE, TxRange.NONE, Bytes.ofUtf8(name));
    }

    @Override
    public synchronized Barriers barriers() {
        return end.barriers();
    }

    @Override
    public synchronized List<VoidRange> lostRanges() {
        return end.members().lostRanges();
    }

    @Override
    public synchronized LogPosition committedPosition() {
        return end.position();
    }

    @Override
    public synchronized void purge(long minTxId) {
        purgedBelow = minTxId;
    }

    /** As a promotion does. */
    synchronized void loseTransactions(VoidRange images) {
        Members members = end.members().withLostRanges(List.of(images));
        add(end.position().epoch(), EntryKind.MEMBERS, TxRange.NONE, members.toPayload());
    }

    public synchronized List<Entry> entries() {
        return new ArrayList<>(entries);
    }

    public synchronized List<Entry> entries(EntryKind kind) {
        List<Entry> some = new ArrayList<>();
        for (Entry entry : entries) {
            if (entry.kind() == kind) {
                some.add(entry);
            }
        }
        return some;
    }

    public synchronized LogSummary end() {
        return end;
    }

    synchronized NamespaceId namespace() {
        return namespace;
    }

    synchronized int requestedMinReplicas() {
        return openedWith;
    }

    synchronized long purgedBelow() {
        return purgedBelow;
    }

    /** Appends return as ever, as with {@code trefoil.journal.ack.policy=one}, but a majority has no more than this. */
    public void limitCommits(long sn) {
        synchronized (this) {
            committedAtMostSn = sn;
        }
        if (writer != null) {
            writer.watcher.run();
        }
    }

    /** Takes the majority away: appends wait. */
    public synchronized void stall() {
        stalled = true;
    }

    public synchronized void resume() {
        stalled = false;
        notifyAll();
    }

    /** The next questions of readers fail. */
    public synchronized void failReads(int count) {
        failingReads = count;
    }

    /** The writer of the first such entry dies before it. */
    public synchronized void killBefore(Predicate<Entry> which) {
        killing = which;
    }

    /** Readers see only entries below, as on a node that lags. */
    public synchronized void hideFrom(long sn) {
        hiddenSn = sn;
    }

    /** A segment while the log is being looked through. */
    private static final class FoundSegment {
        private final Entry start;
        private final List<Entry> edits = new ArrayList<>();
        private boolean finalized;

        FoundSegment(Entry start) {
            this.start = start;
        }

        static List<FoundSegment> all(List<Entry> log) {
            List<FoundSegment> segments = new ArrayList<>();
            for (Entry entry : log) {
                switch (entry.kind()) {
                    case SEGMENT_START -> segments.add(new FoundSegment(entry));
                    case EDITS -> segments.get(segments.size() - 1).edits.add(entry);
                    case SEGMENT_END -> segments.get(segments.size() - 1).finalized = true;
                    case DISCARD -> cutAfter(segments, entry.txIds().first() - 1);
                    case STORAGE -> {
                        StorageRecord record = StorageRecord.fromPayload(entry.payload());
                        if (record.event() == StorageRecord.Event.ROLLBACK) {
                            cutAfter(segments, record.rollbackPoint().get().lastTxId());
                        }
                    }
                    default -> {}
                }
            }
            segments.removeIf(segment -> segment.edits.isEmpty());
            return segments;
        }

        private static void cutAfter(List<FoundSegment> segments, long txId) {
            segments.removeIf(segment -> segment.start.txIds().first() > txId);
        }

        Optional<SegmentInfo> segmentInfoFrom(long fromTxId) {
            TxRange txIds = TxRange.of(
                    start.txIds().first(), edits.get(edits.size() - 1).txIds().last());
            if (txIds.last() < fromTxId) {
                return Optional.empty();
            }
            // Every second batch can be found directly, so that readers have something to skip.
            Entry begin = edits.get(0);
            for (int i = 0; i < edits.size(); i += 2) {
                if (edits.get(i).txIds().first() <= fromTxId) {
                    begin = edits.get(i);
                }
            }
            boolean whole = begin == edits.get(0);
            return Optional.of(SegmentInfo.of(
                    txIds,
                    finalized,
                    Integer.parseInt(start.payload().utf8()),
                    TxRange.of(begin.txIds().first(), txIds.last()),
                    whole ? start.sn() : begin.sn()));
        }
    }

    private final class FakeWriter implements JournalWriter {
        private final Epoch epoch;
        private Optional<Epoch> fencedBy = Optional.empty();
        private boolean closed;
        private volatile Runnable watcher = () -> {};

        FakeWriter(Epoch epoch) {
            this.epoch = epoch;
        }

        @Override
        public Epoch epoch() {
            return epoch;
        }

        @Override
        public LogSummary end() {
            synchronized (FakeJournal.this) {
                return end;
            }
        }

        @Override
        public long append(EntryKind kind, TxRange txIds, Bytes payload) throws IOException {
            synchronized (FakeJournal.this) {
                while (stalled && !isFenced()) {
                    try {
                        FakeJournal.this.wait();
                    } catch (InterruptedException e) {
                        throw new IOException("Interrupted", e);
                    }
                }
                return addUnlessEnded(kind, txIds, payload);
            }
        }

        @Override
        public long appendAhead(EntryKind kind, TxRange txIds, Bytes payload) throws IOException {
            synchronized (FakeJournal.this) {
                return addUnlessEnded(kind, txIds, payload);
            }
        }

        private long addUnlessEnded(EntryKind kind, TxRange txIds, Bytes payload) throws IOException {
            if (fencedBy.isPresent()) {
                throw new FencedException(epoch, fencedBy.get());
            }
            if (closed) {
                throw new IOException("Writer of epoch " + epoch + " was closed");
            }
            return add(epoch, kind, txIds, payload);
        }

        @Override
        public boolean awaitAllCommitted(Duration timeout) {
            return !isFenced();
        }

        @Override
        public long committedSn() {
            synchronized (FakeJournal.this) {
                return Math.min(entries.size(), committedAtMostSn);
            }
        }

        @Override
        public boolean wasSoleWriterAt(long nanos) {
            return !hasEnded();
        }

        @Override
        public boolean hasMajorityAnsweredSince(long nanos) {
            return !hasEnded() && !stalled;
        }

        @Override
        public void trackExclusivity() {
            // A fake is always known to be alone.
        }

        @Override
        public boolean grantReads(NodeId node) {
            return !hasEnded();
        }

        @Override
        public void setAdvanceWatcher(Runnable newWatcher) {
            watcher = newWatcher;
        }

        @Override
        public boolean hasEnded() {
            synchronized (FakeJournal.this) {
                return closed || isFenced();
            }
        }

        @Override
        public boolean isFenced() {
            synchronized (FakeJournal.this) {
                return fencedBy.isPresent();
            }
        }

        @Override
        public void close() {
            synchronized (FakeJournal.this) {
                closed = true;
            }
        }
    }
}

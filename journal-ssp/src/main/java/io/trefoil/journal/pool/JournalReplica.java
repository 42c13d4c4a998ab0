/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool;

import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.Promise;
import io.trefoil.journal.model.Standing;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.protocol.AppendRequest;
import io.trefoil.journal.protocol.AwaitCommitRequest;
import io.trefoil.journal.protocol.ChangeMembersRequest;
import io.trefoil.journal.protocol.ChangeReply;
import io.trefoil.journal.protocol.ChangesReply;
import io.trefoil.journal.protocol.CollectChangesRequest;
import io.trefoil.journal.protocol.CommitRequest;
import io.trefoil.journal.protocol.DoneReply;
import io.trefoil.journal.protocol.EntriesReply;
import io.trefoil.journal.protocol.FailedReply;
import io.trefoil.journal.protocol.FetchRequest;
import io.trefoil.journal.protocol.FormatRequest;
import io.trefoil.journal.protocol.ImagePartRequest;
import io.trefoil.journal.protocol.ImagesRequest;
import io.trefoil.journal.protocol.NewEpochRequest;
import io.trefoil.journal.protocol.NotFormattedReply;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.protocol.PurgeRequest;
import io.trefoil.journal.protocol.PurgedReply;
import io.trefoil.journal.protocol.RebaseRequest;
import io.trefoil.journal.protocol.RetireRequest;
import io.trefoil.journal.protocol.SegmentsReply;
import io.trefoil.journal.protocol.SegmentsRequest;
import io.trefoil.journal.protocol.StaleEpochReply;
import io.trefoil.journal.protocol.StartOverRequest;
import io.trefoil.journal.protocol.StartedOverReply;
import io.trefoil.journal.protocol.StatusReply;
import io.trefoil.journal.protocol.StatusRequest;
import io.trefoil.journal.protocol.Step;
import io.trefoil.journal.protocol.StepDownRequest;
import io.trefoil.journal.replica.ChangeDesk;
import io.trefoil.journal.replica.Replica;
import io.trefoil.journal.replica.ReplicaEffect;
import io.trefoil.journal.replica.ReplicaState;
import io.trefoil.journal.storage.JournalStorage;
import io.trefoil.journal.storage.PurgedException;
import io.trefoil.journal.storage.RecoveredJournal;
import io.trefoil.journal.storage.StorageDevice;
import io.trefoil.journal.storage.StorageIdentity;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One node's copy of one journal: carries out on its storage what the rules of {@link Replica} decide.
 *
 * <p>It has no thread. Whoever has requests performs them here himself, one caller at a time: the thread that read a
 * frame also writes, syncs and answers, and the active's flushing thread writes the local copy. A lock instead of a
 * queue, because on the commit path handing work to another thread costs more than the disk
 * ({@code docs/design/commit-path.md}); it is held over the sync, so that what waits for it shares the next one.
 *
 * <p>When the disk fails, the copy answers so, and opens its storage anew after a while; nothing is acknowledged
 * that is not durable.
 */
public final class JournalReplica implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(JournalReplica.class);

    private static final String FAILED = "storage failed";

    private static final int MAX_FETCH_BYTES = 4 << 20;

    private final String name;
    private final StorageDevice device;
    private final LongSupplier nanoTime;
    private final Supplier<NodeId> newNodeIds;
    private final Predicate<WriterId> isDeadAtOpening;
    private final Executor reopener;
    private final CommitSignal commits = new CommitSignal();
    private final Reopening reopening = new Reopening();

    private NodeId emptyNode;
    private volatile JournalStorage storage;
    private ReplicaState state;
    private StorageIdentity identity;
    /** The last one that was to be saved. If that failed half-way, nobody was given it, but it may stand on the disk. */
    private Promise tried = Promise.NONE;

    private SegmentIndex index;
    private ChangeDesk changes = ChangeDesk.EMPTY;
    private volatile String failure = "";
    private volatile boolean halted;
    private boolean closed;
    private volatile long heardNanos = Long.MIN_VALUE;
    private volatile long abreastNanos = Long.MIN_VALUE;
    private JournalObserver observer = JournalObserver.NONE;
    private volatile Runnable leaseFreed = () -> {};

    /** As the other one; storage is opened again by whoever asks for something. */
    public JournalReplica(
            String name,
            StorageDevice device,
            LongSupplier nanoTime,
            Supplier<NodeId> newNodeIds,
            Predicate<WriterId> isDeadAtOpening) {
        this(name, device, nanoTime, newNodeIds, isDeadAtOpening, Runnable::run);
    }

    /**
     * @param name for logs: node and journal
     * @param nanoTime a monotonic clock
     * @param newNodeIds makes ids that nobody had before
     * @param isDeadAtOpening whether a writer that was promised to cannot live any more when this process opens the
     *     storage, so that its lease need not be waited for
     * @param reopener opens storage again after a failure; in a thread of its own if opening may take long, since
     *     whoever asks for something here must not wait for it
     */
    public JournalReplica(
            String name,
            StorageDevice device,
            LongSupplier nanoTime,
            Supplier<NodeId> newNodeIds,
            Predicate<WriterId> isDeadAtOpening,
            Executor reopener) {
        this.name = name;
        this.device = device;
        this.nanoTime = nanoTime;
        this.newNodeIds = newNodeIds;
        this.isDeadAtOpening = isDeadAtOpening;
        this.reopener = reopener;
        this.emptyNode = newNodeIds.get();
    }

    /**
     * Opens the storage if there is any. Storage that cannot be opened is tried again later; until then this copy says
     * why it can do nothing, and is never taken for an empty one.
     */
    public synchronized void open() {
        try {
            Optional<OpenedStorage> opened = OpenedStorage.open(device);
            if (opened.isPresent()) {
                begin(opened.get(), isDeadAtOpening);
            }
        } catch (IOException e) {
            fail(e);
        }
    }

    private void begin(OpenedStorage opened, Predicate<WriterId> isDead) {
        RecoveredJournal found = opened.storage().recovered();
        ReplicaState fresh = ReplicaState.opened(
                found.identity().node(),
                opened.promise(),
                found.standing(),
                found.committed(),
                found.tail(),
                nanoTime.getAsLong());
        if (isDead.test(opened.promise().writer())) {
            fresh = Replica.writerGone(fresh, opened.promise().writer());
        }
        state = fresh;
        tried = fresh.promise();
        identity = found.identity();
        index = opened.index();
        storage = opened.storage();
        failure = "";
        // What was opened may be less than what was closed, if it was damaged.
        abreastNanos = Long.MIN_VALUE;
        if (found.standing() == Standing.REFETCHING) {
            LOG.warn("{}: damage before the end of the log, refetching behind {}", name, fresh.last());
        }
        LOG.info(
                "{}: opened node={} epoch={} last={} committed={} txid={}",
                name,
                fresh.node(),
                fresh.promise().epoch(),
                fresh.last(),
                fresh.committedSn(),
                index.lastTxId());
        commits.advance(fresh.committedSn(), index.lastTxId());
    }

    /** Who hears of syncs from now on. */
    synchronized void observedBy(JournalObserver newObserver) {
        observer = newObserver;
    }

    /** How this copy is; waits for a group that is being written. */
    public synchronized CopyStatus copyStatus() {
        CopyStatus.Builder status =
                CopyStatus.builder().formatted(isFormatted()).failure(failure);
        if (state != null) {
            status.promised(state.promise().epoch())
                    .standing(state.standing())
                    .lastSn(state.lastSn())
                    .lastTxId(state.end().lastTxId())
                    .committedSn(state.committedSn())
                    .committedTxId(index.lastTxId());
        }
        if (storage != null) {
            status.firstSn(storage.base().position().sn() + 1);
        }
        heardNanos().ifPresent(heard -> status.writerSilent(Duration.ofNanos(nanoTime.getAsLong() - heard)));
        return status.build();
    }

    /** Whether there is storage, in order or not. */
    public synchronized boolean isFormatted() {
        return state != null || !failure.isEmpty();
    }

    /** The id of the storage; before there is any, the id that it would get. */
    public synchronized NodeId node() {
        return state == null ? emptyNode : state.node();
    }

    /** The members as this copy has them, in force or not; nobody without storage. */
    public synchronized Members members() {
        return state == null ? Members.NONE : state.end().members();
    }

    public synchronized NamespaceId namespace() {
        return storage == null
                ? NamespaceId.UNKNOWN
                : storage.recovered().identity().namespace();
    }

    public synchronized Epoch promised() {
        return state == null ? Epoch.NONE : state.promise().epoch();
    }

    /** Tells when what readers may see advances. */
    public CommitSignal commits() {
        return commits;
    }

    /** When a writer was last heard, by the clock given; empty if never since the start. */
    public Optional<Long> heardNanos() {
        return heardNanos == Long.MIN_VALUE ? Optional.<Long>empty() : Optional.of(heardNanos);
    }

    /**
     * Whether this copy may answer readers alone (rule R6): not longer ago than that, the writer that it obeys spoke to
     * it, and it had committed all that the writer knew to be committed. To have been spoken to is not enough: a copy
     * that is being caught up still shows what was taken back in the entries that it lacks.
     */
    public boolean isAbreast(Duration within) {
        long since = abreastNanos;
        return failure.isEmpty() && since != Long.MIN_VALUE && nanoTime.getAsLong() - since < within.toNanos();
    }

    /** Why this copy can do nothing at the moment; empty if it can. */
    public String failure() {
        return failure;
    }

    /**
     * Performs requests in their order, as one group: what they write is durable, with one sync, when this returns.
     *
     * @return the answer to each; empty for those that have none
     * @throws RuntimeException or Error if there is a bug, or no memory: this copy answers as after a failure of the disk then
     */
    public synchronized List<Optional<PoolReply>> perform(List<PoolRequest> requests) {
        reopenIfDue();
        List<Optional<PoolReply>> replies = new ArrayList<>(requests.size());
        Performer performer = new Performer();
        try {
            for (PoolRequest request : requests) {
                replies.add(performer.perform(request));
            }
            if (halted) {
                // What the group wrote before is not durable, and will not be.
                replies = Collections.nCopies(requests.size(), Optional.of(failed(failure)));
            } else {
                performer.sync();
            }
        } catch (IOException e) {
            // Which of the answers were durable is not known: none is given.
            fail(e);
            replies = Collections.nCopies(requests.size(), Optional.of(failed(failure)));
        } catch (RuntimeException | Error e) {
            // The rules may be ahead of the disk now, and would acknowledge what is not on it: only what the disk has
            // counts.
            fail(e);
            throw e;
        }
        performer.announce();
        return replies;
    }

    /** Performs one request alone. */
    public Optional<PoolReply> perform(PoolRequest request) {
        return perform(Collections.singletonList(request)).get(0);
    }

    /**
     * Answers a reader if this copy may do so alone ({@link #isAbreast}) at the moment of answering: an operator's
     * START_OVER may empty it at any other.
     */
    public synchronized Optional<PoolReply> performIfAbreast(PoolRequest request, Duration within) {
        return isAbreast(within) ? perform(request) : Optional.<PoolReply>empty();
    }

    /** The process of a writer is known to be gone. */
    public synchronized void writerGone(WriterId writer) {
        if (state != null) {
            ReplicaState before = state;
            state = Replica.writerGone(state, writer);
            tellIfFreed(before);
        }
    }

    /** Who hears that the lease of a writer ended before its time; under the lock of this copy. */
    public void onLeaseFreed(Runnable watcher) {
        leaseFreed = watcher;
    }

    private void tellIfFreed(ReplicaState before) {
        long nowNanos = nanoTime.getAsLong();
        if (before.lease().remainingMillis(nowNanos) > 0 && state.lease().remainingMillis(nowNanos) == 0) {
            leaseFreed.run();
        }
    }

    /** Whether the lease of a writer still runs here. */
    public synchronized boolean isLeaseHeld(WriterId writer) {
        return state != null
                && state.promise().writer().equals(writer)
                && state.lease().remainingMillis(nanoTime.getAsLong()) > 0;
    }

    /** What this copy has heard of the term that it is in; empty without storage. */
    public synchronized Optional<HeardTerm> heardTerm() {
        if (state == null || !failure.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(HeardTerm.of(
                state.promise().epoch(),
                Duration.ofMillis(state.lease().remainingMillis(nanoTime.getAsLong())),
                commits.committedTxId(),
                isAbreast(Duration.ofMillis(state.promise().leaseMillis()))));
    }

    /**
     * Reads entries, by any thread and without waiting for those who write. Storage that cannot be read is taken for
     * failed: opening it again finds what is damaged (rule R9), and until then this copy would be chosen and asked for
     * entries that it does not have.
     *
     * @param reader {@link Epoch#NONE} for readers of committed entries; the promised epoch's writer is given all
     * @throws PurgedException if {@code firstSn} is not kept any more
     * @throws IOException if the disk failed or this copy has no storage
     */
    public List<Entry> read(long firstSn, int maxBytes, Epoch reader) throws IOException {
        JournalStorage open = storage;
        if (open == null) {
            throw new IOException(name + ": no storage to read from" + (failure.isEmpty() ? "" : ": " + failure));
        }
        try {
            return read(open, firstSn, maxBytes, reader);
        } catch (PurgedException e) {
            throw e;
        } catch (IOException e) {
            failedToRead(open, e);
            throw e;
        }
    }

    private synchronized void failedToRead(JournalStorage used, IOException cause) {
        // Storage that was closed meanwhile cannot be read either.
        if (storage == used) {
            fail(cause);
        }
    }

    private List<Entry> read(JournalStorage open, long firstSn, int maxBytes, Epoch reader) throws IOException {
        // Asked before the read: what was committed then cannot have been cut since.
        long lastSn = readableSn(reader);
        List<Entry> entries = lastSn < firstSn ? Collections.<Entry>emptyList() : open.read(firstSn, maxBytes);
        int count = 0;
        while (count < entries.size() && entries.get(count).sn() <= lastSn) {
            count++;
        }
        return count == entries.size() ? entries : entries.subList(0, count);
    }

    /**
     * Answers a reader, by any thread. It may have to wait for a group that is being written, but nobody who writes waits
     * for it: reading megabytes from a disk takes longer than a batch may.
     */
    public PoolReply fetch(FetchRequest request) {
        JournalStorage open;
        NodeId node;
        long committedSn;
        synchronized (this) {
            reopenIfDue();
            Optional<PoolReply> refusal = refusal();
            if (refusal.isPresent()) {
                return refusal.get();
            }
            if (storage == null) {
                return failed("closed");
            }
            open = storage;
            node = state.node();
            committedSn = state.committedSn();
        }
        try {
            return entries(request, open, node, committedSn);
        } catch (IOException e) {
            failedToRead(open, e);
            return FailedReply.of(node, name + ": " + e);
        }
    }

    private PoolReply entries(FetchRequest request, JournalStorage open, NodeId node, long committedSn)
            throws IOException {
        // The number comes from the wire: nobody makes this node read more at once than it is good for.
        int maxBytes = Math.max(1, Math.min(request.maxBytes(), MAX_FETCH_BYTES));
        try {
            return EntriesReply.of(node, read(open, request.firstSn(), maxBytes, request.reader()), committedSn);
        } catch (PurgedException e) {
            return PurgedReply.of(node, e.base());
        }
    }

    private long readableSn(Epoch reader) {
        if (reader.equals(Epoch.NONE)) {
            return commits.committedSn();
        }
        synchronized (this) {
            boolean isWriter = state != null && reader.equals(state.promise().epoch());
            return isWriter ? state.lastSn() : commits.committedSn();
        }
    }

    @Override
    public synchronized void close() throws IOException {
        closed = true;
        commits.close();
        JournalStorage open = storage;
        storage = null;
        if (open != null) {
            open.close();
        }
    }

    private void reopenIfDue() {
        boolean due =
                storage == null && !closed && !halted && !failure.isEmpty() && reopening.begins(nanoTime.getAsLong());
        if (due) {
            reopener.execute(this::reopen);
        }
    }

    /** Opens the storage without the lock: reading a long log takes long, and questions are answered meanwhile. */
    private void reopen() {
        try {
            reopened(OpenedStorage.openWritable(device));
        } catch (IOException e) {
            notReopened(e);
        } catch (RuntimeException | Error e) {
            notReopened(new IOException("Opening storage again failed unexpectedly", e));
            throw e;
        }
    }

    private synchronized void reopened(Optional<OpenedStorage> opened) {
        reopening.ended();
        boolean wanted = storage == null && !closed && !halted;
        if (wanted && !opened.isPresent()) {
            reopening.failedAt(nanoTime.getAsLong());
            if (state == null) {
                // A format that failed left nothing behind: this copy is empty, and may be formatted again.
                failure = "";
            }
        } else if (wanted) {
            // The writer may live in this process: unlike at a start, nobody is known to be dead.
            begin(opened.get(), writer -> false);
            reopening.works();
            LOG.info("{}: storage works again", name);
        } else {
            opened.ifPresent(OpenedStorage::closeQuietly);
        }
    }

    private synchronized void notReopened(IOException cause) {
        reopening.endedInVain();
        if (storage == null && !halted) {
            fail(cause);
        }
    }

    private void fail(Throwable cause) {
        boolean isFirst = failure.isEmpty();
        // Before anything else: there may be no memory for it.
        failure = FAILED;
        if (isFirst) {
            LOG.error("{}: storage failed, this node acknowledges nothing until it works again", name, cause);
        }
        failure = FAILED + ": " + cause;
        reopening.failedAt(nanoTime.getAsLong());
        closeQuietly();
    }

    private void halt(String reason) {
        LOG.error("{}: this node stops, an operator must look: {}", name, reason);
        failure = reason;
        halted = true;
        closeQuietly();
    }

    private void closeQuietly() {
        JournalStorage open = storage;
        storage = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                LOG.warn("{}: closing failed storage failed too: {}", name, e.toString());
            }
        }
    }

    /** What everybody is told who wants something of storage that is not there or does not work. */
    private Optional<PoolReply> refusal() {
        if (!failure.isEmpty()) {
            return Optional.of(failed(failure));
        }
        return state == null ? Optional.<PoolReply>of(NotFormattedReply.of(emptyNode)) : Optional.<PoolReply>empty();
    }

    private PoolReply failed(String reason) {
        return FailedReply.of(node(), name + ": " + reason);
    }

    /** Carries out one group of requests. */
    private final class Performer implements PoolRequest.Handler<Optional<PoolReply>>, ReplicaEffect.Handler<Void> {
        private boolean dirty;
        private boolean retired;
        private long entryCount;
        private long payloadBytes;
        private long committedBefore = state == null ? 0 : state.committedSn();
        private Optional<PoolReply> answer = Optional.empty();
        private IOException failed;

        Optional<PoolReply> perform(PoolRequest request) throws IOException {
            boolean makesStorage = request instanceof FormatRequest || request instanceof StartOverRequest;
            Optional<PoolReply> refusal = makesStorage ? Optional.<PoolReply>empty() : refusal();
            if (refusal.isPresent()) {
                return refusal;
            }
            Optional<PoolReply> reply = request.dispatch(this);
            if (failed != null) {
                throw failed;
            }
            return reply;
        }

        void sync() throws IOException {
            if (dirty) {
                dirty = false;
                long begunNanos = nanoTime.getAsLong();
                storage.sync();
                observer.synced(nanoTime.getAsLong() - begunNanos, entryCount, payloadBytes);
                entryCount = 0;
                payloadBytes = 0;
            }
        }

        /** Shows readers what is committed since; after the sync, so that a reader never sees what this node may lose. */
        void announce() {
            if (state != null && storage != null && state.committedSn() > committedBefore) {
                commits.advance(state.committedSn(), index.lastTxId());
            }
        }

        private Optional<PoolReply> perform(Step<ReplicaState, ReplicaEffect> step) {
            answer = Optional.empty();
            ReplicaState before = state;
            state = step.next();
            for (ReplicaEffect effect : step.effects()) {
                effect.performedBy(this);
                if (failed != null) {
                    state = before;
                    return Optional.empty();
                }
            }
            return answer;
        }

        @Override
        public Void savePromise(Promise promise, Standing standing) {
            return doing(() -> {
                sync();
                tried = promise;
                storage.savePromise(promise, standing);
            });
        }

        @Override
        public Void truncate(long lastSn) {
            return doing(() -> {
                sync();
                storage.truncate(lastSn);
            });
        }

        @Override
        public Void write(List<Entry> entries, long committedSn) {
            return doing(() -> {
                dirty = true;
                entryCount += entries.size();
                for (Entry entry : entries) {
                    payloadBytes += entry.payload().size();
                }
                storage.write(entries, committedSn);
            });
        }

        @Override
        public Void rebase(LogSummary base) {
            return doing(() -> {
                storage.rebase(base);
                index = new SegmentIndex(base);
                committedBefore = 0;
            });
        }

        @Override
        public Void moveAside() {
            // After the step: if it fails, what is on the disk then is found when storage is opened again.
            retired = true;
            return null;
        }

        @Override
        public Void committed(long sn) {
            return doing(() -> index.readUpTo(sn, storage));
        }

        @Override
        public Void answer(PoolReply reply) {
            answer = Optional.of(reply);
            return null;
        }

        @Override
        public Void halt(String reason) {
            JournalReplica.this.halt(reason);
            answer = Optional.of(failed(reason));
            return null;
        }

        private Void doing(StorageWork work) {
            try {
                work.run();
            } catch (IOException e) {
                failed = e;
            }
            return null;
        }

        @Override
        public Optional<PoolReply> on(NewEpochRequest request) {
            long firstSn = storage.base().position().sn() + 1;
            Epoch before = state.promise().epoch();
            Optional<PoolReply> reply = perform(Replica.on(state, request, firstSn, nanoTime.getAsLong()));
            if (!state.promise().epoch().equals(before)) {
                // The writer that said so is not the one that it obeys now.
                abreastNanos = Long.MIN_VALUE;
            }
            return reply;
        }

        @Override
        public Optional<PoolReply> on(AppendRequest request) {
            long now = nanoTime.getAsLong();
            Optional<PoolReply> reply = perform(Replica.on(state, request, now));
            if (!request.epoch().isBelow(state.promise().epoch())) {
                heardNanos = now;
                abreastNanos = state.committedSn() >= request.committedSn() ? now : Long.MIN_VALUE;
            }
            return reply;
        }

        @Override
        public Optional<PoolReply> on(CommitRequest request) {
            return perform(Replica.on(state, request));
        }

        @Override
        public Optional<PoolReply> on(StepDownRequest request) {
            ReplicaState before = state;
            Optional<PoolReply> reply = perform(Replica.on(state, request));
            tellIfFreed(before);
            return reply;
        }

        @Override
        public Optional<PoolReply> on(RebaseRequest request) {
            return perform(Replica.on(state, request, nanoTime.getAsLong()));
        }

        @Override
        public Optional<PoolReply> on(FetchRequest request) {
            try {
                return Optional.of(entries(request, storage, state.node(), state.committedSn()));
            } catch (IOException e) {
                failed = e;
                return Optional.empty();
            }
        }

        @Override
        public Optional<PoolReply> on(StatusRequest request) {
            return Optional.<PoolReply>of(status());
        }

        @Override
        public Optional<PoolReply> on(AwaitCommitRequest request) {
            // Waiting is for those who have a thread or a callback for it; who asks here is told at once.
            return Optional.<PoolReply>of(status());
        }

        private StatusReply status() {
            return StatusReply.of(
                    node(),
                    namespace(),
                    state.promise(),
                    state.end(),
                    state.committed(),
                    storage.base().position().sn() + 1,
                    state.standing(),
                    state.lease().remainingMillis(nanoTime.getAsLong()));
        }

        @Override
        public Optional<PoolReply> on(SegmentsRequest request) {
            return Optional.<PoolReply>of(
                    SegmentsReply.of(node(), index.from(request.fromTxId()), state.committedSn(), index.lastTxId()));
        }

        @Override
        public Optional<PoolReply> on(FormatRequest request) {
            if (!failure.isEmpty() && !request.force()) {
                return Optional.of(failed(failure));
            }
            if (state != null && !request.force()) {
                boolean sameAgain =
                        state.node().equals(request.node()) && namespace().equals(request.namespace());
                return Optional.of(
                        sameAgain
                                ? DoneReply.of(node())
                                : failed("is formatted already, for " + namespace()
                                        + "; format with force to move that aside"));
            }
            if (state == null && !request.force() && !request.node().equals(emptyNode)) {
                return Optional.of(failed("wanted node " + request.node() + ", this is " + emptyNode));
            }
            doing(() -> format(request));
            return Optional.<PoolReply>of(DoneReply.of(request.node()));
        }

        private void format(FormatRequest request) throws IOException {
            closeQuietly();
            state = null;
            device.format(StorageIdentity.of(request.node(), request.namespace()), request.base(), request.entries());
            emptyNode = newNodeIds.get();
            begin(OpenedStorage.open(device).get(), isDeadAtOpening);
            committedBefore = state.committedSn();
        }

        @Override
        public Optional<PoolReply> on(RetireRequest request) {
            Optional<PoolReply> reply = perform(Replica.on(state, request));
            if (!retired) {
                return reply;
            }
            retired = false;
            doing(this::setStorageAside);
            return Optional.<PoolReply>of(NotFormattedReply.of(emptyNode));
        }

        private void setStorageAside() throws IOException {
            sync();
            NodeId old = state.node();
            closeQuietly();
            state = null;
            device.moveAside();
            LOG.warn(
                    "{}: the storage {} was a member once and is none any more, another took its place or an operator"
                            + " removed it; it was moved aside, this node begins anew as {}",
                    name,
                    old,
                    emptyNode);
        }

        @Override
        public Optional<PoolReply> on(ChangeMembersRequest request) {
            long now = nanoTime.getAsLong();
            changes = changes.with(request.change(), now);
            return Optional.<PoolReply>of(
                    ChangeReply.of(node(), changes.progress(request.change().ticket(), now)));
        }

        @Override
        public Optional<PoolReply> on(CollectChangesRequest request) {
            if (request.epoch().isBelow(state.promise().epoch())) {
                return Optional.<PoolReply>of(
                        StaleEpochReply.of(node(), state.promise().epoch()));
            }
            long now = nanoTime.getAsLong();
            changes = changes.collected(request.progress(), now);
            return Optional.<PoolReply>of(ChangesReply.of(node(), changes.wanted(now)));
        }

        @Override
        public Optional<PoolReply> on(StartOverRequest request) {
            if (!isFormatted()) {
                return Optional.<PoolReply>of(NotFormattedReply.of(emptyNode));
            }
            if (!request.node().equals(node())) {
                return Optional.of(failed("wanted node " + request.node() + ", this is " + node()));
            }
            // The id may be another one afterwards.
            answer = Optional.empty();
            doing(this::startOver);
            return answer;
        }

        /** Images are the node's, who answers without asking its copy of the journal; here a writer asks for them. */
        @Override
        public Optional<PoolReply> on(ImagesRequest request) {
            return Optional.of(failed("images are given to readers only"));
        }

        @Override
        public Optional<PoolReply> on(ImagePartRequest request) {
            return Optional.of(failed("images are given to readers only"));
        }

        private void startOver() throws IOException {
            sync();
            boolean mayOnlyBeClosed = storage == null && !halted;
            String movedTo = mayOnlyBeClosed && opensAgain() ? "" : replaceStorage();
            if (state != null) {
                committedBefore = 0;
            }
            answer = Optional.of(StartedOverReply.of(node(), movedTo));
        }

        /** A full disk, for example, that is not full any more: nothing is wrong with what it holds. */
        private boolean opensAgain() {
            try {
                begin(OpenedStorage.openWritable(device).get(), writer -> false);
                return true;
            } catch (IOException e) {
                LOG.warn("{}: storage that is to start over cannot be opened: {}", name, e.toString());
                return false;
            }
        }

        private String replaceStorage() throws IOException {
            if (state == null) {
                // Neither promise nor identity can be known: only somebody else may begin here (rules R1, R8).
                String movedTo = device.moveAside();
                emptyNode = newNodeIds.get();
                failure = "";
                LOG.warn("{}: storage that cannot be opened was set aside to {}", name, movedTo);
                return movedTo;
            }
            Promise known = state.promise();
            closeQuietly();
            String movedTo = device.startOver(identity, tried.epoch().isAbove(known.epoch()) ? tried : known);
            halted = false;
            begin(OpenedStorage.open(device).get(), writer -> false);
            LOG.warn("{}: starts over, the old storage is at {}", name, movedTo);
            return movedTo;
        }

        @Override
        public Optional<PoolReply> on(PurgeRequest request) {
            if (request.epoch().isBelow(state.promise().epoch())) {
                return Optional.<PoolReply>of(
                        StaleEpochReply.of(node(), state.promise().epoch()));
            }
            long firstSn = Math.min(index.firstSnFor(state.purgeableBelow(request.minTxId())), state.committedSn());
            doing(() -> {
                storage.purge(firstSn);
                index.purge(storage.base().position().sn() + 1);
            });
            return Optional.<PoolReply>of(DoneReply.of(node()));
        }
    }

    /** Work on the storage that may fail. */
    private interface StorageWork {
        void run() throws IOException;
    }
}

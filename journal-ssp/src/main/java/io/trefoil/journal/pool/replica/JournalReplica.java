/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.replica;

import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.pool.disk.DiskAlarm;
import io.trefoil.journal.pool.disk.ReplicaThreads;
import io.trefoil.journal.protocol.AwaitCommitRequest;
import io.trefoil.journal.protocol.EntriesReply;
import io.trefoil.journal.protocol.FailedReply;
import io.trefoil.journal.protocol.FetchRequest;
import io.trefoil.journal.protocol.NotFormattedReply;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.protocol.PurgedReply;
import io.trefoil.journal.protocol.SegmentsRequest;
import io.trefoil.journal.protocol.StatusRequest;
import io.trefoil.journal.replica.Replica;
import io.trefoil.journal.replica.ReplicaState;
import io.trefoil.journal.storage.JournalStorage;
import io.trefoil.journal.storage.PurgedException;
import io.trefoil.journal.storage.StorageDevice;
import io.trefoil.journal.storage.StorageIdentity;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * One node's replica of one journal: applies to its storage what the rules of {@link Replica} decide.
 *
 * <p>It has no thread of its own for changes. A caller performs its requests on its own thread, one caller at a time,
 * and may have to wait for the disk: the journal's own thread, which read a frame, also writes, syncs and answers
 * ({@code docs/design/commit-path.md}); the active's writer delegates to {@link #disk}. A lock makes callers take
 * turns, and is held during the sync, so that requests that wait for it share the next one.
 *
 * <p>Nothing else takes that lock. Questions are answered from the state at the disk's last answer ({@link
 * ReplicaView}), even while the disk hangs; reads are bounded by the caller's timeout.
 *
 * <p>When the disk fails, the replica says so in its answers, and reopens its storage after a while; nothing is
 * acknowledged that is not durable.
 */
public final class JournalReplica implements Closeable {

    private static final int MAX_FETCH_BYTES = 4 << 20;

    /** A disk that works has done by then what it was doing. */
    private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(2);

    /** A disk that works has done by then what it is doing. */
    private static final Duration AT_WORK = Duration.ofMillis(5);

    private final String name;
    private final LongSupplier nanoTime;
    private final ReplicaThreads threads;
    private final CommitSignal commits = new CommitSignal();
    private final WriterContact contact = new WriterContact();
    private final StorageDevice device;
    private final ReplicaStorage replica;
    private final GroupPerformer performer;

    /** Its holder may change the replica, and wait for the disk. */
    private final ReentrantLock turn = new ReentrantLock();
    /** Since when its holder works; empty if there is none. */
    private volatile Optional<Long> atWorkSinceNanos = Optional.empty();

    private volatile Runnable leaseFreed = () -> {};
    /**
     * Whether a lease ended in the current turn, so that the watcher is told once that is visible. Changed only during
     * a turn.
     */
    private boolean freesLease;

    /** As the other one, but callers do all the work on their own threads. */
    public JournalReplica(
            String name,
            StorageDevice device,
            LongSupplier nanoTime,
            Supplier<NodeId> newNodeIds,
            Predicate<WriterId> isDeadAtOpening) {
        this(name, device, nanoTime, newNodeIds, isDeadAtOpening, ReplicaThreads.NONE);
    }

    /**
     * @param name for logs: node and journal
     * @param nanoTime a monotonic clock
     * @param newNodeIds makes ids that nobody had before
     * @param isDeadAtOpening whether a writer that was promised to cannot live any more when this process opens the
     *     storage, so that its lease need not be waited for
     * @param threads wait for the disk in place of those who must not
     */
    public JournalReplica(
            String name,
            StorageDevice device,
            LongSupplier nanoTime,
            Supplier<NodeId> newNodeIds,
            Predicate<WriterId> isDeadAtOpening,
            ReplicaThreads threads) {
        this.name = name;
        this.nanoTime = nanoTime;
        this.threads = threads;
        this.device = device;
        this.replica =
                new ReplicaStorage(name, device, nanoTime, newNodeIds, isDeadAtOpening, commits, contact, threads);
        this.performer = new GroupPerformer(replica, contact, nanoTime, this::entries, this::noteIfFreed);
    }

    /**
     * Opens the storage if there is any. Storage that cannot be opened is tried again later; until then, and until it
     * is open, this replica says why it can do nothing, and is never taken for an empty one.
     *
     * @return done when it is open, or has failed
     */
    public CompletableFuture<Void> open() {
        CompletableFuture<Void> opened = new CompletableFuture<>();
        inTurn(replica::opening);
        threads.apart(() -> {
            try {
                open(replica::open, replica::opened, replica::notOpened);
            } finally {
                opened.complete(null);
            }
        });
        return opened;
    }

    /** Has the turn, and changes the replica; it is shown as it is then. */
    private <T> T atWork(Supplier<T> work) {
        turn.lock();
        atWorkSinceNanos = Optional.of(nanoTime.getAsLong());
        try {
            return work.get();
        } finally {
            try {
                replica.publish();
            } finally {
                // Also without memory to publish: else nobody would ever have the turn again.
                boolean freed = freesLease;
                freesLease = false;
                atWorkSinceNanos = Optional.empty();
                turn.unlock();
                if (freed) {
                    leaseFreed.run();
                }
            }
        }
    }

    /** Who hears of syncs from now on. */
    public void observedBy(JournalObserver newObserver) {
        performer.observedBy(newObserver);
    }

    /** Performs what may have to wait for the disk, one after the other, for those who must not. */
    public Executor disk() {
        return threads::disk;
    }

    /**
     * For how long the disk owes an answer to one single call; zero if it owes none, as also while it does much that
     * takes long.
     */
    public Duration diskSilent() {
        return device.silent();
    }

    /** How this replica is. */
    public ReplicaStatus replicaStatus() {
        ReplicaView seen = replica.view();
        ReplicaStatus.Builder status = ReplicaStatus.builder()
                .formatted(isFormatted())
                .failure(failure())
                .diskSilent(diskSilent())
                .firstSn(seen.firstSn());
        if (seen.state().isPresent()) {
            ReplicaState state = seen.state().get();
            status.promised(state.promise().epoch())
                    .completeness(state.completeness())
                    .lastSn(state.lastSn())
                    .lastTxId(state.end().lastTxId())
                    .committedSn(state.committedSn())
                    .committedTxId(commits.committedTxId());
        }
        heardNanos().ifPresent(heard -> status.writerSilent(Duration.ofNanos(nanoTime.getAsLong() - heard)));
        return status.build();
    }

    /** Whether there is storage, in order or not. */
    public boolean isFormatted() {
        return replica.view().formatted() || replica.isOutOfOrder();
    }

    /** The id of the storage; before there is any, the id that it would get. */
    public NodeId node() {
        return replica.view().node();
    }

    /** The members as this replica has them, in force or not; nobody without storage. */
    public Members members() {
        return replica.view().members();
    }

    /** The beginning of the journal that this replica goes back to; {@link Incarnation#NONE} without storage. */
    public Incarnation incarnation() {
        return replica.view().state().map(ReplicaState::incarnation).orElse(Incarnation.NONE);
    }

    public NamespaceId namespace() {
        return replica.view().namespace();
    }

    public Epoch promised() {
        return replica.view().promised();
    }

    /** Tells when what readers may see advances. */
    public CommitSignal commits() {
        return commits;
    }

    /** When a writer was last heard, by the clock given; empty if never since the start. */
    public Optional<Long> heardNanos() {
        return contact.heardNanos();
    }

    /**
     * Whether this replica may answer readers alone (rule R6): not longer ago than that, the writer that it obeys spoke to
     * it, and it had committed all that the writer knew to be committed. To have been spoken to is not enough: a replica
     * that is being caught up still shows what became void by the entries that it lacks.
     */
    public boolean isAbreast(Duration within) {
        return failure().isEmpty() && replica.view().abreast().isWithin(nanoTime.getAsLong(), within);
    }

    /** Waits until the transactions that this replica holds at this moment are known to be committed, or the time is up. */
    public void awaitWritten(Duration limit) throws InterruptedException {
        Optional<ReplicaState> state = replica.view().state();
        if (state.isPresent()) {
            commits.awaitTxId(state.get().end().lastTxId() - 1, limit.toMillis());
        }
    }

    /** Why this replica can do nothing at the moment; empty if it can. */
    public String failure() {
        return replica.failure();
    }

    /**
     * Performs requests in their order, as one group: what they write is durable, with one sync, when this returns. It
     * may take as long as the disk takes.
     *
     * @return the answer to each; empty for those that have none
     * @throws RuntimeException or Error if there is a bug, or no memory: this replica answers as after a failure of the disk then
     */
    public List<Optional<PoolReply>> perform(List<PoolRequest> requests) {
        return atWork(() -> performGroup(requests));
    }

    private List<Optional<PoolReply>> performGroup(List<PoolRequest> requests) {
        reopenIfDue();
        List<Optional<PoolReply>> replies = new ArrayList<>(requests.size());
        performer.begin();
        try {
            for (PoolRequest request : requests) {
                replies.add(performer.perform(request));
            }
            if (replica.isHalted()) {
                // What the group wrote before is not durable, and will not be.
                replies = allFailed(requests.size());
            } else {
                performer.sync();
                performer.announce();
            }
        } catch (IOException e) {
            // Which of the answers were durable is not known: none is given.
            replica.fail(e);
            replies = allFailed(requests.size());
        } catch (RuntimeException | Error e) {
            // The rules may be ahead of the disk now, and would acknowledge what is not on it: only what the disk has
            // counts.
            replica.fail(e);
            throw e;
        }
        return replies;
    }

    private List<Optional<PoolReply>> allFailed(int count) {
        return Collections.nCopies(count, Optional.of(replica.failed(failure())));
    }

    /** Performs one request alone: a question at once, anything else as {@link #perform(List)}. */
    public Optional<PoolReply> perform(PoolRequest request) {
        return isQuestion(request)
                ? Optional.of(answer(request))
                : perform(Collections.singletonList(request)).get(0);
    }

    /** Whether a request is answered without waiting for the disk. */
    public static boolean isQuestion(PoolRequest request) {
        return request instanceof StatusRequest
                || request instanceof SegmentsRequest
                || request instanceof AwaitCommitRequest;
    }

    private PoolReply answer(PoolRequest question) {
        if (!failure().isEmpty()) {
            reopenIfNobodyIsAtWork();
        }
        return replica.asking(() -> {
            // As long as it is asked neither changes.
            ReplicaView seen = replica.view();
            String failure = failure();
            if (!failure.isEmpty()) {
                return failed(seen.node(), failure + silence());
            }
            if (!seen.state().isPresent()) {
                return NotFormattedReply.of(seen.node());
            }
            // Waiting is for those who have a thread or a callback for it; who asks here is told at once.
            return question instanceof SegmentsRequest
                    ? replica.segments(((SegmentsRequest) question).fromTxId())
                    : status(seen.state().get());
        });
    }

    /** What is to be said of a disk that hangs, behind something else. */
    private String silence() {
        Duration silent = diskSilent();
        return silent.compareTo(DiskAlarm.LONG) > 0
                ? "; its disk has not answered for " + silent.toMillis() / 1_000 + " s"
                : "";
    }

    private PoolReply status(ReplicaState state) {
        // Read in this order: a group that ended in between has been published by now.
        long leaseMillis = leaseMillis();
        ReplicaView seen = replica.view();
        return GroupPerformer.status(seen.node(), seen.namespace(), state, seen.firstSn(), leaseMillis)
                .diskSilent(diskSilent().toMillis());
    }

    /**
     * How long the lease runs yet. While a group is being performed it is counted from the group's beginning: the group
     * may hold what renews it, and nobody is told that it is over before that is known.
     */
    private long leaseMillis() {
        Optional<Long> busySince = atWorkSinceNanos;
        Optional<ReplicaState> state = replica.view().state();
        long asOf = busySince.isPresent() ? busySince.get() : nanoTime.getAsLong();
        return state.isPresent() ? state.get().lease().remainingMillis(asOf) : 0;
    }

    private PoolReply failed(NodeId node, String why) {
        return FailedReply.of(node, name + ": " + why);
    }

    /**
     * Answers a reader's question if this replica may do so alone ({@link #isAbreast}) at the moment of answering: an operator's
     * START_OVER may empty it at any other.
     */
    public Optional<PoolReply> performIfAbreast(PoolRequest question, Duration within) {
        return replica.asking(() -> isAbreast(within) ? Optional.of(answer(question)) : Optional.<PoolReply>empty());
    }

    /**
     * A writer appears to be down: its lease ends as soon as it may no longer believe that it is alone.
     *
     * @return when to say it again: when that is over, or soon if the disk is at work, for which nobody waits here; zero if nobody
     *     believes in that writer any more
     */
    public Duration writerGone(WriterId writer) {
        if (!turn.tryLock()) {
            return AT_WORK;
        }
        try {
            ReplicaState before = replica.state();
            if (before == null || !before.promise().writer().equals(writer)) {
                return Duration.ZERO;
            }
            replica.state(Replica.writerGone(before, writer));
            replica.publish();
            long leftMillis = replica.state().lease().remainingMillis(nanoTime.getAsLong());
            if (leftMillis == 0) {
                leaseFreed.run();
            }
            return Duration.ofMillis(leftMillis);
        } finally {
            turn.unlock();
        }
    }

    /** Who hears that the lease of a writer ended before its time, when {@link #heardTerm} says so; it must wait for nothing. */
    public void onLeaseFreed(Runnable watcher) {
        leaseFreed = watcher;
    }

    private void noteIfFreed(ReplicaState before) {
        long nowNanos = nanoTime.getAsLong();
        freesLease |= before.lease().remainingMillis(nowNanos) > 0
                && replica.state().lease().remainingMillis(nowNanos) == 0;
    }

    /** Whether the lease of a writer still runs here, as far as is known. */
    public boolean isLeaseHeld(WriterId writer) {
        return leaseMillis() > 0
                && replica.view()
                        .state()
                        .filter(state -> state.promise().writer().equals(writer))
                        .isPresent();
    }

    /**
     * What this replica has heard of the term that it is in; empty without storage, and if the disk is at work on what
     * may have renewed a lease that would be over.
     */
    public Optional<HeardTerm> heardTerm() {
        boolean mayBeHeld = leaseMillis() > 0;
        ReplicaView seen = replica.view();
        if (!seen.state().isPresent() || !failure().isEmpty()) {
            return Optional.empty();
        }
        ReplicaState state = seen.state().get();
        long leftMillis = state.lease().remainingMillis(nanoTime.getAsLong());
        if (mayBeHeld && leftMillis == 0) {
            return Optional.empty();
        }
        return Optional.of(HeardTerm.of(
                state.promise().epoch(),
                Duration.ofMillis(leftMillis),
                commits.committedTxId(),
                isAbreast(Duration.ofMillis(state.promise().leaseMillis()))));
    }

    /**
     * Reads entries, by any thread and without waiting for those who write, but for as long as the disk takes. Storage
     * that cannot be read is taken for failed: opening it again finds what is damaged (rule R9), and until then this
     * replica would be chosen and asked for entries that it does not have.
     *
     * @throws PurgedException if the first one is not kept any more
     * @throws IOException if the disk failed, this replica has no storage, or holds another incarnation of the journal
     */
    public List<Entry> read(FetchRequest request) throws IOException {
        return read(readable(request), request);
    }

    private List<Entry> read(ReadableLog readable, FetchRequest request) throws IOException {
        try {
            return readable.read(request);
        } catch (PurgedException e) {
            throw e;
        } catch (IOException e) {
            failedToRead(readable.storage, e);
            throw e;
        }
    }

    /** What the one who asks may read, as it is now. */
    private ReadableLog readable(FetchRequest request) throws IOException {
        Optional<ReadableLog> readable = replica.asking(() -> readable(request.reader()));
        if (!readable.isPresent()) {
            throw new IOException(
                    name + ": no storage to read from" + (failure().isEmpty() ? "" : ": " + failure()));
        }
        Optional<String> strange = readable.get().whyStrange(request);
        if (strange.isPresent()) {
            throw new IOException(name + ": " + strange.get());
        }
        return readable.get();
    }

    /** While nothing changes that readers are shown: storage of a new incarnation is not read as far as the old one was. */
    private Optional<ReadableLog> readable(Epoch reader) {
        return Optional.ofNullable(replica.storage()).map(open -> new ReadableLog(open, readableSn(reader)));
    }

    /**
     * The same for those who have others to ask: what is in memory at once, else within their patience.
     *
     * @throws IOException also if the disk does not answer so soon
     */
    public List<Entry> read(FetchRequest request, Duration patience) throws IOException {
        ReadableLog readable = readable(request);
        List<Entry> inMemory = readable.readFromMemory(request);
        if (!inMemory.isEmpty() || readable.lastSn < request.firstSn()) {
            return inMemory;
        }
        return within(patience, threads::reading, () -> read(readable, request));
    }

    /** Performs a request as {@link #perform(PoolRequest)}, for those who have others to ask. */
    public Optional<PoolReply> perform(PoolRequest request, Duration patience) throws IOException {
        return isQuestion(request) ? perform(request) : within(patience, threads::disk, () -> perform(request));
    }

    private <T> T within(Duration patience, Consumer<Runnable> thread, Callable<T> work) throws IOException {
        FutureTask<T> task = new FutureTask<>(work);
        try {
            return within(patience, thread, task);
        } finally {
            // What has not begun by now is not done behind the caller's back.
            task.cancel(false);
        }
    }

    private <T> T within(Duration patience, Consumer<Runnable> thread, FutureTask<T> task) throws IOException {
        try {
            thread.accept(task);
            return task.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException(name + ": interrupted while waiting for the disk");
        } catch (RejectedExecutionException | TimeoutException e) {
            throw new IOException(
                    name + ": the disk did not answer within " + patience.toMillis() + " ms, it is silent for "
                            + diskSilent().toMillis() + " ms",
                    e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException) {
                throw (IOException) e.getCause();
            }
            throw new IllegalStateException(name + ": " + e.getCause(), e.getCause());
        }
    }

    private void failedToRead(JournalStorage used, IOException cause) {
        threads.disk(() -> inTurn(() -> {
            // Storage that was closed meanwhile cannot be read either.
            if (replica.storage() == used) {
                replica.fail(cause);
            }
        }));
    }

    /** Answers a reader, by any thread; for as long as the disk takes to read. */
    public PoolReply fetch(FetchRequest request) {
        if (!failure().isEmpty()) {
            reopenIfNobodyIsAtWork();
        }
        ReplicaView seen = replica.view();
        String failure = failure();
        if (!failure.isEmpty()) {
            return failed(seen.node(), failure);
        }
        if (!seen.state().isPresent()) {
            return NotFormattedReply.of(seen.node());
        }
        Optional<ReadableLog> readable = replica.asking(() -> readable(request.reader()));
        if (!readable.isPresent()) {
            return failed(seen.node(), "closed");
        }
        try {
            return entries(request, readable.get(), seen.state().get().committedSn());
        } catch (IOException e) {
            failedToRead(readable.get().storage, e);
            return failed(seen.node(), e.toString());
        }
    }

    private PoolReply entries(FetchRequest request) throws IOException {
        return entries(
                request, readable(request.reader()).get(), replica.state().committedSn());
    }

    private PoolReply entries(FetchRequest request, ReadableLog readable, long committedSn) throws IOException {
        NodeId node = readable.identity().node();
        Optional<String> strange = readable.whyStrange(request);
        if (strange.isPresent()) {
            return failed(node, strange.get());
        }
        // The number comes from the wire: nobody makes this node read more at once than it is good for.
        try {
            return EntriesReply.of(node, readable.read(request.atMost(MAX_FETCH_BYTES)), committedSn);
        } catch (PurgedException e) {
            return PurgedReply.of(node, e.base());
        }
    }

    private long readableSn(Epoch reader) {
        ReplicaView seen = replica.view();
        boolean isWriter = !reader.equals(Epoch.NONE) && reader.equals(seen.promised());
        return isWriter ? seen.state().get().lastSn() : commits.committedSn();
    }

    /** For good. A disk that hangs is not waited for: its thread closes the storage when it has answered. */
    @Override
    public void close() throws IOException {
        commits.close();
        FutureTask<Void> closing = new FutureTask<>(() -> {
            turn.lock();
            try {
                replica.close();
            } finally {
                try {
                    replica.publish();
                } finally {
                    turn.unlock();
                }
            }
            return null;
        });
        try {
            within(CLOSE_PATIENCE, threads::disk, closing);
        } finally {
            threads.end();
        }
    }

    private void reopenIfNobodyIsAtWork() {
        if (turn.tryLock()) {
            try {
                reopenIfDue();
            } finally {
                turn.unlock();
            }
        }
    }

    private void reopenIfDue() {
        if (replica.beginsReopening()) {
            threads.apart(() -> open(replica::openAgain, replica::reopened, replica::notReopened));
        }
    }

    /** Opens the storage out of turn: reading a long log takes long, and questions are answered meanwhile. */
    private void open(Opening opening, Consumer<Optional<OpenedStorage>> opened, Consumer<IOException> failed) {
        try {
            Optional<OpenedStorage> found = opening.open();
            inTurn(() -> opened.accept(found));
        } catch (IOException e) {
            inTurn(() -> failed.accept(e));
        } catch (RuntimeException | Error e) {
            inTurn(() -> failed.accept(new IOException("Opening storage failed unexpectedly", e)));
            throw e;
        }
    }

    private void inTurn(Runnable work) {
        atWork(() -> {
            work.run();
            return null;
        });
    }

    /** Storage, and how far it may be read by who asks. */
    private static final class ReadableLog {
        private final JournalStorage storage;
        /** Known before the read: what was committed then cannot have been cut since. */
        private final long lastSn;

        ReadableLog(JournalStorage storage, long lastSn) {
            this.storage = storage;
            this.lastSn = lastSn;
        }

        StorageIdentity identity() {
            return storage.recovered().identity();
        }

        /** Why one who reads gets nothing of this (rule R11), whatever stands at the serial numbers that he wants. */
        Optional<String> whyStrange(FetchRequest request) {
            Incarnation held = identity().incarnation();
            return request.incarnation().isKnown() && !request.incarnation().equals(held)
                    ? Optional.of(
                            "holds incarnation " + held + " of the journal, the reader reads " + request.incarnation())
                    : Optional.<String>empty();
        }

        List<Entry> read(FetchRequest request) throws IOException {
            return lastSn < request.firstSn()
                    ? Collections.<Entry>emptyList()
                    : allowed(storage.read(request.firstSn(), Math.max(1, request.maxBytes())));
        }

        List<Entry> readFromMemory(FetchRequest request) {
            return allowed(storage.readFromMemory(request.firstSn(), request.maxBytes()));
        }

        private List<Entry> allowed(List<Entry> entries) {
            int count = 0;
            while (count < entries.size() && entries.get(count).sn() <= lastSn) {
                count++;
            }
            return count == entries.size() ? entries : entries.subList(0, count);
        }
    }

    /** Opens storage without using it yet. */
    private interface Opening {
        Optional<OpenedStorage> open() throws IOException;
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.replica;

import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.pool.disk.ReplicaThreads;
import io.trefoil.journal.pool.disk.TimedDiskExecutor;
import io.trefoil.journal.pool.replica.reading.EntryReader;
import io.trefoil.journal.pool.replica.storage.CommitSignal;
import io.trefoil.journal.pool.replica.storage.ReplicaLock;
import io.trefoil.journal.pool.replica.storage.ReplicaStorage;
import io.trefoil.journal.pool.replica.storage.ReplicaView;
import io.trefoil.journal.pool.replica.storage.StorageOpener;
import io.trefoil.journal.pool.replica.storage.WriterLiveness;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.replica.Replica;
import io.trefoil.journal.replica.ReplicaState;
import io.trefoil.journal.replica.ReplicaTrace;
import io.trefoil.journal.storage.StorageDevice;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * A node's replica of a journal, which applies the decisions of the rules of {@link Replica} to its storage.
 *
 * <p>It has no thread of its own for changes. A caller performs its requests on its own thread, one caller at a time,
 * and may have to wait for the disk: the journal's own thread, which read a frame, also writes, syncs and answers
 * ({@code docs/design/commit-path.md}); the active's writer delegates to {@link #diskExecutor}. {@link ReplicaLock} makes
 * callers take turns. A turn includes the sync, so that requests that wait for it share the next one.
 *
 * <p>No other code takes a turn. Questions are answered from the state at the disk's last answer ({@link ReplicaView}),
 * even while the disk hangs; {@link #entries reads} are bounded by the caller's timeout.
 *
 * <p>When the disk fails, the replica says so in its answers, and reopens its storage after a while; it acknowledges
 * nothing that is not durable.
 */
public final class JournalReplica implements Closeable {

    /** A writer that has been silent for this long may have continued without this node. */
    private static final Duration WRITER_IS_SILENT = Duration.ofSeconds(5);

    /** The time within which a working disk finishes its current work. */
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);

    private final ReplicaThreads threads;
    private final CommitSignal commits = new CommitSignal();
    private final StorageDevice device;
    private final ReplicaTrace trace;
    private final ReplicaStorage replica;
    private final ReplicaLock turn;
    private final StorageOpener opening;
    private final PromisedWriter writer;
    private final ReplicaQueryHandler questions;
    private final TimedDiskExecutor diskExecutor;
    private final EntryReader entries;
    private final GroupPerformer performer;
    private volatile UnappliedEdit unapplied = UnappliedEdit.inMemory();

    /** Opens a replica whose callers do all the work on their own threads. */
    public JournalReplica(
            String name,
            StorageDevice device,
            LongSupplier nanoTime,
            Supplier<NodeId> newNodeIds,
            Predicate<WriterId> isDeadAtOpening) {
        this(name, device, nanoTime, newNodeIds, isDeadAtOpening, ReplicaThreads.NONE, ReplicaTrace.NONE);
    }

    /**
     * @param name for logs: node and journal
     * @param nanoTime a monotonic clock
     * @param newNodeIds creates ids that are new everywhere
     * @param isDeadAtOpening whether a writer that holds a promise cannot be alive when this process opens the storage,
     *     so that its lease need not be waited for
     * @param threads wait for the disk on behalf of callers that must not
     * @param trace told what the rules see and what is done for them
     */
    public JournalReplica(
            String name,
            StorageDevice device,
            LongSupplier nanoTime,
            Supplier<NodeId> newNodeIds,
            Predicate<WriterId> isDeadAtOpening,
            ReplicaThreads threads,
            ReplicaTrace trace) {
        WriterLiveness liveness = new WriterLiveness();
        this.threads = threads;
        this.trace = trace;
        this.device = trace == ReplicaTrace.NONE ? device : new TracedDevice(device, trace);
        this.replica = new ReplicaStorage(
                name, this.device, nanoTime, newNodeIds, isDeadAtOpening, commits, liveness, threads, trace);
        this.turn = new ReplicaLock(replica, nanoTime);
        this.opening = new StorageOpener(replica, turn, threads);
        this.writer = new PromisedWriter(replica, turn, liveness, commits, nanoTime);
        this.questions =
                new ReplicaQueryHandler(name, replica, opening, writer, device::stallTime, () -> unapplied.describe());
        this.diskExecutor = new TimedDiskExecutor(name, device::stallTime);
        this.entries = new EntryReader(name, replica, commits, turn, opening, threads, diskExecutor);
        this.performer = new GroupPerformer(
                replica, liveness, nanoTime, entries::answerInTurn, turn::recordPossibleLeaseEnd, trace);
    }

    /**
     * Opens the storage if there is any. If it cannot be opened, this is tried again later; until it is open, this
     * replica says why it can do nothing, and is never taken for an empty one.
     *
     * @return completes when it is open, or has failed
     */
    public CompletableFuture<Void> open() {
        return opening.begin();
    }

    /** Sets the observer that is notified of syncs from now on. */
    public void setObserver(JournalObserver newObserver) {
        performer.setObserver(newObserver);
    }

    /** Sets which incarnations of the journal this replica may change to ({@link LocalNamespace#mayEnter}); by default all. */
    public void restrictIncarnations(Predicate<Incarnation> allowed) {
        performer.restrictIncarnations(allowed);
    }

    /** Sets where the edit is recorded that the NameNode in this process cannot apply. Waits for no disk. */
    public void setUnappliedEdit(UnappliedEdit edit) {
        unapplied = edit;
        threads.executeLongTask(edit::loadNote);
    }

    /** The edit that the NameNode in this process cannot apply, if there is one. */
    public UnappliedEdit unappliedEdit() {
        return unapplied;
    }

    /** Whether this replica is a member at an address as far as it knows, and hears from a writer that confirms it. */
    public boolean isActiveMember(NodeAddress ownNode) {
        boolean isMember = members()
                .find(node())
                .filter(member -> member.address().equals(ownNode))
                .isPresent();
        return isMember
                && writer.timeSinceLastContact()
                        .filter(silent -> silent.compareTo(WRITER_IS_SILENT) < 0)
                        .isPresent();
    }

    /**
     * Whether its node should ask the members to add it: it works, it is not a member, and the NameNode in its process, if there is one,
     * will not terminate it soon. A member that hears from no writer asks as well: when another node was promoted, or took its place, no process
     * comes to tell it.
     */
    public boolean shouldRequestJoin(NodeAddress ownNode, LocalNamespace namespace) {
        return failureReason().isEmpty() && !isActiveMember(ownNode) && namespace.isInUse();
    }

    /** Returns the executor for callers that must not wait: it runs tasks that may wait for the disk, one after the other. */
    public Executor diskExecutor() {
        return threads::executeOnDisk;
    }

    /**
     * Returns how long the disk has not answered the oldest pending call; zero if none is pending, even during a long piece of
     * work that makes many calls.
     */
    public Duration diskStallTime() {
        return device.stallTime();
    }

    /** The status of this replica. */
    public ReplicaStatus replicaStatus() {
        ReplicaView seen = replica.shownView();
        ReplicaStatus.Builder status = ReplicaStatus.builder()
                .formatted(isFormatted())
                .failureReason(failureReason())
                .diskStallTime(diskStallTime())
                .firstSn(seen.firstSn());
        if (seen.state().isPresent()) {
            ReplicaState state = seen.state().get();
            status.promisedEpoch(state.promise().epoch())
                    .completeness(state.completeness())
                    .lastSn(state.lastSn())
                    .lastTxId(state.end().lastTxId())
                    .committedSn(state.committedSn())
                    .committedTxId(commits.committedTxId());
        }
        writer.timeSinceLastContact().ifPresent(status::timeSinceWriterContact);
        return status.build();
    }

    /** The log of this replica: at least all that it has acknowledged. Empty without storage, after a failure, and while it refetches. */
    public Optional<AcknowledgedLog> acknowledgedLog() {
        Optional<ReplicaState> state = replica.shownView().state();
        return state.filter(seen -> seen.completeness() == LogCompleteness.COMPLETE
                        && failureReason().isEmpty())
                .map(seen -> AcknowledgedLog.of(
                        seen.node(), seen.promise().epoch(), seen.end().lastTxId()));
    }

    /** Whether there is storage, usable or not. */
    public boolean isFormatted() {
        return replica.shownView().formatted() || replica.isUnusable();
    }

    /** The id of the storage; before there is any, the id that new storage would get. */
    public NodeId node() {
        return replica.shownView().node();
    }

    /** The members as recorded by this replica, in force or not; empty without storage. */
    public Members members() {
        return replica.shownView().members();
    }

    /** The incarnation of this replica; {@link Incarnation#NONE} without storage. */
    public Incarnation incarnation() {
        return replica.shownView().state().map(ReplicaState::incarnation).orElse(Incarnation.NONE);
    }

    public NamespaceId namespace() {
        return replica.shownView().namespace();
    }

    public Epoch promisedEpoch() {
        return replica.shownView().promisedEpoch();
    }

    /** Signals when readers may see more entries. */
    public CommitSignal commitSignal() {
        return commits;
    }

    /** The writer that this replica obeys, as far as the replica knows it. */
    public PromisedWriter promisedWriter() {
        return writer;
    }

    /** Reads this replica's entries. */
    public EntryReader entryReader() {
        return entries;
    }

    /**
     * Whether this replica may answer readers alone (rule R6): within that time, it heard from the writer it obeys, and had committed
     * everything known there to be committed. Hearing from the writer is not enough: a replica that is being caught up still shows
     * transactions made void by the entries it lacks.
     */
    public boolean isCaughtUp(Duration maxLag) {
        return writer.isCaughtUp(maxLag);
    }

    /** Waits until the transactions that this replica holds now are known to be committed, or the time is up. */
    public void awaitWritten(Duration limit) throws InterruptedException {
        Optional<ReplicaState> state = replica.shownView().state();
        if (state.isPresent()) {
            commits.awaitTxId(state.get().end().lastTxId() - 1, limit.toMillis());
        }
    }

    /** Returns why this replica is unusable at present; empty if it can. */
    public String failureReason() {
        return replica.failureReason();
    }

    /**
     * Performs requests in order, as one group: their writes are durable, with one sync, when this returns. May take as
     * long as the disk takes.
     *
     * @return the answer to each; empty for requests that have none
     * @throws RuntimeException or Error after a bug, or out of memory: the replica then answers as after a failure of
     *     the disk
     */
    public List<Optional<PoolReply>> perform(List<PoolRequest> requests) {
        return turn.callInTurn(() -> performGroup(requests));
    }

    private List<Optional<PoolReply>> performGroup(List<PoolRequest> requests) {
        opening.reopenIfDue();
        List<Optional<PoolReply>> replies = new ArrayList<>(requests.size());
        performer.begin();
        try {
            for (PoolRequest request : requests) {
                replies.add(performer.perform(request));
            }
            if (replica.isHalted()) {
                // What the group wrote before is not durable, and will not be.
                replies = failAll(requests.size());
            } else {
                performer.sync();
                performer.publishCommitted();
            }
        } catch (IOException e) {
            // It is unknown which of the answers were durable, so none is given.
            replica.fail(e);
            replies = failAll(requests.size());
        } catch (RuntimeException | Error e) {
            // The rules may now be ahead of the disk, and would acknowledge what is not on it; only what the disk has
            // counts.
            replica.fail(e);
            throw e;
        }
        trace.recordReplies(replies);
        return replies;
    }

    private List<Optional<PoolReply>> failAll(int count) {
        return Collections.nCopies(count, Optional.of(replica.failedReply(failureReason())));
    }

    /** Performs one request alone: a query at once, anything else as {@link #perform(List)}. */
    public Optional<PoolReply> perform(PoolRequest request) {
        return isQuery(request)
                ? Optional.of(questions.answer(request))
                : perform(Collections.singletonList(request)).get(0);
    }

    /** Whether a request is answered without waiting for the disk. */
    public static boolean isQuery(PoolRequest request) {
        return ReplicaQueryHandler.isQuery(request);
    }

    /**
     * Answers a reader's query if this replica may do so alone ({@link #isCaughtUp}) at the moment of answering,
     * since an operator's START_OVER may empty it at any other time.
     */
    public Optional<PoolReply> performIfCaughtUp(PoolRequest question, Duration maxLag) {
        return questions.answerIfCaughtUp(question, maxLag);
    }

    /** Performs a request as {@link #perform(PoolRequest)} does, but limited in time, for callers that can ask other nodes instead. */
    public Optional<PoolReply> perform(PoolRequest request, Duration limit) throws IOException {
        return isQuery(request)
                ? perform(request)
                : diskExecutor.callWithin(limit, threads::executeOnDisk, () -> perform(request));
    }

    /** Closes this for good. Does not wait for a hung disk: its thread closes the storage when the disk has answered. */
    @Override
    public void close() throws IOException {
        commits.close();
        FutureTask<Void> closing = new FutureTask<>(() -> {
            turn.close();
            return null;
        });
        try {
            diskExecutor.await(CLOSE_TIMEOUT, threads::executeOnDisk, closing);
        } finally {
            threads.shutDown();
        }
    }
}

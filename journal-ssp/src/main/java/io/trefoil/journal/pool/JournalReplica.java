/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool;

import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.protocol.EntriesReply;
import io.trefoil.journal.protocol.FailedReply;
import io.trefoil.journal.protocol.FetchRequest;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.protocol.PurgedReply;
import io.trefoil.journal.replica.Replica;
import io.trefoil.journal.replica.ReplicaState;
import io.trefoil.journal.storage.JournalStorage;
import io.trefoil.journal.storage.PurgedException;
import io.trefoil.journal.storage.StorageDevice;
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

    private static final int MAX_FETCH_BYTES = 4 << 20;

    private final String name;
    private final LongSupplier nanoTime;
    private final Executor reopener;
    private final CommitSignal commits = new CommitSignal();
    private final WriterContact contact = new WriterContact();
    private final CopyStorage copy;
    private final GroupPerformer performer;
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
        this.nanoTime = nanoTime;
        this.reopener = reopener;
        this.copy = new CopyStorage(name, device, nanoTime, newNodeIds, isDeadAtOpening, commits, contact);
        this.performer = new GroupPerformer(copy, commits, contact, nanoTime, this::entries, this::tellIfFreed);
    }

    /**
     * Opens the storage if there is any. Storage that cannot be opened is tried again later; until then this copy says
     * why it can do nothing, and is never taken for an empty one.
     */
    public synchronized void open() {
        copy.open();
    }

    /** Who hears of syncs from now on. */
    synchronized void observedBy(JournalObserver newObserver) {
        performer.observedBy(newObserver);
    }

    /** How this copy is; waits for a group that is being written. */
    public synchronized CopyStatus copyStatus() {
        CopyStatus.Builder status =
                CopyStatus.builder().formatted(isFormatted()).failure(failure());
        ReplicaState state = copy.state();
        if (state != null) {
            status.promised(state.promise().epoch())
                    .standing(state.standing())
                    .lastSn(state.lastSn())
                    .lastTxId(state.end().lastTxId())
                    .committedSn(state.committedSn())
                    .committedTxId(copy.index().lastTxId());
        }
        if (copy.storage() != null) {
            status.firstSn(copy.storage().base().position().sn() + 1);
        }
        heardNanos().ifPresent(heard -> status.writerSilent(Duration.ofNanos(nanoTime.getAsLong() - heard)));
        return status.build();
    }

    /** Whether there is storage, in order or not. */
    public synchronized boolean isFormatted() {
        return copy.isFormatted();
    }

    /** The id of the storage; before there is any, the id that it would get. */
    public synchronized NodeId node() {
        return copy.node();
    }

    /** The members as this copy has them, in force or not; nobody without storage. */
    public synchronized Members members() {
        return copy.members();
    }

    /** The beginning of the journal that this copy goes back to; {@link Incarnation#NONE} without storage. */
    public synchronized Incarnation incarnation() {
        return copy.state() == null ? Incarnation.NONE : copy.state().incarnation();
    }

    public synchronized NamespaceId namespace() {
        return copy.namespace();
    }

    public synchronized Epoch promised() {
        return copy.state() == null ? Epoch.NONE : copy.state().promise().epoch();
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
     * Whether this copy may answer readers alone (rule R6): not longer ago than that, the writer that it obeys spoke to
     * it, and it had committed all that the writer knew to be committed. To have been spoken to is not enough: a copy
     * that is being caught up still shows what was taken back in the entries that it lacks.
     */
    public boolean isAbreast(Duration within) {
        return failure().isEmpty() && contact.wasAbreast(nanoTime.getAsLong(), within);
    }

    /** Why this copy can do nothing at the moment; empty if it can. */
    public String failure() {
        return copy.failure();
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
        performer.begin();
        try {
            for (PoolRequest request : requests) {
                replies.add(performer.perform(request));
            }
            if (copy.isHalted()) {
                // What the group wrote before is not durable, and will not be.
                replies = allFailed(requests.size());
            } else {
                performer.sync();
            }
        } catch (IOException e) {
            // Which of the answers were durable is not known: none is given.
            copy.fail(e);
            replies = allFailed(requests.size());
        } catch (RuntimeException | Error e) {
            // The rules may be ahead of the disk now, and would acknowledge what is not on it: only what the disk has
            // counts.
            copy.fail(e);
            throw e;
        }
        performer.announce();
        return replies;
    }

    private List<Optional<PoolReply>> allFailed(int count) {
        return Collections.nCopies(count, Optional.of(copy.failed(failure())));
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
        ReplicaState before = copy.state();
        if (before != null) {
            copy.state(Replica.writerGone(before, writer));
            tellIfFreed(before);
        }
    }

    /** Who hears that the lease of a writer ended before its time; under the lock of this copy. */
    public void onLeaseFreed(Runnable watcher) {
        leaseFreed = watcher;
    }

    private void tellIfFreed(ReplicaState before) {
        long nowNanos = nanoTime.getAsLong();
        if (before.lease().remainingMillis(nowNanos) > 0 && copy.state().lease().remainingMillis(nowNanos) == 0) {
            leaseFreed.run();
        }
    }

    /** Whether the lease of a writer still runs here. */
    public synchronized boolean isLeaseHeld(WriterId writer) {
        ReplicaState state = copy.state();
        return state != null
                && state.promise().writer().equals(writer)
                && state.lease().remainingMillis(nanoTime.getAsLong()) > 0;
    }

    /** What this copy has heard of the term that it is in; empty without storage. */
    public synchronized Optional<HeardTerm> heardTerm() {
        ReplicaState state = copy.state();
        if (state == null || !failure().isEmpty()) {
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
        JournalStorage open = copy.storage();
        if (open == null) {
            throw new IOException(
                    name + ": no storage to read from" + (failure().isEmpty() ? "" : ": " + failure()));
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
        if (copy.storage() == used) {
            copy.fail(cause);
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
            Optional<PoolReply> refusal = copy.refusal();
            if (refusal.isPresent()) {
                return refusal.get();
            }
            open = copy.storage();
            if (open == null) {
                return copy.failed("closed");
            }
            if (request.incarnation().isKnown() && Replica.isForeign(copy.state(), request.incarnation())) {
                return copy.failed("holds incarnation " + copy.state().incarnation()
                        + " of the journal, the reader reads " + request.incarnation());
            }
            node = copy.node();
            committedSn = copy.state().committedSn();
        }
        try {
            return entries(request, open, node, committedSn);
        } catch (IOException e) {
            failedToRead(open, e);
            return FailedReply.of(node, name + ": " + e);
        }
    }

    private PoolReply entries(FetchRequest request) throws IOException {
        return entries(request, copy.storage(), copy.node(), copy.state().committedSn());
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
            ReplicaState state = copy.state();
            boolean isWriter = state != null && reader.equals(state.promise().epoch());
            return isWriter ? state.lastSn() : commits.committedSn();
        }
    }

    @Override
    public synchronized void close() throws IOException {
        commits.close();
        copy.close();
    }

    private void reopenIfDue() {
        if (copy.beginsReopening()) {
            reopener.execute(this::reopen);
        }
    }

    /** Opens the storage without the lock: reading a long log takes long, and questions are answered meanwhile. */
    private void reopen() {
        try {
            reopened(copy.openAgain());
        } catch (IOException e) {
            notReopened(e);
        } catch (RuntimeException | Error e) {
            notReopened(new IOException("Opening storage again failed unexpectedly", e));
            throw e;
        }
    }

    private synchronized void reopened(Optional<OpenedStorage> opened) {
        copy.reopened(opened);
    }

    private synchronized void notReopened(IOException cause) {
        copy.notReopened(cause);
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.replica.storage;

import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.Promise;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.pool.disk.ReplicaThreads;
import io.trefoil.journal.protocol.FailedReply;
import io.trefoil.journal.protocol.FormatRequest;
import io.trefoil.journal.protocol.NotFormattedReply;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.replica.Replica;
import io.trefoil.journal.replica.ReplicaState;
import io.trefoil.journal.replica.ReplicaTrace;
import io.trefoil.journal.storage.JournalStorage;
import io.trefoil.journal.storage.RecoveredJournal;
import io.trefoil.journal.storage.StorageDevice;
import io.trefoil.journal.storage.StorageIdentity;
import java.io.IOException;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The storage of one replica through its life: absent, open, failed and reopened, halted, moved aside, closed;
 * and the state of the rules that belongs to its contents.
 *
 * <p>Only the thread that has the {@link ReplicaLock} changes it; methods documented for any thread need no turn.
 */
public final class ReplicaStorage {

    private static final Logger LOG = LoggerFactory.getLogger(ReplicaStorage.class);

    private final String name;
    private final StorageDevice device;
    private final LongSupplier nanoTime;
    private final Supplier<NodeId> newNodeIds;
    private final Predicate<WriterId> isDeadAtOpening;
    private final WriterLiveness liveness;
    private final StorageHealth health;
    private final VisibleLog visible;
    /** The threads that write to the log, since its disk must not be waited for under the lock. */
    private final ReplicaThreads threads;

    private final ReplicaTrace trace;

    private NodeId emptyNode;
    /** The incarnation that it last logged as not joined, as the writer asks repeatedly. */
    private Incarnation saidOutOf = Incarnation.NONE;

    private volatile JournalStorage storage;
    private ReplicaState state;
    private StorageIdentity identity;
    /** The last promise passed to the storage. If saving it failed half-way, no writer was given it, but it may be on the disk. */
    private Promise tried = Promise.NONE;

    /**
     * @param commits told what is committed in opened storage
     * @param liveness told when the storage is replaced
     * @param threads write this class's lines to the log
     * @param trace told when the rules begin, and what readers are shown
     */
    public ReplicaStorage(
            String name,
            StorageDevice device,
            LongSupplier nanoTime,
            Supplier<NodeId> newNodeIds,
            Predicate<WriterId> isDeadAtOpening,
            CommitSignal commits,
            WriterLiveness liveness,
            ReplicaThreads threads,
            ReplicaTrace trace) {
        this.name = name;
        this.device = device;
        this.nanoTime = nanoTime;
        this.newNodeIds = newNodeIds;
        this.isDeadAtOpening = isDeadAtOpening;
        this.liveness = liveness;
        this.threads = threads;
        this.trace = trace;
        this.emptyNode = newNodeIds.get();
        this.health = new StorageHealth(nanoTime);
        this.visible = new VisibleLog(name, commits, newView());
    }

    /** Notes that storage is being opened: until it is {@link #useOpened}, nothing is known of it, not even that it is empty. */
    void markOpening() {
        health.markOpening();
        publish();
    }

    /** Opens the storage without using it yet; for any thread. Reading a long log takes long. */
    Optional<OpenedStorage> open() throws IOException {
        return OpenedStorage.open(device);
    }

    /** Takes the opened storage into use. */
    void useOpened(Optional<OpenedStorage> openedStorage) {
        health.recordOpeningSuccess();
        if (health.stage() != StorageStage.OPENING) {
            // Closed, or formatted or moved aside by force meanwhile: the opened storage no longer counts.
            openedStorage.ifPresent(OpenedStorage::closeQuietly);
        } else if (openedStorage.isPresent()) {
            begin(openedStorage.get(), isDeadAtOpening);
        } else {
            health.markEmpty();
        }
    }

    void recordOpenFailure(IOException cause) {
        health.recordOpeningSuccess();
        if (health.stage() == StorageStage.OPENING) {
            fail(cause);
        }
    }

    private void replaceStorage(OpenedStorage openedStorage) {
        // The writer may live in this process: unlike at a start, no writer is known to be dead.
        begin(openedStorage, writer -> false);
    }

    private void begin(OpenedStorage openedStorage, Predicate<WriterId> isDead) {
        RecoveredJournal journal = openedStorage.storage().recoveredJournal();
        long nowNanos = nanoTime.getAsLong();
        ReplicaState fresh = ReplicaState.afterOpening(
                journal.identity().node(),
                openedStorage.promise(),
                journal.completeness(),
                journal.committedSummary(),
                journal.tail(),
                nowNanos);
        if (isDead.test(openedStorage.promise().writer())) {
            fresh = Replica.endLeaseOfDeadWriter(fresh, openedStorage.promise().writer());
        }
        state = state == null ? fresh : fresh.afterReopening(state);
        trace.recordStart(state, nowNanos);
        tried = fresh.promise();
        identity = journal.identity();
        // If it was damaged, the opened storage may have less than was closed.
        liveness.forgetCaughtUp();
        logOpened(fresh, journal.completeness(), openedStorage.index().lastTxId());
        visible.changeAtomically(() -> {
            // Opens together with its contents, so that no thread sees a replica without storage in between.
            health.markOpen();
            storage = openedStorage.storage();
            visible.showLog(openedStorage.index());
            publish();
        });
        visible.notifyListeners();
    }

    private void logOpened(ReplicaState fresh, LogCompleteness completeness, long lastTxId) {
        if (completeness == LogCompleteness.REFETCHING) {
            threads.log(() -> LOG.warn(
                    "replica={}: the log is damaged before its end; refetching entries after position={}; do: check that "
                            + "disk; the other nodes resend the damaged entries",
                    name,
                    fresh.last()));
        }
        threads.log(() -> LOG.info(
                "{}: opened node={} epoch={} last={} committed={} txid={}",
                name,
                fresh.node(),
                fresh.promise().epoch(),
                fresh.last(),
                fresh.committedSn(),
                lastTxId));
    }

    /** Shows readers what has been committed; after the sync, so that a reader never sees entries that this node may lose. */
    public void publishCommitted() throws IOException {
        long committedSn = state().committedSn();
        trace.recordShown(committedSn);
        visible.advance(committedSn, storage());
    }

    /** Runs a query while nothing visible to readers changes; for any thread. */
    public <T> T runQuery(Supplier<T> query) {
        return visible.runQuery(query);
    }

    /** The segments that are visible to readers, of existing storage; for any thread. */
    public PoolReply segments(long fromTxId) {
        return visible.segments(fromTxId);
    }

    /** Whether the storage is open and in use. */
    public boolean isOpen() {
        return storage != null;
    }

    /** Whether this storage is open and still the current one. */
    public boolean isOpen(JournalStorage journalStorage) {
        return storage == journalStorage;
    }

    /**
     * The open storage.
     *
     * @throws IllegalStateException unless {@link #isOpen}: the caller has a bug
     */
    public JournalStorage storage() {
        JournalStorage open = storage;
        if (open == null) {
            throw new IllegalStateException(name + ": wanted storage that is open, found it " + stage());
        }
        return open;
    }

    /** The open storage; empty if it is not open. For any thread. */
    public Optional<JournalStorage> openStorage() {
        return Optional.ofNullable(storage);
    }

    /** Whether storage was opened, even if it has failed and been closed since. */
    public boolean wasEverOpened() {
        return state != null;
    }

    /**
     * The rules' state of the storage that is open, or was before it failed.
     *
     * @throws IllegalStateException before there {@link #wasEverOpened is any}
     */
    public ReplicaState state() {
        if (state == null) {
            throw new IllegalStateException(name + ": wanted the state of storage, found it " + stage());
        }
        return state;
    }

    public void setState(ReplicaState next) {
        state = next;
    }

    /** The lowest entry to keep so that these transactions stay readable. */
    public long firstSnFor(long minTxId) {
        return visible.firstSnFor(minTxId);
    }

    public boolean isFormatted() {
        return state != null || isUnusable();
    }

    /**
     * Whether there may be storage that cannot be used; not after closing, since the view then shows the last contents.
     * For any thread.
     */
    public boolean isUnusable() {
        return health.isUnusable();
    }

    /** The id of the storage; before there is any, the id that new storage would get. */
    public NodeId node() {
        return state == null ? emptyNode : state.node();
    }

    /** The id that the next formatted storage would get. */
    public NodeId nextNodeId() {
        return emptyNode;
    }

    public NamespaceId namespace() {
        return storage == null ? NamespaceId.UNKNOWN : identity.namespace();
    }

    /** The replica at its disk's last answer; for any thread. */
    public ReplicaView shownView() {
        return visible.view();
    }

    /** Shows the present state to all other threads. */
    public void publish() {
        visible.publish(this::newView);
    }

    private ReplicaView newView() {
        return ReplicaView.of(
                node(),
                isFormatted(),
                namespace(),
                Optional.ofNullable(state),
                storage == null ? 0 : storage.base().position().sn() + 1,
                liveness.caughtUp());
    }

    /**
     * Returns why the storage cannot be used at present; empty if it works, or if there is none yet. For any thread.
     */
    public String failureReason() {
        return health.failureReason();
    }

    /** The stage that the storage is in; for any thread. */
    StorageStage stage() {
        return health.stage();
    }

    /** Whether an operator must intervene before it is reopened. */
    public boolean isHalted() {
        return stage() == StorageStage.HALTED;
    }

    /** Whether the storage is closed for good. */
    public boolean isClosed() {
        return stage() == StorageStage.CLOSED;
    }

    /** The answer to requests while there is no usable storage; empty if there is usable storage. */
    public Optional<PoolReply> refusalReply() {
        if (!failureReason().isEmpty()) {
            return Optional.of(failedReply(failureReason()));
        }
        return state == null ? Optional.<PoolReply>of(NotFormattedReply.of(emptyNode)) : Optional.<PoolReply>empty();
    }

    public PoolReply failedReply(String reason) {
        return FailedReply.of(node(), name + ": " + reason);
    }

    public void savePromise(Promise promise, LogCompleteness completeness) throws IOException {
        tried = promise;
        storage().savePromise(promise, completeness);
    }

    public void rebase(LogSummary base) throws IOException {
        storage().rebase(base);
        visible.showLog(new SegmentIndex(base));
        visible.notifyListeners();
    }

    /** Removes whole log files below that serial number, except those still needed. */
    public void purge(long firstSn) throws IOException {
        storage().purge(firstSn);
        visible.purge(storage().base().position().sn() + 1);
    }

    /** Formats as requested; existing storage is moved aside. */
    public void format(FormatRequest request) throws IOException {
        closeQuietly();
        state = null;
        device.format(
                StorageIdentity.of(
                        request.node(), request.namespace(), request.base().incarnation()),
                request.base(),
                request.entries());
        // The reason why it was halted is moved aside with the old storage.
        health.recordIntervention();
        emptyNode = newNodeIds.get();
        begin(OpenedStorage.open(device).get(), isDeadAtOpening);
    }

    /** Logs, once, why the replica does not join an incarnation. */
    public void logRefusedIncarnation(Incarnation incarnation) {
        if (!incarnation.equals(saidOutOf)) {
            saidOutOf = incarnation;
            threads.log(() -> LOG.warn(
                    "replica={}: does not join incarnation {} of the journal until the NameNode in this process has found that "
                            + "its namespace belongs to it; if that namespace is from before the promotion, do: hdfs namenode "
                            + "-bootstrapStandby on this host",
                    name,
                    incarnation));
        }
    }

    /** Moves aside storage that is no longer a member. */
    public void moveAside() throws IOException {
        NodeId old = state.node();
        closeQuietly();
        state = null;
        device.moveAside();
        health.markEmpty();
        NodeId next = emptyNode;
        threads.log(() -> LOG.warn(
                "replica={}: the storage {} is no longer a member: another took its place, or an operator removed it; it "
                        + "was moved aside, and this node starts over as {}; no action needed",
                name,
                old,
                next));
    }

    /**
     * Makes it work again: with its contents if they are intact, else with only its identity and promise, or with a new id if these cannot
     * be read.
     *
     * @return where the old storage was moved to; empty if it is in use again
     */
    public String startOver() throws IOException {
        boolean mayOnlyBeClosed = !isOpen() && !isHalted();
        return mayOnlyBeClosed && mayReopen() ? "" : replace();
    }

    /** Opens the existing contents, which may be fine: for example, if the disk was full and no longer is. */
    private boolean mayReopen() {
        try {
            replaceStorage(OpenedStorage.openWritable(device).get());
            return true;
        } catch (IOException e) {
            threads.log(() -> LOG.warn(
                    "replica={}: cannot reopen the storage, starting over: {}; do: check that disk",
                    name,
                    e.toString()));
            return false;
        }
    }

    private String replace() throws IOException {
        if (state == null) {
            // Neither promise nor identity can be known: only a new id may begin here (rules R1, R8).
            String movedTo = device.moveAside();
            emptyNode = newNodeIds.get();
            health.markEmpty();
            threads.log(() -> LOG.warn(
                    "replica={}: storage that cannot be opened was moved aside to {}"
                            + "; do: check that disk; the others send the log again",
                    name,
                    movedTo));
            return movedTo;
        }
        Promise known = state.promise();
        closeQuietly();
        String movedTo = device.startOver(identity, tried.epoch().isAbove(known.epoch()) ? tried : known);
        health.recordIntervention();
        replaceStorage(OpenedStorage.open(device).get());
        threads.log(() -> LOG.warn(
                "replica={}: starting over, the old storage is kept in dir={}; no action needed: delete "
                        + "the old storage once the journal is healthy",
                name,
                movedTo));
        return movedTo;
    }

    /**
     * Moves aside storage of an incarnation that is not in force (rule R11): its id and promise mean nothing to the
     * nodes of the incarnation in force.
     *
     * @return where it was moved to
     */
    public String leaveIncarnation() throws IOException {
        Incarnation old = state.committedSummary().incarnation();
        closeQuietly();
        state = null;
        String movedTo = device.moveAside();
        health.markEmpty();
        NodeId next = emptyNode;
        threads.log(() -> LOG.warn(
                "replica={}: the storage of incarnation {} of the journal, which is not in force, was moved to {}, "
                        + "and this node starts over as {}; no action needed: delete the old storage when all is "
                        + "well",
                name,
                old,
                movedTo,
                next));
        return movedTo;
    }

    /** Records that the storage cannot be relied on: it is not used until it is reopened. */
    public void fail(Throwable cause) {
        if (health.beginFailure()) {
            threads.log(() -> LOG.error(
                    "replica={}: storage failed, this node acknowledges nothing until it works again"
                            + "; do: check that disk",
                    name,
                    cause));
        }
        health.markFailed(cause);
        closeQuietly();
    }

    /** Stops using it until an operator intervenes. */
    public void halt(String reason) {
        threads.log(() -> LOG.error(
                "replica={}: stopped until an operator intervenes: {}; do: run 'hdfs trefoil journal repair', "
                        + "which shows what to do",
                name,
                reason));
        health.markHalted(reason);
        closeQuietly();
    }

    /** Whether the caller is to reopen it now, by {@link #reopen}. */
    boolean tryBeginReopening() {
        return needsReopening() && health.tryBeginReopening();
    }

    private boolean needsReopening() {
        return stage() == StorageStage.FAILED;
    }

    /** Reopens the storage without using it yet; may be called by any thread. Reading a long log takes long. */
    Optional<OpenedStorage> reopen() throws IOException {
        return OpenedStorage.openWritable(device);
    }

    /** Takes the reopened storage into use, unless something else was decided meanwhile. */
    void useReopened(Optional<OpenedStorage> openedStorage) {
        health.recordOpeningSuccess();
        if (!needsReopening()) {
            openedStorage.ifPresent(OpenedStorage::closeQuietly);
        } else if (openedStorage.isPresent()) {
            replaceStorage(openedStorage.get());
            health.recordRecovery();
            threads.log(() -> LOG.info("replica={}: storage works again", name));
        } else {
            health.recordStillMissing();
            if (state == null) {
                // A failed format left nothing behind: this replica is empty, and may be formatted again.
                health.markEmpty();
            }
        }
    }

    void recordReopenFailure(IOException cause) {
        health.recordOpeningFailure();
        if (needsReopening()) {
            fail(cause);
        }
    }

    /** Closes it for good. */
    void close() throws IOException {
        health.markClosed();
        closeStorage();
    }

    private void closeQuietly() {
        try {
            closeStorage();
        } catch (IOException e) {
            threads.log(() -> LOG.warn(
                    "replica={}: closing failed storage failed too: {}; do: check that disk", name, e.toString()));
        }
    }

    private void closeStorage() throws IOException {
        JournalStorage open = storage;
        storage = null;
        if (open != null) {
            trace.recordClose();
            open.close();
        }
    }
}

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
 * The storage of one replica of a journal through its life: not there yet, open, failed and opened again, halted, moved
 * aside, closed; and the state of the rules that belongs to what it holds.
 *
 * <p>Changed by who has the {@link ReplicaTurn}; what is documented for any thread needs no turn.
 */
public final class ReplicaStorage {

    private static final Logger LOG = LoggerFactory.getLogger(ReplicaStorage.class);

    private final String name;
    private final StorageDevice device;
    private final LongSupplier nanoTime;
    private final Supplier<NodeId> newNodeIds;
    private final Predicate<WriterId> isDeadAtOpening;
    private final WriterContact contact;
    private final StorageHealth health;
    private final ShownLog shown;
    /** Under the lock nobody waits for the disk of the log. */
    private final ReplicaThreads threads;

    private NodeId emptyNode;
    private volatile JournalStorage storage;
    private ReplicaState state;
    private StorageIdentity identity;
    /** The last one that was to be saved. If that failed half-way, nobody was given it, but it may stand on the disk. */
    private Promise tried = Promise.NONE;

    /**
     * @param commits told what is committed in storage that was opened
     * @param contact told when the storage is another one
     * @param threads write its lines in the log
     */
    public ReplicaStorage(
            String name,
            StorageDevice device,
            LongSupplier nanoTime,
            Supplier<NodeId> newNodeIds,
            Predicate<WriterId> isDeadAtOpening,
            CommitSignal commits,
            WriterContact contact,
            ReplicaThreads threads) {
        this.name = name;
        this.device = device;
        this.nanoTime = nanoTime;
        this.newNodeIds = newNodeIds;
        this.isDeadAtOpening = isDeadAtOpening;
        this.contact = contact;
        this.threads = threads;
        this.emptyNode = newNodeIds.get();
        this.health = new StorageHealth(nanoTime);
        this.shown = new ShownLog(name, commits, view());
    }

    /** Until it is {@link #opened} nothing is known of it, least of all that it is empty. */
    void opening() {
        health.opening();
        publish();
    }

    /** Opens what there is, without using it yet; for any thread. Reading a long log takes long. */
    Optional<OpenedStorage> open() throws IOException {
        return OpenedStorage.open(device);
    }

    /** That is to be used from now on. */
    void opened(Optional<OpenedStorage> opened) {
        health.openingEnded();
        if (health.stage() != StorageStage.OPENING) {
            // Closed, or formatted or moved aside by force: what was opened is not what counts now.
            opened.ifPresent(OpenedStorage::closeQuietly);
        } else if (opened.isPresent()) {
            begin(opened.get(), isDeadAtOpening);
        } else {
            health.empty();
        }
    }

    void notOpened(IOException cause) {
        health.openingEnded();
        if (health.stage() == StorageStage.OPENING) {
            fail(cause);
        }
    }

    private void beginAgain(OpenedStorage opened) {
        // The writer may live in this process: unlike at a start, nobody is known to be dead.
        begin(opened, writer -> false);
    }

    private void begin(OpenedStorage opened, Predicate<WriterId> isDead) {
        RecoveredJournal found = opened.storage().recovered();
        ReplicaState fresh = ReplicaState.opened(
                found.identity().node(),
                opened.promise(),
                found.completeness(),
                found.committed(),
                found.tail(),
                nanoTime.getAsLong());
        if (isDead.test(opened.promise().writer())) {
            fresh = Replica.writerDead(fresh, opened.promise().writer());
        }
        state = state == null ? fresh : fresh.openedAfter(state);
        tried = fresh.promise();
        identity = found.identity();
        // What was opened may be less than what was closed, if it was damaged.
        contact.notAbreast();
        sayOpened(fresh, found.completeness(), opened.index().lastTxId());
        shown.together(() -> {
            // Only together with what it has: nobody takes it for a replica without storage in between.
            health.open();
            storage = opened.storage();
            shown.begin(opened.index());
            publish();
        });
        shown.tell();
    }

    private void sayOpened(ReplicaState fresh, LogCompleteness completeness, long lastTxId) {
        if (completeness == LogCompleteness.REFETCHING) {
            threads.log(
                    () -> LOG.warn("{}: damage before the end of the log, refetching after {}", name, fresh.last()));
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

    /** Shows readers what is committed by now; after the sync, so that a reader never sees what this node may lose. */
    public void showCommitted() throws IOException {
        shown.advance(state().committedSn(), storage());
    }

    /** Asks while nothing changes that readers are shown; for any thread. */
    public <T> T asking(Supplier<T> question) {
        return shown.asking(question);
    }

    /** What readers are shown of the segments of storage that there is; for any thread. */
    public PoolReply segments(long fromTxId) {
        return shown.segments(fromTxId);
    }

    /** Whether it can be used. */
    public boolean isOpen() {
        return storage != null;
    }

    /** Whether it is open, and still the one that somebody used. */
    public boolean isOpen(JournalStorage used) {
        return storage == used;
    }

    /**
     * The storage that {@link #isOpen}.
     *
     * @throws IllegalStateException if it is not: who asks has a bug
     */
    public JournalStorage storage() {
        JournalStorage open = storage;
        if (open == null) {
            throw new IllegalStateException(name + ": wanted storage that is open, found it " + stage());
        }
        return open;
    }

    /** Empty unless it is open; for any thread. */
    public Optional<JournalStorage> openStorage() {
        return Optional.ofNullable(storage);
    }

    /** Whether there is storage that was opened, be it closed again since it failed. */
    public boolean hasState() {
        return state != null;
    }

    /**
     * What the rules know of the storage that is open, or was before it failed.
     *
     * @throws IllegalStateException before there {@link #hasState is any}
     */
    public ReplicaState state() {
        if (state == null) {
            throw new IllegalStateException(name + ": wanted the state of storage, found it " + stage());
        }
        return state;
    }

    public void state(ReplicaState next) {
        state = next;
    }

    /** The lowest entry that must be kept so that these transactions stay readable. */
    public long firstSnFor(long minTxId) {
        return shown.firstSnFor(minTxId);
    }

    public boolean isFormatted() {
        return state != null || isOutOfOrder();
    }

    /** Whether there may be storage that cannot be used; a replica that was closed had what it had. For any thread. */
    public boolean isOutOfOrder() {
        return health.isOutOfOrder();
    }

    /** The id of the storage; before there is any, the id that it would get. */
    public NodeId node() {
        return state == null ? emptyNode : state.node();
    }

    /** The id that storage would get that is formatted next. */
    public NodeId emptyNode() {
        return emptyNode;
    }

    public NamespaceId namespace() {
        return storage == null
                ? NamespaceId.UNKNOWN
                : storage.recovered().identity().namespace();
    }

    /** How it was when its disk last answered; for any thread. */
    public ReplicaView shown() {
        return shown.view();
    }

    /** From now on everybody is told how it is now. */
    public void publish() {
        shown.publish(this::view);
    }

    private ReplicaView view() {
        return ReplicaView.of(
                node(),
                isFormatted(),
                namespace(),
                Optional.ofNullable(state),
                storage == null ? 0 : storage.base().position().sn() + 1,
                contact.abreast());
    }

    /** Why nothing can be done with it at the moment; empty if it works, or if there is none yet. For any thread. */
    public String failure() {
        return health.failure();
    }

    /** Where it stands; for any thread. */
    StorageStage stage() {
        return health.stage();
    }

    /** Whether an operator has to look before it is opened again. */
    public boolean isHalted() {
        return stage() == StorageStage.HALTED;
    }

    /** Whether this is over for good. */
    public boolean isClosed() {
        return stage() == StorageStage.CLOSED;
    }

    /** What everybody is told who wants something of storage that is not there or does not work. */
    public Optional<PoolReply> refusal() {
        if (!failure().isEmpty()) {
            return Optional.of(failed(failure()));
        }
        return state == null ? Optional.<PoolReply>of(NotFormattedReply.of(emptyNode)) : Optional.<PoolReply>empty();
    }

    public PoolReply failed(String reason) {
        return FailedReply.of(node(), name + ": " + reason);
    }

    public void savePromise(Promise promise, LogCompleteness completeness) throws IOException {
        tried = promise;
        storage().savePromise(promise, completeness);
    }

    public void rebase(LogSummary base) throws IOException {
        storage().rebase(base);
        shown.begin(new SegmentIndex(base));
        shown.tell();
    }

    /** Deletes whole log files below that number, none that is needed. */
    public void purge(long firstSn) throws IOException {
        storage().purge(firstSn);
        shown.purge(storage().base().position().sn() + 1);
    }

    /** Begins anew as the request has it; what there was is moved aside. */
    public void format(FormatRequest request) throws IOException {
        closeQuietly();
        state = null;
        device.format(
                StorageIdentity.of(
                        request.node(), request.namespace(), request.base().incarnation()),
                request.base(),
                request.entries());
        // Why an operator had to look is moved aside with what there was.
        health.noLongerHalted();
        emptyNode = newNodeIds.get();
        begin(OpenedStorage.open(device).get(), isDeadAtOpening);
    }

    /** Moves aside what has no place in the group any more. */
    public void moveAside() throws IOException {
        NodeId old = state.node();
        closeQuietly();
        state = null;
        device.moveAside();
        health.empty();
        NodeId next = emptyNode;
        threads.log(() -> LOG.warn(
                "{}: the storage {} is no longer a member: another took its place, or an operator removed it; it "
                        + "was moved aside, and this node starts anew as {}",
                name,
                old,
                next));
    }

    /**
     * Works again, with what there is if nothing is wrong with that, or with nothing but its identity and promise, or as
     * somebody else if these cannot be known.
     *
     * @return where the old storage was moved to; empty if it is in use again
     */
    public String startOver() throws IOException {
        boolean mayOnlyBeClosed = !isOpen() && !isHalted();
        return mayOnlyBeClosed && opensAgain() ? "" : replace();
    }

    /** A full disk, for example, that is not full any more: nothing is wrong with what it holds. */
    private boolean opensAgain() {
        try {
            beginAgain(OpenedStorage.openWritable(device).get());
            return true;
        } catch (IOException e) {
            threads.log(() -> LOG.warn("{}: storage that is to start over cannot be opened: {}", name, e.toString()));
            return false;
        }
    }

    private String replace() throws IOException {
        if (state == null) {
            // Neither promise nor identity can be known: only somebody else may begin here (rules R1, R8).
            String movedTo = device.moveAside();
            emptyNode = newNodeIds.get();
            health.empty();
            threads.log(() -> LOG.warn("{}: storage that cannot be opened was moved aside to {}", name, movedTo));
            return movedTo;
        }
        Promise known = state.promise();
        closeQuietly();
        String movedTo = device.startOver(identity, tried.epoch().isAbove(known.epoch()) ? tried : known);
        health.noLongerHalted();
        beginAgain(OpenedStorage.open(device).get());
        threads.log(() -> LOG.warn("{}: starts over, the old storage is at {}", name, movedTo));
        return movedTo;
    }

    /**
     * Moves aside what goes back to a beginning of the journal that is not in force (rule R11): neither its id nor its
     * promise says anything to those that have the one in force.
     *
     * @return where it was moved to
     */
    public String leaveIncarnation() throws IOException {
        Incarnation old = state.committed().incarnation();
        closeQuietly();
        state = null;
        String movedTo = device.moveAside();
        health.empty();
        NodeId next = emptyNode;
        threads.log(() -> LOG.warn(
                "{}: the storage of incarnation {} of the journal, which is not in force, was moved to {}, and "
                        + "this node starts anew as {}",
                name,
                old,
                movedTo,
                next));
        return movedTo;
    }

    /** It cannot be relied on: nothing is done with it until it was opened again. */
    public void fail(Throwable cause) {
        if (health.failing()) {
            threads.log(() ->
                    LOG.error("{}: storage failed, this node acknowledges nothing until it works again", name, cause));
        }
        health.failed(cause);
        closeQuietly();
    }

    /** Nothing is done with it until an operator says so. */
    public void halt(String reason) {
        threads.log(() -> LOG.error("{}: this replica stops until an operator has intervened: {}", name, reason));
        health.halted(reason);
        closeQuietly();
    }

    /** Whether the caller is to open it again now, by {@link #openAgain}. */
    boolean beginsReopening() {
        return isToBeReopened() && health.beginsReopening();
    }

    private boolean isToBeReopened() {
        return stage() == StorageStage.FAILED;
    }

    /** Opens what there is, without using it yet; for any thread. Reading a long log takes long. */
    Optional<OpenedStorage> openAgain() throws IOException {
        return OpenedStorage.openWritable(device);
    }

    /** That is to be used from now on; unless it was decided otherwise while it was being opened. */
    void reopened(Optional<OpenedStorage> opened) {
        health.openingEnded();
        if (!isToBeReopened()) {
            opened.ifPresent(OpenedStorage::closeQuietly);
        } else if (opened.isPresent()) {
            beginAgain(opened.get());
            health.worksAgain();
            threads.log(() -> LOG.info("{}: storage works again", name));
        } else {
            health.stillMissing();
            if (state == null) {
                // A format that failed left nothing behind: this replica is empty, and may be formatted again.
                health.empty();
            }
        }
    }

    void notReopened(IOException cause) {
        health.openingEndedInVain();
        if (isToBeReopened()) {
            fail(cause);
        }
    }

    /** For good. */
    void close() throws IOException {
        health.closed();
        closeStorage();
    }

    private void closeQuietly() {
        try {
            closeStorage();
        } catch (IOException e) {
            threads.log(() -> LOG.warn("{}: closing failed storage failed too: {}", name, e.toString()));
        }
    }

    private void closeStorage() throws IOException {
        JournalStorage open = storage;
        storage = null;
        if (open != null) {
            open.close();
        }
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.replica;

import io.trefoil.foundation.Step;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.Promise;
import io.trefoil.journal.pool.replica.storage.ReplicaStorage;
import io.trefoil.journal.pool.replica.storage.WriterLiveness;
import io.trefoil.journal.protocol.AppendRequest;
import io.trefoil.journal.protocol.AwaitCommitRequest;
import io.trefoil.journal.protocol.ChangeMembersRequest;
import io.trefoil.journal.protocol.ChangeReply;
import io.trefoil.journal.protocol.ChangesReply;
import io.trefoil.journal.protocol.CollectChangesRequest;
import io.trefoil.journal.protocol.CommitRequest;
import io.trefoil.journal.protocol.DoneReply;
import io.trefoil.journal.protocol.FetchRequest;
import io.trefoil.journal.protocol.FormatRequest;
import io.trefoil.journal.protocol.NewEpochRequest;
import io.trefoil.journal.protocol.NotFormattedReply;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.protocol.PurgeRequest;
import io.trefoil.journal.protocol.RebaseRequest;
import io.trefoil.journal.protocol.ReplicaRequest;
import io.trefoil.journal.protocol.RetireRequest;
import io.trefoil.journal.protocol.SegmentsRequest;
import io.trefoil.journal.protocol.StaleEpochReply;
import io.trefoil.journal.protocol.StartOverRequest;
import io.trefoil.journal.protocol.StartedOverReply;
import io.trefoil.journal.protocol.StatusReply;
import io.trefoil.journal.protocol.StatusRequest;
import io.trefoil.journal.protocol.StepDownRequest;
import io.trefoil.journal.replica.ChangeInbox;
import io.trefoil.journal.replica.Replica;
import io.trefoil.journal.replica.ReplicaEffect;
import io.trefoil.journal.replica.ReplicaEffectHandler;
import io.trefoil.journal.replica.ReplicaState;
import io.trefoil.journal.replica.ReplicaTrace;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * Carries out groups of requests on the storage of a replica, as the rules of {@link Replica} decide: first {@link #begin}, then each
 * request, then {@link #sync}, which makes their writes durable, then {@link #publishCommitted}.
 *
 * <p>Called within a turn of its {@link JournalReplica}.
 */
final class GroupPerformer
        implements ReplicaRequest.Handler<Optional<PoolReply>, IOException>, ReplicaEffectHandler<IOException> {

    private final ReplicaStorage replica;
    private final WriterLiveness liveness;
    private final LongSupplier nanoTime;
    private final EntrySource entries;
    private final Consumer<ReplicaState> mayFreeLease;
    private final ReplicaTrace trace;

    private volatile JournalObserver observer = JournalObserver.NONE;
    private volatile Predicate<Incarnation> mayEnter = LocalNamespace.NONE::mayEnter;
    private ChangeInbox changes = ChangeInbox.EMPTY;

    private boolean dirty;
    private boolean heardWriter;
    private boolean retired;
    private long entryCount;
    private long payloadBytes;
    private Optional<PoolReply> answer = Optional.empty();

    /**
     * @param entries answers requests for entries
     * @param onStateChange gets the state before a step that may have ended the lease
     * @param trace told what the rules see
     */
    GroupPerformer(
            ReplicaStorage replica,
            WriterLiveness liveness,
            LongSupplier nanoTime,
            EntrySource entries,
            Consumer<ReplicaState> onStateChange,
            ReplicaTrace trace) {
        this.replica = replica;
        this.liveness = liveness;
        this.nanoTime = nanoTime;
        this.entries = entries;
        this.mayFreeLease = onStateChange;
        this.trace = trace;
    }

    /** Sets the observer that is notified of syncs from now on. */
    void setObserver(JournalObserver newObserver) {
        observer = newObserver;
    }

    /** Sets which incarnations of the journal the replica may change to from now on. */
    void restrictIncarnations(Predicate<Incarnation> allowed) {
        mayEnter = allowed;
    }

    /** Begins another group, and drops the remains of the previous one if it failed. */
    void begin() {
        dirty = false;
        heardWriter = false;
        retired = false;
        entryCount = 0;
        payloadBytes = 0;
        answer = Optional.empty();
    }

    /** @throws IOException if the storage failed: then nothing of the group is known to be durable */
    Optional<PoolReply> perform(PoolRequest request) throws IOException {
        boolean makesStorage = request instanceof FormatRequest || request instanceof StartOverRequest;
        Optional<PoolReply> refusal =
                makesStorage && !replica.isClosed() ? Optional.<PoolReply>empty() : replica.refusalReply();
        if (refusal.isPresent()) {
            return refusal;
        }
        if (!(request instanceof ReplicaRequest)) {
            // The node answers readers, without its replica; here a writer asks.
            return Optional.of(
                    replica.failedReply("images are sent to readers, and calls are taken from readers, only"));
        }
        return ((ReplicaRequest) request).dispatch(this);
    }

    void sync() throws IOException {
        if (dirty) {
            dirty = false;
            long begunNanos = nanoTime.getAsLong();
            replica.storage().sync();
            observer.onSynced(nanoTime.getAsLong() - begunNanos, entryCount, payloadBytes);
            entryCount = 0;
            payloadBytes = 0;
        } else if (heardWriter && replica.isOpen()) {
            // No later batch will say that the last one is durable.
            replica.storage().markDurable();
        }
    }

    /** Shows readers what has been committed; after the sync, so that a reader never sees entries that this node may lose. */
    void publishCommitted() throws IOException {
        if (replica.isOpen()) {
            replica.publishCommitted();
        }
    }

    private Optional<PoolReply> perform(Step<ReplicaState, ReplicaEffect> step) throws IOException {
        answer = Optional.empty();
        ReplicaState before = replica.state();
        replica.setState(step.next());
        try {
            for (ReplicaEffect effect : step.effects()) {
                effect.dispatch(this);
            }
        } catch (IOException e) {
            replica.setState(before);
            throw e;
        }
        return answer;
    }

    @Override
    public void savePromise(Promise promise, LogCompleteness completeness) throws IOException {
        sync();
        replica.savePromise(promise, completeness);
    }

    @Override
    public void truncate(long lastSn) throws IOException {
        sync();
        replica.storage().truncate(lastSn);
    }

    @Override
    public void write(List<Entry> newEntries, long committedSn) throws IOException {
        dirty = true;
        entryCount += newEntries.size();
        for (Entry entry : newEntries) {
            payloadBytes += entry.payload().size();
        }
        replica.storage().write(newEntries, committedSn);
    }

    @Override
    public void rebase(LogSummary base) throws IOException {
        replica.rebase(base);
    }

    @Override
    public void moveAside() {
        // Done after the step: if it fails, reopening the storage finds what is on the disk then.
        retired = true;
    }

    @Override
    public void showCommitted(long sn) {
        // Shown once it is durable.
    }

    @Override
    public void answer(PoolReply reply) {
        answer = Optional.of(reply);
    }

    @Override
    public void halt(String reason) {
        replica.halt(reason);
        answer = Optional.of(replica.failedReply(reason));
    }

    @Override
    public Optional<PoolReply> on(NewEpochRequest request) throws IOException {
        Epoch before = replica.state().promise().epoch();
        long now = nanoTime.getAsLong();
        trace.recordRequest(replica.state(), request, firstTxId(), now);
        Optional<PoolReply> reply = perform(Replica.on(replica.state(), request, firstTxId(), now));
        if (!replica.state().promise().epoch().equals(before)) {
            // The replica no longer obeys the writer that it was caught up with.
            liveness.forgetCaughtUp();
        }
        return reply;
    }

    private long firstTxId() {
        return replica.storage().base().lastTxId() + 1;
    }

    private long firstSn() {
        return replica.storage().base().position().sn() + 1;
    }

    @Override
    public Optional<PoolReply> on(AppendRequest request) throws IOException {
        heardWriter = true;
        long now = nanoTime.getAsLong();
        ReplicaState state = replica.state();
        trace.recordRequest(state, request, 0, now);
        try {
            return perform(Replica.on(state, request, now));
        } finally {
            // The writer spoke, whatever the outcome on the disk.
            recordContact(request, now);
        }
    }

    private void recordContact(AppendRequest request, long nowNanos) {
        ReplicaState after = replica.state();
        if (!request.epoch().isBelow(after.promise().epoch()) && !Replica.isForeign(after, request.incarnation())) {
            liveness.recordContact(nowNanos, after.committedSn() >= request.committedSn());
        }
    }

    @Override
    public Optional<PoolReply> on(CommitRequest request) throws IOException {
        heardWriter = true;
        trace.recordRequest(replica.state(), request, 0, nanoTime.getAsLong());
        return perform(Replica.on(replica.state(), request));
    }

    @Override
    public Optional<PoolReply> on(StepDownRequest request) throws IOException {
        ReplicaState before = replica.state();
        trace.recordRequest(before, request, 0, nanoTime.getAsLong());
        Optional<PoolReply> reply = perform(Replica.on(before, request));
        mayFreeLease.accept(before);
        return reply;
    }

    @Override
    public Optional<PoolReply> on(RebaseRequest request) throws IOException {
        long now = nanoTime.getAsLong();
        trace.recordRequest(replica.state(), request, 0, now);
        return perform(Replica.on(replica.state(), request, now));
    }

    @Override
    public Optional<PoolReply> on(FetchRequest request) throws IOException {
        return Optional.of(entries.answer(request));
    }

    @Override
    public Optional<PoolReply> on(StatusRequest request) {
        return Optional.<PoolReply>of(status());
    }

    @Override
    public Optional<PoolReply> on(AwaitCommitRequest request) {
        // Waiting takes a thread or a callback; a caller here has neither, so it is answered at once.
        return Optional.<PoolReply>of(status());
    }

    private StatusReply status() {
        ReplicaState state = replica.state();
        return status(
                replica.node(),
                replica.namespace(),
                state,
                firstSn(),
                state.lease().remainingMillis(nanoTime.getAsLong()));
    }

    static StatusReply status(
            NodeId node, NamespaceId namespace, ReplicaState state, long firstSn, long leaseHeldMillis) {
        return StatusReply.of(
                node,
                namespace,
                state.promise(),
                state.end(),
                state.committedSummary(),
                firstSn,
                state.completeness(),
                leaseHeldMillis);
    }

    @Override
    public Optional<PoolReply> on(SegmentsRequest request) {
        return Optional.<PoolReply>of(replica.segments(request.fromTxId()));
    }

    @Override
    public Optional<PoolReply> on(FormatRequest request) throws IOException {
        if (!replica.failureReason().isEmpty() && !request.force()) {
            return Optional.of(replica.failedReply(replica.failureReason()));
        }
        if (replica.wasEverOpened() && !request.force()) {
            ReplicaState state = replica.state();
            boolean sameAgain = state.node().equals(request.node())
                    && replica.namespace().equals(request.namespace())
                    && state.incarnation().equals(request.base().incarnation());
            return Optional.of(
                    sameAgain
                            ? DoneReply.of(replica.node())
                            : replica.failedReply("is formatted already, for " + replica.namespace()
                                    + "; format with force to move that aside"));
        }
        boolean joins = request.entries().isEmpty();
        if (joins && isIncarnationRefused(request.base().incarnation())) {
            return Optional.<PoolReply>of(NotFormattedReply.of(replica.nextNodeId()));
        }
        if (!replica.wasEverOpened() && !request.force() && !request.node().equals(replica.nextNodeId())) {
            return Optional.of(
                    replica.failedReply("wanted node " + request.node() + ", this is " + replica.nextNodeId()));
        }
        replica.format(request);
        return Optional.<PoolReply>of(DoneReply.of(request.node()));
    }

    private boolean isIncarnationRefused(Incarnation incarnation) {
        boolean out = !mayEnter.test(incarnation);
        if (out) {
            replica.logRefusedIncarnation(incarnation);
        }
        return out;
    }

    @Override
    public Optional<PoolReply> on(RetireRequest request) throws IOException {
        if (Replica.isForeign(replica.state(), request.incarnation()) && isIncarnationRefused(request.incarnation())) {
            return Optional.of(Replica.otherIncarnationReply(replica.state()));
        }
        trace.recordRequest(replica.state(), request, 0, nanoTime.getAsLong());
        Optional<PoolReply> reply = perform(Replica.on(replica.state(), request));
        if (!retired) {
            return reply;
        }
        retired = false;
        sync();
        replica.moveAside();
        return Optional.<PoolReply>of(NotFormattedReply.of(replica.nextNodeId()));
    }

    @Override
    public Optional<PoolReply> on(ChangeMembersRequest request) {
        long now = nanoTime.getAsLong();
        changes = changes.with(request.change(), now);
        return Optional.<PoolReply>of(
                ChangeReply.of(replica.node(), changes.progress(request.change().ticket(), now)));
    }

    @Override
    public Optional<PoolReply> on(CollectChangesRequest request) {
        if (isStale(request.epoch())) {
            return staleReply();
        }
        long now = nanoTime.getAsLong();
        changes = changes.withCollected(request.progress(), now);
        return Optional.<PoolReply>of(ChangesReply.of(replica.node(), changes.openChanges(now)));
    }

    private boolean isStale(Epoch writer) {
        return writer.isBelow(replica.state().promise().epoch());
    }

    private Optional<PoolReply> staleReply() {
        return Optional.<PoolReply>of(
                StaleEpochReply.of(replica.node(), replica.state().promise().epoch()));
    }

    @Override
    public Optional<PoolReply> on(StartOverRequest request) throws IOException {
        if (!replica.isFormatted()) {
            return Optional.<PoolReply>of(NotFormattedReply.of(replica.nextNodeId()));
        }
        if (!request.node().equals(replica.node())) {
            return Optional.of(replica.failedReply("wanted node " + request.node() + ", this is " + replica.node()));
        }
        return Optional.<PoolReply>of(startOver(request.incarnation()));
    }

    private StartedOverReply startOver(Incarnation wantedIncarnation) throws IOException {
        sync();
        String movedTo = mayLeaveIncarnation(wantedIncarnation) ? replica.leaveIncarnation() : replica.startOver();
        if (mayLeaveIncarnation(wantedIncarnation)) {
            // It could not be opened before; now it works again, in its old incarnation.
            movedTo = replica.leaveIncarnation();
        }
        // The id may have changed.
        return StartedOverReply.of(replica.node(), movedTo);
    }

    /**
     * Whether to leave the replica's incarnation. The request was meant for this very storage: a later format would
     * have changed the id.
     */
    private boolean mayLeaveIncarnation(Incarnation wantedIncarnation) {
        return wantedIncarnation.isKnown()
                && replica.wasEverOpened()
                && !replica.state().incarnation().equals(wantedIncarnation);
    }

    @Override
    public Optional<PoolReply> on(PurgeRequest request) throws IOException {
        if (isStale(request.epoch())) {
            return staleReply();
        }
        ReplicaState state = replica.state();
        if (Replica.isForeign(state, request.incarnation())) {
            // It counts the transactions of another log (rule R11).
            return Optional.of(Replica.otherIncarnationReply(state));
        }
        // The index must contain everything committed, or too much would be purged.
        sync();
        replica.publishCommitted();
        replica.purge(Math.min(replica.firstSnFor(state.purgeableBelow(request.minTxId())), state.committedSn()));
        return Optional.<PoolReply>of(DoneReply.of(replica.node()));
    }

    /** Answers requests for entries, within the turn. */
    interface EntrySource {
        PoolReply answer(FetchRequest request) throws IOException;
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.replica;

import io.trefoil.foundation.Step;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.Promise;
import io.trefoil.journal.model.Standing;
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
import io.trefoil.journal.protocol.ImagePartRequest;
import io.trefoil.journal.protocol.ImagesRequest;
import io.trefoil.journal.protocol.NewEpochRequest;
import io.trefoil.journal.protocol.NotFormattedReply;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.protocol.PurgeRequest;
import io.trefoil.journal.protocol.RebaseRequest;
import io.trefoil.journal.protocol.RetireRequest;
import io.trefoil.journal.protocol.SegmentsRequest;
import io.trefoil.journal.protocol.StaleEpochReply;
import io.trefoil.journal.protocol.StartOverRequest;
import io.trefoil.journal.protocol.StartedOverReply;
import io.trefoil.journal.protocol.StatusReply;
import io.trefoil.journal.protocol.StatusRequest;
import io.trefoil.journal.protocol.StepDownRequest;
import io.trefoil.journal.replica.ChangeDesk;
import io.trefoil.journal.replica.Replica;
import io.trefoil.journal.replica.ReplicaEffect;
import io.trefoil.journal.replica.ReplicaState;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Carries out groups of requests on the storage of a copy, as the rules of {@link Replica} decide: {@link #begin}, then
 * each request, then {@link #sync}, which makes durable what they wrote, then {@link #announce}.
 *
 * <p>Under the lock of its {@link JournalReplica}.
 */
final class GroupPerformer implements PoolRequest.Handler<Optional<PoolReply>>, ReplicaEffect.Handler<Void> {

    private final CopyStorage copy;
    private final WriterContact contact;
    private final LongSupplier nanoTime;
    private final EntrySource entries;
    private final Consumer<ReplicaState> mayFreeLease;

    private volatile JournalObserver observer = JournalObserver.NONE;
    private ChangeDesk changes = ChangeDesk.EMPTY;

    private boolean dirty;
    private boolean heardWriter;
    private boolean retired;
    private long entryCount;
    private long payloadBytes;
    private Optional<PoolReply> answer = Optional.empty();
    private IOException failed;

    /**
     * @param entries answers those who read
     * @param mayFreeLease told of the state before a step after which the lease may be over
     */
    GroupPerformer(
            CopyStorage copy,
            WriterContact contact,
            LongSupplier nanoTime,
            EntrySource entries,
            Consumer<ReplicaState> mayFreeLease) {
        this.copy = copy;
        this.contact = contact;
        this.nanoTime = nanoTime;
        this.entries = entries;
        this.mayFreeLease = mayFreeLease;
    }

    /** Who hears of syncs from now on. */
    void observedBy(JournalObserver newObserver) {
        observer = newObserver;
    }

    /** Another group; what the one before left unfinished, since it failed, is forgotten. */
    void begin() {
        dirty = false;
        heardWriter = false;
        retired = false;
        entryCount = 0;
        payloadBytes = 0;
        answer = Optional.empty();
        failed = null;
    }

    /** @throws IOException if the storage failed: then nothing of the group is known to be durable */
    Optional<PoolReply> perform(PoolRequest request) throws IOException {
        boolean makesStorage = request instanceof FormatRequest || request instanceof StartOverRequest;
        Optional<PoolReply> refusal = makesStorage ? Optional.<PoolReply>empty() : copy.refusal();
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
            copy.storage().sync();
            observer.synced(nanoTime.getAsLong() - begunNanos, entryCount, payloadBytes);
            entryCount = 0;
            payloadBytes = 0;
        } else if (heardWriter && copy.storage() != null) {
            // No batch follows the last one that would tell of it.
            copy.storage().noteDurable();
        }
    }

    /** Shows readers what is committed since; after the sync, so that a reader never sees what this node may lose. */
    void announce() throws IOException {
        if (copy.storage() != null && copy.state() != null) {
            copy.showCommitted();
        }
    }

    private Optional<PoolReply> perform(Step<ReplicaState, ReplicaEffect> step) {
        answer = Optional.empty();
        ReplicaState before = copy.state();
        copy.state(step.next());
        for (ReplicaEffect effect : step.effects()) {
            effect.performedBy(this);
            if (failed != null) {
                copy.state(before);
                return Optional.empty();
            }
        }
        return answer;
    }

    @Override
    public Void savePromise(Promise promise, Standing standing) {
        return doing(() -> {
            sync();
            copy.savePromise(promise, standing);
        });
    }

    @Override
    public Void truncate(long lastSn) {
        return doing(() -> {
            sync();
            copy.storage().truncate(lastSn);
        });
    }

    @Override
    public Void write(List<Entry> newEntries, long committedSn) {
        return doing(() -> {
            dirty = true;
            entryCount += newEntries.size();
            for (Entry entry : newEntries) {
                payloadBytes += entry.payload().size();
            }
            copy.storage().write(newEntries, committedSn);
        });
    }

    @Override
    public Void rebase(LogSummary base) {
        return doing(() -> {
            copy.rebase(base);
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
        // Shown when it is durable.
        return null;
    }

    @Override
    public Void answer(PoolReply reply) {
        answer = Optional.of(reply);
        return null;
    }

    @Override
    public Void halt(String reason) {
        copy.halt(reason);
        answer = Optional.of(copy.failed(reason));
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
        Epoch before = copy.state().promise().epoch();
        Optional<PoolReply> reply = perform(Replica.on(copy.state(), request, firstTxId(), nanoTime.getAsLong()));
        if (!copy.state().promise().epoch().equals(before)) {
            // The writer that said so is not the one that it obeys now.
            contact.notAbreast();
        }
        return reply;
    }

    private long firstTxId() {
        return copy.storage().base().lastTxId() + 1;
    }

    private long firstSn() {
        return copy.storage().base().position().sn() + 1;
    }

    @Override
    public Optional<PoolReply> on(AppendRequest request) {
        heardWriter = true;
        long now = nanoTime.getAsLong();
        Optional<PoolReply> reply = perform(Replica.on(copy.state(), request, now));
        ReplicaState after = copy.state();
        if (!request.epoch().isBelow(after.promise().epoch()) && !Replica.isForeign(after, request.incarnation())) {
            contact.heard(now, after.committedSn() >= request.committedSn());
        }
        return reply;
    }

    @Override
    public Optional<PoolReply> on(CommitRequest request) {
        heardWriter = true;
        return perform(Replica.on(copy.state(), request));
    }

    @Override
    public Optional<PoolReply> on(StepDownRequest request) {
        ReplicaState before = copy.state();
        Optional<PoolReply> reply = perform(Replica.on(before, request));
        mayFreeLease.accept(before);
        return reply;
    }

    @Override
    public Optional<PoolReply> on(RebaseRequest request) {
        return perform(Replica.on(copy.state(), request, nanoTime.getAsLong()));
    }

    @Override
    public Optional<PoolReply> on(FetchRequest request) {
        try {
            return Optional.of(entries.answer(request));
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
        ReplicaState state = copy.state();
        return status(
                copy.node(), copy.namespace(), state, firstSn(), state.lease().remainingMillis(nanoTime.getAsLong()));
    }

    static StatusReply status(
            NodeId node, NamespaceId namespace, ReplicaState state, long firstSn, long leaseHeldMillis) {
        return StatusReply.of(
                node,
                namespace,
                state.promise(),
                state.end(),
                state.committed(),
                firstSn,
                state.standing(),
                leaseHeldMillis);
    }

    @Override
    public Optional<PoolReply> on(SegmentsRequest request) {
        return Optional.<PoolReply>of(copy.segments(request.fromTxId()));
    }

    @Override
    public Optional<PoolReply> on(FormatRequest request) {
        ReplicaState state = copy.state();
        if (!copy.failure().isEmpty() && !request.force()) {
            return Optional.of(copy.failed(copy.failure()));
        }
        if (state != null && !request.force()) {
            boolean sameAgain = state.node().equals(request.node())
                    && copy.namespace().equals(request.namespace())
                    && state.incarnation().equals(request.base().incarnation());
            return Optional.of(
                    sameAgain
                            ? DoneReply.of(copy.node())
                            : copy.failed("is formatted already, for " + copy.namespace()
                                    + "; format with force to move that aside"));
        }
        if (state == null && !request.force() && !request.node().equals(copy.emptyNode())) {
            return Optional.of(copy.failed("wanted node " + request.node() + ", this is " + copy.emptyNode()));
        }
        doing(() -> {
            copy.format(request);
        });
        return Optional.<PoolReply>of(DoneReply.of(request.node()));
    }

    @Override
    public Optional<PoolReply> on(RetireRequest request) {
        Optional<PoolReply> reply = perform(Replica.on(copy.state(), request));
        if (!retired) {
            return reply;
        }
        retired = false;
        doing(() -> {
            sync();
            copy.moveAside();
        });
        return Optional.<PoolReply>of(NotFormattedReply.of(copy.emptyNode()));
    }

    @Override
    public Optional<PoolReply> on(ChangeMembersRequest request) {
        long now = nanoTime.getAsLong();
        changes = changes.with(request.change(), now);
        return Optional.<PoolReply>of(
                ChangeReply.of(copy.node(), changes.progress(request.change().ticket(), now)));
    }

    @Override
    public Optional<PoolReply> on(CollectChangesRequest request) {
        if (isStale(request.epoch())) {
            return stale();
        }
        long now = nanoTime.getAsLong();
        changes = changes.collected(request.progress(), now);
        return Optional.<PoolReply>of(ChangesReply.of(copy.node(), changes.wanted(now)));
    }

    private boolean isStale(Epoch writer) {
        return writer.isBelow(copy.state().promise().epoch());
    }

    private Optional<PoolReply> stale() {
        return Optional.<PoolReply>of(
                StaleEpochReply.of(copy.node(), copy.state().promise().epoch()));
    }

    @Override
    public Optional<PoolReply> on(StartOverRequest request) {
        if (!copy.isFormatted()) {
            return Optional.<PoolReply>of(NotFormattedReply.of(copy.emptyNode()));
        }
        if (!request.node().equals(copy.node())) {
            return Optional.of(copy.failed("wanted node " + request.node() + ", this is " + copy.node()));
        }
        answer = Optional.empty();
        doing(() -> startOver(request.incarnation()));
        return answer;
    }

    private void startOver(Incarnation wanted) throws IOException {
        sync();
        String movedTo = isOutOfForce(wanted) ? copy.leaveIncarnation() : copy.startOver();
        if (isOutOfForce(wanted)) {
            // It could not be opened before, and works again, as what it was.
            movedTo = copy.leaveIncarnation();
        }
        // The id may be another one now.
        answer = Optional.of(StartedOverReply.of(copy.node(), movedTo));
    }

    /** Who says so decided it for this very storage: one that was formatted meanwhile has another id. */
    private boolean isOutOfForce(Incarnation wanted) {
        return wanted.isKnown()
                && copy.state() != null
                && !copy.state().incarnation().equals(wanted);
    }

    @Override
    public Optional<PoolReply> on(PurgeRequest request) {
        if (isStale(request.epoch())) {
            return stale();
        }
        ReplicaState state = copy.state();
        if (Replica.isForeign(state, request.incarnation())) {
            // It counts the transactions of another log (rule R11).
            return Optional.of(Replica.other(state));
        }
        doing(() -> {
            // What is committed must be in the index, or too much would be purged.
            sync();
            copy.showCommitted();
            copy.purge(Math.min(copy.firstSnFor(state.purgeableBelow(request.minTxId())), state.committedSn()));
        });
        return Optional.<PoolReply>of(DoneReply.of(copy.node()));
    }

    /** Images are the node's, who answers without asking its copy of the journal; here a writer asks for them. */
    @Override
    public Optional<PoolReply> on(ImagesRequest request) {
        return Optional.of(copy.failed("images are given to readers only"));
    }

    @Override
    public Optional<PoolReply> on(ImagePartRequest request) {
        return Optional.of(copy.failed("images are given to readers only"));
    }

    /** Answers one who reads entries, under the lock of the copy. */
    interface EntrySource {
        PoolReply answer(FetchRequest request) throws IOException;
    }

    /** Work on the storage that may fail. */
    private interface StorageWork {
        void run() throws IOException;
    }
}

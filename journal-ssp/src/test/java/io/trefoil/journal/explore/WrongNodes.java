/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.explore;

import io.trefoil.foundation.Step;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.Promise;
import io.trefoil.journal.protocol.AppendRequest;
import io.trefoil.journal.protocol.AppendedReply;
import io.trefoil.journal.protocol.CommitRequest;
import io.trefoil.journal.protocol.MismatchReply;
import io.trefoil.journal.protocol.NewEpochRequest;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.protocol.PromiseReply;
import io.trefoil.journal.protocol.StaleEpochReply;
import io.trefoil.journal.replica.ReplicaEffect;
import io.trefoil.journal.replica.ReplicaState;
import io.trefoil.journal.replica.ReplicaTimes;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Nodes with one rule broken each, for the explorer to find. */
final class WrongNodes {

    private WrongNodes() {}

    /** Answers first, and makes durable then. */
    static Step<ReplicaState, ReplicaEffect> answerBeforeWriting(
            ReplicaState state, PoolRequest request, long nowNanos) {
        Step<ReplicaState, ReplicaEffect> step = ExploredRules.nodeStep(state, request, nowNanos);
        List<ReplicaEffect> effects = new ArrayList<>(step.effects());
        effects.sort((one, other) ->
                Boolean.compare(other instanceof ReplicaEffect.Answer, one instanceof ReplicaEffect.Answer));
        return Step.of(step.next(), effects);
    }

    /** Takes entries from the writer before. */
    static Step<ReplicaState, ReplicaEffect> obeyOlderWriters(ReplicaState state, PoolRequest request, long nowNanos) {
        if (!(request instanceof AppendRequest append)
                || !append.epoch().isBelow(state.promise().epoch())) {
            return ExploredRules.nodeStep(state, request, nowNanos);
        }
        Promise older = Promise.of(append.epoch(), append.writer(), append.leaseMillis());
        Step<ReplicaState, ReplicaEffect> step =
                ExploredRules.nodeStep(ReplicaTimes.withPromise(state, older), request, nowNanos);
        return Step.of(ReplicaTimes.withPromise(step.next(), state.promise()), step.effects());
    }

    /** Acknowledges to a writer whose term is over what it does not write. */
    static Step<ReplicaState, ReplicaEffect> acknowledgeRefusedEntries(
            ReplicaState state, PoolRequest request, long nowNanos) {
        return alterReplies(
                state,
                request,
                nowNanos,
                reply -> reply instanceof StaleEpochReply && request instanceof AppendRequest append
                        ? AppendedReply.of(
                                state.node(),
                                append.epoch(),
                                append.prev().sn() + append.entries().size(),
                                state.completeness())
                        : reply);
    }

    /** Promises one epoch to all writers that ask for it. */
    static Step<ReplicaState, ReplicaEffect> promiseSameEpochTwice(
            ReplicaState state, PoolRequest request, long nowNanos) {
        boolean again = request instanceof NewEpochRequest asked
                && asked.epoch().equals(state.promise().epoch());
        return ExploredRules.nodeStep(again ? ReplicaTimes.withPromise(state, Promise.NONE) : state, request, nowNanos);
    }

    /** Says that its log matches wherever a writer's begins. */
    static Step<ReplicaState, ReplicaEffect> treatAnyLogAsMatching(
            ReplicaState state, PoolRequest request, long nowNanos) {
        return alterReplies(
                state,
                request,
                nowNanos,
                reply -> reply instanceof MismatchReply && request instanceof AppendRequest append
                        ? AppendedReply.of(
                                state.node(), append.epoch(), append.prev().sn(), state.completeness())
                        : reply);
    }

    /** Acknowledges one entry more than it was sent. */
    static Step<ReplicaState, ReplicaEffect> acknowledgeTooMuch(
            ReplicaState state, PoolRequest request, long nowNanos) {
        if (!(request instanceof AppendRequest append) || append.entries().isEmpty()) {
            return ExploredRules.nodeStep(state, request, nowNanos);
        }
        List<Entry> fewer = append.entries().subList(0, append.entries().size() - 1);
        return alterReplies(
                state,
                append(append, append.prev(), fewer),
                nowNanos,
                reply -> reply instanceof AppendedReply appended
                        ? AppendedReply.of(
                                appended.node(), appended.epoch(), appended.matchedSn() + 1, appended.completeness())
                        : reply);
    }

    /** Takes what it has for committed as far as it hears that something is, whether its log is the writer's or not. */
    static Step<ReplicaState, ReplicaEffect> commitLocalEntries(
            ReplicaState state, PoolRequest request, long nowNanos) {
        if (request instanceof CommitRequest commit
                && commit.epoch().equals(state.promise().epoch())) {
            LogPosition committed = LogPosition.of(commit.epoch(), commit.committedSn());
            AppendRequest heartbeat = AppendRequest.of(
                    commit.epoch(),
                    state.promise().writer(),
                    state.promise().leaseMillis(),
                    state.last(),
                    List.of(),
                    committed,
                    0);
            return ExploredRules.nodeStep(state, heartbeat, nowNanos);
        }
        return ExploredRules.nodeStep(state, request, nowNanos);
    }

    /** Takes a heartbeat for a proof that its log is the writer's. */
    static Step<ReplicaState, ReplicaEffect> commitByHeartbeats(
            ReplicaState state, PoolRequest request, long nowNanos) {
        boolean isHeartbeat = request instanceof AppendRequest append
                && append.entries().isEmpty()
                && append.committedSn() > state.committedSn();
        return ExploredRules.nodeStep(
                state, isHeartbeat ? append((AppendRequest) request, state.last(), List.of()) : request, nowNanos);
    }

    /** Tells a new writer only what it knows to be committed. */
    static Step<ReplicaState, ReplicaEffect> hideTail(ReplicaState state, PoolRequest request, long nowNanos) {
        return alterReplies(
                state,
                request,
                nowNanos,
                reply -> reply instanceof PromiseReply promise
                        ? PromiseReply.of(
                                promise.node(),
                                promise.epoch(),
                                state.committedSummary(),
                                promise.committedSn(),
                                promise.knownCommitted(),
                                promise.firstTxId(),
                                promise.completeness())
                        : reply);
    }

    /** Keeps what contradicts a writer's entries behind these. */
    static Step<ReplicaState, ReplicaEffect> skipTruncation(ReplicaState state, PoolRequest request, long nowNanos) {
        Step<ReplicaState, ReplicaEffect> step = ExploredRules.nodeStep(state, request, nowNanos);
        List<ReplicaEffect> effects = new ArrayList<>(step.effects());
        boolean cut = effects.removeIf(effect -> effect instanceof ReplicaEffect.Truncate);
        effects.removeIf(effect -> cut && effect instanceof ReplicaEffect.Write);
        return Step.of(step.next(), effects);
    }

    /** Promises whatever lease runs. */
    static Step<ReplicaState, ReplicaEffect> ignoreLeases(ReplicaState state, PoolRequest request, long nowNanos) {
        boolean requested = request instanceof NewEpochRequest;
        return ExploredRules.nodeStep(requested ? ReplicaTimes.expireLease(state) : state, request, nowNanos);
    }

    /** A disk whose promise is gone when its process starts. */
    static Disk withoutPromise(Disk disk) {
        return new Disk(
                disk.node(),
                JournalWorld.PROMISED,
                disk.completeness(),
                disk.base(),
                disk.entries(),
                disk.committedSn());
    }

    /** A disk that was emptied and formatted under the same id. */
    static Disk withoutLog(Disk disk) {
        return new Disk(
                disk.node(),
                disk.promise(),
                disk.completeness(),
                disk.base(),
                List.of(),
                disk.base().position().sn());
    }

    /** A damaged log that seems whole. */
    static Disk hideDamage(Disk disk) {
        return new Disk(
                disk.node(), disk.promise(), LogCompleteness.COMPLETE, disk.base(), disk.entries(), disk.committedSn());
    }

    /** A promoted node's disk on which a lost node is still a voter. */
    static Disk keepLostVoter(Disk disk) {
        List<Entry> entries = new ArrayList<>();
        for (Entry entry : disk.entries()) {
            boolean isChanged = entry.kind() == EntryKind.MEMBERS
                    && disk.base().incarnation().isPromoted();
            entries.add(isChanged ? withVoter(entry) : entry);
        }
        return new Disk(disk.node(), disk.promise(), disk.completeness(), disk.base(), entries, disk.committedSn());
    }

    private static Entry withVoter(Entry entry) {
        Members members = Members.fromPayload(entry.payload());
        Member lost = Member.voter(NodeId.of("node-0"), NodeAddress.of("node-0", 1));
        return Entry.of(
                entry.position(),
                entry.kind(),
                entry.txIds(),
                Members.of(members.list()).with(lost).toPayload());
    }

    /** Takes what a writer of another incarnation sends for its own writer's. */
    static Step<ReplicaState, ReplicaEffect> mixIncarnations(ReplicaState state, PoolRequest request, long nowNanos) {
        PoolRequest own = request;
        if (request instanceof AppendRequest append) {
            own = AppendRequest.of(
                    state.incarnation(),
                    append.epoch(),
                    append.writer(),
                    append.leaseMillis(),
                    append.prev(),
                    append.entries(),
                    append.committedPosition(),
                    append.lastSn());
        } else if (request instanceof CommitRequest commit) {
            own = commit.withIncarnation(state.incarnation());
        }
        return ExploredRules.nodeStep(state, own, nowNanos);
    }

    /** Purges what a barrier keeps once its release is written. */
    static long purgeBeforeReleaseCommits(ReplicaState state, long minTxId) {
        return Math.min(minTxId, state.end().barriers().keepFrom());
    }

    /** An empty disk whose node has the id of the one that was lost, and storage under it. */
    static Disk withLostId(Disk disk) {
        if (disk.isFormatted()) {
            return disk;
        }
        NodeId lost = NodeId.of("node-" + JournalWorld.LOSER);
        return new Disk(lost, disk.promise(), disk.completeness(), disk.base(), disk.entries(), 0);
    }

    private static AppendRequest append(AppendRequest append, LogPosition prev, List<Entry> entries) {
        return AppendRequest.of(
                append.incarnation(),
                append.epoch(),
                append.writer(),
                append.leaseMillis(),
                prev,
                entries,
                append.committedPosition(),
                append.lastSn());
    }

    private static Step<ReplicaState, ReplicaEffect> alterReplies(
            ReplicaState state, PoolRequest request, long nowNanos, UnaryOperator<PoolReply> alteration) {
        Step<ReplicaState, ReplicaEffect> step = ExploredRules.nodeStep(state, request, nowNanos);
        List<ReplicaEffect> effects = new ArrayList<>();
        for (ReplicaEffect effect : step.effects()) {
            effects.add(
                    effect instanceof ReplicaEffect.Answer answer
                            ? ReplicaEffect.answer(alteration.apply(answer.reply()))
                            : effect);
        }
        return Step.of(step.next(), effects);
    }
}

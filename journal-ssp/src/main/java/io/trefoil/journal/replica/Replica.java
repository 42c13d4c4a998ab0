/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.replica;

import io.trefoil.foundation.Step;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Promise;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.protocol.AppendRequest;
import io.trefoil.journal.protocol.AppendedReply;
import io.trefoil.journal.protocol.CommitRequest;
import io.trefoil.journal.protocol.DoneReply;
import io.trefoil.journal.protocol.LeaseHeldReply;
import io.trefoil.journal.protocol.MismatchReply;
import io.trefoil.journal.protocol.NewEpochRequest;
import io.trefoil.journal.protocol.OtherIncarnationReply;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PromiseReply;
import io.trefoil.journal.protocol.RebaseRequest;
import io.trefoil.journal.protocol.RetireRequest;
import io.trefoil.journal.protocol.StaleEpochReply;
import io.trefoil.journal.protocol.StepDownRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The rules of one pool node (protocol page, R1, R2 and R9; paper §4.1.2, "participant").
 *
 * <p>Pure functions of state, message and time. A node refuses by an ordinary reply; it halts only where continuing
 * would contradict what it told readers. {@code nowNanos} is the node's own monotonic clock.
 */
public final class Replica {

    private Replica() {}

    /** A writer asks for a promise; {@code firstTxId} is the lowest transaction that the node still has. */
    public static Step<ReplicaState, ReplicaEffect> on(
            ReplicaState state, NewEpochRequest request, long firstTxId, long nowNanos) {
        Promise promise = state.promise();
        boolean asksAgain =
                request.epoch().equals(promise.epoch()) && request.writer().equals(promise.writer());
        if (asksAgain) {
            // The first reply was lost; the writer must get the same one again.
            return answer(state, promiseReply(state, firstTxId));
        }
        if (!request.epoch().isAbove(promise.epoch())) {
            return answer(state, StaleEpochReply.of(state.node(), promise.epoch()));
        }
        long heldMillis = state.lease().remainingMillis(nowNanos);
        // A writer that begins again does not have to wait for itself.
        boolean ownLease = request.writer().equals(promise.writer());
        if (heldMillis > 0 && !ownLease) {
            return answer(state, LeaseHeldReply.of(state.node(), promise.epoch(), heldMillis));
        }
        Promise given = Promise.of(request.epoch(), request.writer(), request.leaseMillis());
        // The new writer's lease begins with its first append: until then the writer does not consider itself alone.
        ReplicaState next = state.withPromise(given).withLease(Lease.FREE);
        List<ReplicaEffect> effects = new ArrayList<>();
        effects.add(ReplicaEffect.savePromise(given, state.completeness()));
        effects.add(ReplicaEffect.answer(promiseReply(next, firstTxId)));
        return Step.of(next, effects);
    }

    /** A writer appends, or sends a heartbeat. */
    public static Step<ReplicaState, ReplicaEffect> on(ReplicaState state, AppendRequest request, long nowNanos) {
        if (isForeign(state, request.incarnation())) {
            return answer(state, otherIncarnationReply(state));
        }
        if (request.epoch().isBelow(state.promise().epoch())) {
            return answer(
                    state, StaleEpochReply.of(state.node(), state.promise().epoch()));
        }
        List<ReplicaEffect> effects = new ArrayList<>();
        ReplicaState promised = promise(state, request.epoch(), request.writer(), request.leaseMillis(), effects);
        Lease renewedLease = Lease.of(nowNanos, promised.promise().leaseMillis());
        LogPosition committed = promised.committedSummary().position();
        if (contradictsCommitted(committed, request)) {
            effects.add(ReplicaEffect.halt("Writer of epoch " + request.epoch() + " has another entry at " + committed
                    + " than the one that is committed here"));
            return Step.of(promised.withKnownCommitted(renewedLease, request.committedPosition()), effects);
        }
        if (!hasEntry(promised, committed.sn(), request.prev())) {
            effects.add(ReplicaEffect.answer(MismatchReply.of(
                    promised.node(), request.epoch(), promised.last(), committed.sn(), promised.completeness())));
            return Step.of(promised.withKnownCommitted(renewedLease, request.committedPosition()), effects);
        }
        long matchedSn = request.prev().sn() + request.entries().size();
        ReplicaState appended = append(promised, request, matchedSn, renewedLease, effects);
        ReplicaState next = finishRefetchIfComplete(appended, request, matchedSn, effects);
        effects.add(
                ReplicaEffect.answer(AppendedReply.of(next.node(), request.epoch(), matchedSn, next.completeness())));
        return Step.of(next, effects);
    }

    /** A writer announces which entries are committed. */
    public static Step<ReplicaState, ReplicaEffect> on(ReplicaState state, CommitRequest request) {
        boolean isOwn = !isForeign(state, request.incarnation())
                && request.epoch().equals(state.promise().epoch());
        if (!isOwn) {
            return Step.withoutEffects(state);
        }
        LogPosition heard = LogPosition.of(request.epoch(), request.committedSn());
        if (!request.epoch().equals(state.last().epoch())) {
            // The node's log is known to match the writer's only in entries that this writer itself sent here.
            return Step.withoutEffects(state.withKnownCommitted(heard));
        }
        List<ReplicaEffect> effects = new ArrayList<>();
        long committedSn = Math.min(request.committedSn(), state.lastSn());
        return Step.of(commit(state, state.tail(), committedSn, state.lease(), heard, effects), effects);
    }

    /** A writer ends its term of its own accord. */
    public static Step<ReplicaState, ReplicaEffect> on(ReplicaState state, StepDownRequest request) {
        // Only a writer with the promises of a majority sends this, and there is one such writer per epoch. A rival to
        // which this node promised the same epoch never began a term: ending its lease does no harm.
        boolean promised = !isForeign(state, request.incarnation())
                && request.epoch().equals(state.promise().epoch());
        return answer(promised ? state.withLease(Lease.FREE) : state, DoneReply.of(state.node()));
    }

    /** A writer starts this node's log over, because no node keeps the entries that follow it. */
    public static Step<ReplicaState, ReplicaEffect> on(ReplicaState state, RebaseRequest request, long nowNanos) {
        if (isForeign(state, request.base().incarnation())) {
            return answer(state, otherIncarnationReply(state));
        }
        if (request.epoch().isBelow(state.promise().epoch())) {
            return answer(
                    state, StaleEpochReply.of(state.node(), state.promise().epoch()));
        }
        List<ReplicaEffect> effects = new ArrayList<>();
        ReplicaState promised = promise(state, request.epoch(), request.writer(), request.leaseMillis(), effects);
        ReplicaState heard =
                promised.withLease(Lease.of(nowNanos, promised.promise().leaseMillis()));
        LogSummary base = request.base();
        if (base.position().sn() <= heard.committedSn()) {
            effects.add(ReplicaEffect.answer(MismatchReply.of(
                    heard.node(), request.epoch(), heard.last(), heard.committedSn(), heard.completeness())));
            return Step.of(heard, effects);
        }
        if (base.position().sn() <= heard.lastSn()
                && heard.tailPosition(base.position().sn()).equals(base.position())) {
            // Nothing to start over: the logs agree up to there, and what follows may have been acknowledged.
            effects.add(ReplicaEffect.answer(AppendedReply.of(
                    heard.node(), request.epoch(), base.position().sn(), heard.completeness())));
            return Step.of(heard, effects);
        }
        // The uncommitted entries that this node drops contradict what is committed elsewhere.
        effects.add(ReplicaEffect.rebase(base));
        effects.add(ReplicaEffect.showCommitted(base.position().sn()));
        effects.add(ReplicaEffect.answer(
                AppendedReply.of(heard.node(), request.epoch(), base.position().sn(), heard.completeness())));
        return Step.of(heard.withLog(base, Collections.<Entry>emptyList()), effects);
    }

    /**
     * A writer says that this storage was a member and never will be again (rule R8). Its content may still be needed,
     * so it is moved aside rather than deleted.
     *
     * <p>Epochs of two incarnations cannot be compared: an old site may have gone on to any epoch before it learned of a
     * promotion. Storage of a lower incarnation retires whatever it promised, since the journal goes by the higher one.
     */
    public static Step<ReplicaState, ReplicaEffect> on(ReplicaState state, RetireRequest request) {
        boolean foreign = isForeign(state, request.incarnation());
        if (foreign && !request.incarnation().isAbove(state.incarnation())) {
            return answer(state, otherIncarnationReply(state));
        }
        if (!foreign && request.epoch().isBelow(state.promise().epoch())) {
            return answer(
                    state, StaleEpochReply.of(state.node(), state.promise().epoch()));
        }
        if (!request.node().equals(state.node())) {
            // That storage is gone already; the reply says which one is here now.
            return answer(state, DoneReply.of(state.node()));
        }
        return Step.of(state, ReplicaEffect.moveAside());
    }

    /**
     * A writer's process is certainly dead, so its lease ends. The writer is identified by its id, not by its epoch: a
     * rival that never got a majority may have asked for the same epoch elsewhere, and its end says nothing about this one.
     */
    public static ReplicaState endLeaseOfDeadWriter(ReplicaState state, WriterId writer) {
        return writer.equals(state.promise().writer()) ? state.withLease(Lease.FREE) : state;
    }

    /**
     * A writer appears to be down: its session broke, and no process listens at its address. A firewall can look like
     * that, so its lease runs only as long as the writer may consider itself alone; if the writer is heard from again, it
     * has the whole lease again.
     */
    public static ReplicaState shortenLease(ReplicaState state, WriterId writer) {
        return writer.equals(state.promise().writer())
                ? state.withLease(state.lease().shortenForSuspectedWriter())
                : state;
    }

    /**
     * A writer that appends has the promises of a majority. A node that missed the request gives its promise now; a node
     * that promised the same epoch to a rival without a majority transfers the promise to this writer. A term's lease never gets shorter here,
     * even if an older request of the writer arrives after one that asked for a longer lease.
     */
    private static ReplicaState promise(
            ReplicaState state, Epoch epoch, WriterId writer, long leaseMillis, List<ReplicaEffect> effects) {
        Promise before = state.promise();
        boolean isSameTerm = epoch.equals(before.epoch()) && writer.equals(before.writer());
        Promise given =
                Promise.of(epoch, writer, isSameTerm ? Math.max(leaseMillis, before.leaseMillis()) : leaseMillis);
        if (given.equals(state.promise())) {
            return state;
        }
        effects.add(ReplicaEffect.savePromise(given, state.completeness()));
        return state.withPromise(given);
    }

    /**
     * Whether a writer belongs to another incarnation of the journal (rule R11). Epochs and serial numbers of two
     * incarnations cannot be compared: such a writer gets no promise and no lease, and its entries are not accepted,
     * whichever incarnation is older.
     */
    public static boolean isForeign(ReplicaState state, Incarnation incarnation) {
        return !state.incarnation().equals(incarnation);
    }

    /** The reply to a writer that {@link #isForeign}. */
    public static PoolReply otherIncarnationReply(ReplicaState state) {
        return OtherIncarnationReply.of(state.node(), state.incarnation());
    }

    private static boolean contradictsCommitted(LogPosition committed, AppendRequest request) {
        long committedSn = committed.sn();
        if (request.prev().sn() == committedSn) {
            return !request.prev().equals(committed);
        }
        for (Entry entry : request.entries()) {
            if (entry.sn() == committedSn) {
                return !entry.position().equals(committed);
            }
        }
        return false;
    }

    private static boolean hasEntry(ReplicaState state, long committedSn, LogPosition prev) {
        if (prev.sn() <= committedSn) {
            // Committed entries are the same everywhere (R3).
            return true;
        }
        return prev.sn() <= state.lastSn() && state.tailPosition(prev.sn()).equals(prev);
    }

    private static ReplicaState append(
            ReplicaState state,
            AppendRequest request,
            long matchedSn,
            Lease renewedLease,
            List<ReplicaEffect> effects) {
        List<Entry> fresh = new ArrayList<>();
        ReplicaState kept = state;
        long keptSn = kept.lastSn();
        for (Entry entry : request.entries()) {
            long sn = entry.sn();
            if (sn > keptSn) {
                // Includes the entries after one that was cut.
                fresh.add(entry);
            } else if (sn > kept.committedSn() && !kept.tailPosition(sn).equals(entry.position())) {
                kept = truncate(kept, sn - 1, effects);
                keptSn = sn - 1;
                fresh.add(entry);
            }
        }
        long committedSn = Math.min(request.committedSn(), matchedSn);
        List<Entry> tail = kept.tail();
        if (!fresh.isEmpty()) {
            effects.add(ReplicaEffect.write(fresh, Math.max(kept.committedSn(), committedSn)));
            List<Entry> longer = new ArrayList<>(tail.size() + fresh.size());
            longer.addAll(tail);
            longer.addAll(fresh);
            tail = Collections.unmodifiableList(longer);
        }
        return commit(kept, tail, committedSn, renewedLease, request.committedPosition(), effects);
    }

    private static ReplicaState truncate(ReplicaState state, long lastSn, List<ReplicaEffect> effects) {
        effects.add(ReplicaEffect.truncate(lastSn));
        return state.withLog(
                state.committedSummary(),
                new ArrayList<>(state.tail().subList(0, (int) (lastSn - state.committedSn()))));
    }

    /**
     * The state with this tail, committed up to {@code committedSn} according to the writer.
     *
     * @param tail the state's, perhaps with more entries; not to be changed any longer
     * @param lease the writer's lease from now on
     * @param heard the newest entry that the writer knows to be committed
     */
    private static ReplicaState commit(
            ReplicaState state,
            List<Entry> tail,
            long committedSn,
            Lease lease,
            LogPosition heard,
            List<ReplicaEffect> effects) {
        LogSummary committed = state.committedSummary();
        long knownSn = committed.position().sn();
        if (committedSn <= knownSn) {
            return state.with(committed, tail, lease, heard);
        }
        int count = (int) (committedSn - knownSn);
        for (Entry entry : tail.subList(0, count)) {
            committed = committed.plus(entry);
        }
        effects.add(ReplicaEffect.showCommitted(committedSn));
        List<Entry> rest = new ArrayList<>(tail.subList(count, tail.size()));
        return state.with(committed, Collections.unmodifiableList(rest), lease, heard);
    }

    /**
     * A refetching node counts again once it has everything that the writer had at their first contact: that includes
     * whatever the node acknowledged before the damage, if it was ever committed.
     */
    private static ReplicaState finishRefetchIfComplete(
            ReplicaState state, AppendRequest request, long matchedSn, List<ReplicaEffect> effects) {
        if (state.completeness() == LogCompleteness.COMPLETE) {
            return state;
        }
        long wholeAt = state.completeAtSn().orElse(request.lastSn());
        if (matchedSn < wholeAt) {
            return state.withRefetchUntil(wholeAt);
        }
        effects.add(ReplicaEffect.savePromise(state.promise(), LogCompleteness.COMPLETE));
        return state.withRefetchDone();
    }

    private static PromiseReply promiseReply(ReplicaState state, long firstTxId) {
        return PromiseReply.of(
                state.node(),
                state.promise().epoch(),
                state.end(),
                state.committedSn(),
                state.knownCommitted(),
                firstTxId,
                state.completeness());
    }

    private static Step<ReplicaState, ReplicaEffect> answer(ReplicaState state, PoolReply reply) {
        return Step.of(state, ReplicaEffect.answer(reply));
    }
}

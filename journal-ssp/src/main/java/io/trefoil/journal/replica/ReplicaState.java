/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.replica;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.Promise;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Everything that a node must know about a journal to follow the rules: its promise, and the shape of its log. The
 * state has only a summary of the committed entries; it keeps later ones one by one, because they may still be cut.
 * Immutable.
 */
@AutoValue
public abstract class ReplicaState {

    /**
     * Returns the state of a node that has just opened its storage.
     *
     * @param nowNanos a restarted node no longer knows when it last acknowledged the writer's lease, so it counts the
     *     lease from here
     */
    public static ReplicaState afterOpening(
            NodeId node,
            Promise promise,
            LogCompleteness completeness,
            LogSummary committed,
            List<Entry> tail,
            long nowNanos) {
        return new AutoValue_ReplicaState(
                node,
                promise,
                completeness,
                committed,
                Collections.unmodifiableList(new ArrayList<>(tail)),
                Lease.of(nowNanos, promise.leaseMillis()),
                Optional.<Long>empty(),
                committed.position());
    }

    public abstract NodeId node();

    public abstract Promise promise();

    public abstract LogCompleteness completeness();

    /** The newest entry that this node knows to be committed, and everything before it. */
    public abstract LogSummary committedSummary();

    /** The entries after the committed ones, oldest first. */
    public abstract List<Entry> tail();

    /** The time until which the promised writer may consider itself alone. */
    public abstract Lease lease();

    /** The serial number at which a log that is being refetched is complete again; empty until a writer has reported it. */
    public abstract Optional<Long> completeAtSn();

    /** The newest entry that a writer has announced as committed since this process opened the storage, present here or not. */
    abstract LogPosition announcedCommitted();

    /** The newest entry that this node knows to be committed, present here or not. */
    public final LogPosition knownCommitted() {
        LogPosition own = committedSummary().position();
        return own.compareTo(announcedCommitted()) > 0 ? own : announcedCommitted();
    }

    /** The incarnation of the journal that this log belongs to (rule R11). */
    public final Incarnation incarnation() {
        return committedSummary().incarnation();
    }

    public final LogPosition last() {
        return tail().isEmpty()
                ? committedSummary().position()
                : tail().get(tail().size() - 1).position();
    }

    /** A hash that most likely differs between two states that the rules distinguish; the lease is left out. */
    public final long digest() {
        return Objects.hash(
                node(),
                promise(),
                completeness().name(),
                committedSummary().position(),
                last(),
                completeAtSn(),
                announcedCommitted());
    }

    public final long lastSn() {
        return last().sn();
    }

    public final long committedSn() {
        return committedSummary().position().sn();
    }

    /** The summary of the whole log. */
    public final LogSummary end() {
        LogSummary end = committedSummary();
        for (Entry entry : tail()) {
            end = end.plus(entry);
        }
        return end;
    }

    /**
     * The bound below which transactions may be purged if a writer allows it below {@code minTxId}: excludes all that a
     * live barrier keeps (rule R10). A release counts when it is committed, a barrier as soon as it is written.
     */
    public final long purgeableBelow(long minTxId) {
        LogSummary end = committedSummary();
        long below = Math.min(minTxId, end.barriers().keepFrom());
        for (Entry entry : tail()) {
            // Also what a later entry of the tail releases.
            end = end.plus(entry);
            below = Math.min(below, end.barriers().keepFrom());
        }
        return below;
    }

    /** The position of the uncommitted entry with this serial number. */
    final LogPosition tailPosition(long sn) {
        return tail().get((int) (sn - committedSn() - 1)).position();
    }

    /** A copy with another promise, which drops an earlier writer's report about completeness: the new one has its own log. */
    final ReplicaState withPromise(Promise promise) {
        return new AutoValue_ReplicaState(
                node(),
                promise,
                completeness(),
                committedSummary(),
                tail(),
                lease(),
                Optional.<Long>empty(),
                announcedCommitted());
    }

    final ReplicaState withLease(Lease lease) {
        return new AutoValue_ReplicaState(
                node(),
                promise(),
                completeness(),
                committedSummary(),
                tail(),
                lease,
                completeAtSn(),
                announcedCommitted());
    }

    final ReplicaState withLog(LogSummary committed, List<Entry> tail) {
        return new AutoValue_ReplicaState(
                node(),
                promise(),
                completeness(),
                committed,
                Collections.unmodifiableList(tail),
                lease(),
                completeAtSn(),
                announcedCommitted());
    }

    final ReplicaState withRefetchUntil(long sn) {
        return new AutoValue_ReplicaState(
                node(),
                promise(),
                completeness(),
                committedSummary(),
                tail(),
                lease(),
                Optional.of(sn),
                announcedCommitted());
    }

    final ReplicaState withRefetchDone() {
        return new AutoValue_ReplicaState(
                node(),
                promise(),
                LogCompleteness.COMPLETE,
                committedSummary(),
                tail(),
                lease(),
                Optional.<Long>empty(),
                announcedCommitted());
    }

    /** The state after learning that an entry is committed. */
    final ReplicaState withKnownCommitted(LogPosition committed) {
        return committed.compareTo(announcedCommitted()) > 0 ? withKnownCommitted(lease(), committed) : this;
    }

    /** The state after the promised writer has renewed its lease, and announced that an entry is committed. */
    final ReplicaState withKnownCommitted(Lease renewedLease, LogPosition committed) {
        return with(committedSummary(), tail(), renewedLease, committed);
    }

    /**
     * The state with another log, after the promised writer has renewed its lease, and announced that an entry is committed.
     *
     * @param tail not to be changed any longer
     */
    final ReplicaState with(LogSummary committed, List<Entry> tail, Lease renewedLease, LogPosition knownCommit) {
        LogPosition newest = announcedCommitted();
        return new AutoValue_ReplicaState(
                node(),
                promise(),
                completeness(),
                committed,
                tail,
                renewedLease,
                completeAtSn(),
                knownCommit.compareTo(newest) > 0 ? knownCommit : newest);
    }

    /** The state after the same process has reopened the storage: what the process learned before is still valid. */
    public final ReplicaState afterReopening(ReplicaState before) {
        boolean same = before.node().equals(node()) && before.incarnation().equals(incarnation());
        return same ? withKnownCommitted(before.knownCommitted()) : this;
    }
}

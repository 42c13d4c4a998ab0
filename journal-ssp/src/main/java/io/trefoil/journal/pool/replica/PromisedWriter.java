/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.replica;

import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.pool.replica.storage.CommitSignal;
import io.trefoil.journal.pool.replica.storage.ReplicaLock;
import io.trefoil.journal.pool.replica.storage.ReplicaStorage;
import io.trefoil.journal.pool.replica.storage.ReplicaView;
import io.trefoil.journal.pool.replica.storage.WriterLiveness;
import io.trefoil.journal.replica.Replica;
import io.trefoil.journal.replica.ReplicaState;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * A replica's knowledge of the writer that it promised to: its lease, when it was last heard from, and whether the replica has everything
 * that it committed. Answers at once, on any thread.
 */
public final class PromisedWriter {

    /** The time within which a working disk finishes its current work. */
    private static final Duration TYPICAL_DISK_WORK = Duration.ofMillis(5);

    private final ReplicaStorage replica;
    private final ReplicaLock turn;
    private final WriterLiveness liveness;
    private final CommitSignal commits;
    private final LongSupplier nanoTime;

    /** The time at which the suspected writer was last heard from; once it is heard from again, it is no longer suspected. */
    private volatile Optional<Long> suspectHeardNanos = Optional.empty();

    PromisedWriter(
            ReplicaStorage replica,
            ReplicaLock turn,
            WriterLiveness liveness,
            CommitSignal commits,
            LongSupplier nanoTime) {
        this.replica = replica;
        this.turn = turn;
        this.liveness = liveness;
        this.commits = commits;
        this.nanoTime = nanoTime;
    }

    /** The time at which a writer was last heard from, by the given clock; empty if never since the start. */
    public Optional<Long> lastContactNanos() {
        return liveness.lastContactNanos();
    }

    /** Returns the time since a writer was last heard from; empty if none was since the start. */
    Optional<Duration> timeSinceLastContact() {
        return lastContactNanos().map(heard -> Duration.ofNanos(nanoTime.getAsLong() - heard));
    }

    /** Implements {@link JournalReplica#isCaughtUp}. */
    boolean isCaughtUp(Duration within) {
        ReplicaView seen = replica.shownView();
        long leaseMillis =
                seen.state().map(state -> state.promise().leaseMillis()).orElse(0L);
        // The writer's lease may be shorter than the caller's settings say: then another writer may have begun since.
        Duration trusted = leaseMillis < within.toMillis() ? Duration.ofMillis(leaseMillis) : within;
        return replica.failureReason().isEmpty() && seen.caughtUp().isWithin(nanoTime.getAsLong(), trusted);
    }

    /**
     * Returns how much of the lease is left. While a group is being performed, this counts from the group's beginning: the
     * group may renew the lease, and no caller is told that it is over before that is known.
     */
    long leaseMillis() {
        Optional<Long> busySince = turn.heldSinceNanos();
        Optional<ReplicaState> state = replica.shownView().state();
        long asOf = busySince.isPresent() ? busySince.get() : nanoTime.getAsLong();
        return state.isPresent() ? state.get().lease().remainingMillis(asOf) : 0;
    }

    /** Whether the lease of a writer still runs here, as far as is known. */
    public boolean isLeaseHeld(WriterId writer) {
        return leaseMillis() > 0
                && replica.shownView()
                        .state()
                        .filter(state -> state.promise().writer().equals(writer))
                        .isPresent();
    }

    /**
     * Records that the writer's session broke, which can happen while the writer is alive: its lease continues, and only callers that
     * would otherwise refuse another writer's imminent requests wait instead.
     */
    public void suspect(WriterId writer) {
        if (isLeaseHeld(writer)) {
            suspectHeardNanos = lastContactNanos();
        }
    }

    private boolean isSuspected() {
        return suspectHeardNanos.isPresent() && suspectHeardNanos.equals(lastContactNanos());
    }

    /** Sets the callback for when a writer's lease ends early and {@link #observedTerm} says so; it must not block. */
    public void setLeaseFreedWatcher(Runnable watcher) {
        turn.setLeaseFreedWatcher(watcher);
    }

    /**
     * The writer appears to be down: its lease ends as soon as the writer can no longer assume that it is the only writer.
     *
     * @return when to call this again: when the lease ends, or soon if the disk is busy, since this does not wait; zero
     *     if the replica no longer believes in that writer
     */
    public Duration shortenLeaseOf(WriterId writer) {
        return turn.runIfFree(() -> shortenLease(writer)).orElse(TYPICAL_DISK_WORK);
    }

    private Duration shortenLease(WriterId writer) {
        if (!replica.wasEverOpened() || !replica.state().promise().writer().equals(writer)) {
            return Duration.ZERO;
        }
        ReplicaState before = replica.state();
        replica.setState(Replica.shortenLease(before, writer));
        replica.publish();
        long leftMillis = replica.state().lease().remainingMillis(nanoTime.getAsLong());
        if (leftMillis == 0) {
            turn.notifyLeaseFreed();
        }
        return Duration.ofMillis(leftMillis);
    }

    /**
     * The writer's term as observed by this replica; empty without storage, after a failure, or while the disk works on a
     * group that may have renewed a lease that would otherwise have expired.
     */
    public Optional<ObservedTerm> observedTerm() {
        boolean mayBeHeld = leaseMillis() > 0;
        ReplicaView seen = replica.shownView();
        if (!seen.state().isPresent() || !replica.failureReason().isEmpty()) {
            return Optional.empty();
        }
        ReplicaState state = seen.state().get();
        long leftMillis = state.lease().remainingMillis(nanoTime.getAsLong());
        if (mayBeHeld && leftMillis == 0) {
            return Optional.empty();
        }
        return Optional.of(ObservedTerm.of(
                state.promise().epoch(),
                Duration.ofMillis(leftMillis),
                isSuspected(),
                commits.committedTxId(),
                isCaughtUp(Duration.ofMillis(state.promise().leaseMillis()))));
    }
}

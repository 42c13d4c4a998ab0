/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.replica;

import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.pool.replica.storage.CommitSignal;
import io.trefoil.journal.pool.replica.storage.ReplicaStorage;
import io.trefoil.journal.pool.replica.storage.ReplicaTurn;
import io.trefoil.journal.pool.replica.storage.ReplicaView;
import io.trefoil.journal.pool.replica.storage.WriterContact;
import io.trefoil.journal.replica.Replica;
import io.trefoil.journal.replica.ReplicaState;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * What one replica knows of the writer to whom it promised: its lease, when it was heard, and whether the replica has all that it
 * committed. Answered at once, by any thread.
 */
public final class ObeyedWriter {

    /** A disk that works has done by then what it is doing. */
    private static final Duration AT_WORK = Duration.ofMillis(5);

    private final ReplicaStorage replica;
    private final ReplicaTurn turn;
    private final WriterContact contact;
    private final CommitSignal commits;
    private final LongSupplier nanoTime;

    ObeyedWriter(
            ReplicaStorage replica,
            ReplicaTurn turn,
            WriterContact contact,
            CommitSignal commits,
            LongSupplier nanoTime) {
        this.replica = replica;
        this.turn = turn;
        this.contact = contact;
        this.commits = commits;
        this.nanoTime = nanoTime;
    }

    /** When a writer was last heard, by the clock given; empty if never since the start. */
    public Optional<Long> heardNanos() {
        return contact.heardNanos();
    }

    /** Since when none was heard; empty if none was since the start. */
    Optional<Duration> silent() {
        return heardNanos().map(heard -> Duration.ofNanos(nanoTime.getAsLong() - heard));
    }

    /** As {@link JournalReplica#isAbreast}. */
    boolean isAbreast(Duration within) {
        return replica.failure().isEmpty() && replica.shown().abreast().isWithin(nanoTime.getAsLong(), within);
    }

    /**
     * How long the lease runs yet. While a group is being performed it is counted from the group's beginning: the group
     * may hold what renews it, and nobody is told that it is over before that is known.
     */
    long leaseMillis() {
        Optional<Long> busySince = turn.sinceNanos();
        Optional<ReplicaState> state = replica.shown().state();
        long asOf = busySince.isPresent() ? busySince.get() : nanoTime.getAsLong();
        return state.isPresent() ? state.get().lease().remainingMillis(asOf) : 0;
    }

    /** Whether the lease of a writer still runs here, as far as is known. */
    public boolean isLeaseHeld(WriterId writer) {
        return leaseMillis() > 0
                && replica.shown()
                        .state()
                        .filter(state -> state.promise().writer().equals(writer))
                        .isPresent();
    }

    /** Who hears that the lease of a writer ended before its time, when {@link #heardTerm} says so; it must wait for nothing. */
    public void onLeaseFreed(Runnable watcher) {
        turn.onLeaseFreed(watcher);
    }

    /**
     * It appears to be down: its lease ends as soon as it may no longer believe that it is alone.
     *
     * @return when to say it again: when that is over, or soon if the disk is at work, for which nobody waits here; zero if nobody
     *     believes in that writer any more
     */
    public Duration gone(WriterId writer) {
        return turn.takeIfFree(() -> shortenLease(writer)).orElse(AT_WORK);
    }

    private Duration shortenLease(WriterId writer) {
        if (!replica.hasState() || !replica.state().promise().writer().equals(writer)) {
            return Duration.ZERO;
        }
        ReplicaState before = replica.state();
        replica.state(Replica.writerGone(before, writer));
        replica.publish();
        long leftMillis = replica.state().lease().remainingMillis(nanoTime.getAsLong());
        if (leftMillis == 0) {
            turn.leaseFreed();
        }
        return Duration.ofMillis(leftMillis);
    }

    /**
     * What this replica has heard of the term that it is in; empty without storage, and if the disk is at work on what
     * may have renewed a lease that would be over.
     */
    public Optional<HeardTerm> heardTerm() {
        boolean mayBeHeld = leaseMillis() > 0;
        ReplicaView seen = replica.shown();
        if (!seen.state().isPresent() || !replica.failure().isEmpty()) {
            return Optional.empty();
        }
        ReplicaState state = seen.state().get();
        long leftMillis = state.lease().remainingMillis(nanoTime.getAsLong());
        if (mayBeHeld && leftMillis == 0) {
            return Optional.empty();
        }
        return Optional.of(HeardTerm.of(
                state.promise().epoch(),
                Duration.ofMillis(leftMillis),
                commits.committedTxId(),
                isAbreast(Duration.ofMillis(state.promise().leaseMillis()))));
    }
}

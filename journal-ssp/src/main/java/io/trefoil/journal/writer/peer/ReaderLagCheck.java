/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer.peer;

import com.google.auto.value.AutoValue;
import java.util.Optional;

/**
 * Whether commits waited for one node longer than its distance explains, when an observer beside it wanted to answer reads
 * (near-reads page, N4). A majority masks a slow disk; a read lease gives that up, so it is for nodes that keep pace.
 * After a wait that was too long the node gets no lease until it has kept pace for a second, after the next one for two,
 * and so on. Immutable; times are by the writer's monotonic clock, in nanoseconds.
 */
@AutoValue
public abstract class ReaderLagCheck {

    private static final long NANOS_PER_MILLI = 1_000_000L;

    /** The initial pace, before any observer on the node's host has asked for a read lease. */
    static final ReaderLagCheck NONE = new AutoValue_ReaderLagCheck(
            false, Optional.<Long>empty(), Optional.<LaggingEntries>empty(), 0, Optional.<Long>empty());

    /** A node may take so many times its shortest round trip and the majority's time together ... */
    private static final long FACTOR = 4;

    /** ... and this much more: a host that is short of CPU for a moment, or whose JVM collects garbage, is not slow. */
    private static final long SLACK_NANOS = 250 * NANOS_PER_MILLI;

    /** The time for which a node must keep pace after its first wait that was too long. */
    private static final long PROOF_NANOS = 1_000 * NANOS_PER_MILLI;

    /** The longest such time, as a power of two of the first. */
    private static final int MAX_DOUBLINGS = 5;

    /** Waits are forgotten if the next one comes later than this. */
    private static final long FORGOTTEN_NANOS = 120_000 * NANOS_PER_MILLI;

    /** Entries that a majority has and the node lacks. Immutable. */
    @AutoValue
    abstract static class LaggingEntries {

        abstract long sinceNanos();

        abstract long sn();

        abstract long allowedNanos();
    }

    /** Whether an observer beside the node wanted to answer reads. */
    public abstract boolean isWatched();

    /** The shortest time in which the node has answered: mostly that of a heartbeat, which waits for no disk. */
    abstract Optional<Long> roundTripNanos();

    abstract Optional<LaggingEntries> behind();

    /** The waits that were too long and are not forgotten. */
    abstract int recent();

    /** The time at which the node was last behind for too long. */
    abstract Optional<Long> slowNanos();

    /** The node answered something after this time. */
    public final ReaderLagCheck answeredAfter(long nanos) {
        boolean isShorter =
                !roundTripNanos().filter(shortest -> shortest <= nanos).isPresent();
        return isShorter
                ? new AutoValue_ReaderLagCheck(isWatched(), Optional.of(nanos), behind(), recent(), slowNanos())
                : this;
    }

    /** An observer wants to answer reads beside the node. */
    public final ReaderLagCheck wanted() {
        return isWatched()
                ? this
                : new AutoValue_ReaderLagCheck(true, roundTripNanos(), behind(), recent(), slowNanos());
    }

    /** The writer itself stood still: how long it took says nothing about the node. */
    public final ReaderLagCheck withoutWait() {
        return behind().isPresent()
                ? new AutoValue_ReaderLagCheck(
                        isWatched(), roundTripNanos(), Optional.<LaggingEntries>empty(), recent(), slowNanos())
                : this;
    }

    /** A majority has all entries up to {@code majoritySn}; {@code peer} is the node of this pace. */
    final ReaderLagCheck at(long majoritySn, Peer peer, long nowNanos) {
        ReaderLagCheck judged = evaluatedAt(nowNanos);
        boolean hasIt = peer.matchedSn() >= behind().map(LaggingEntries::sn).orElse(Long.MAX_VALUE);
        boolean begins = (hasIt || !behind().isPresent()) && peer.matchedSn() < majoritySn;
        if (!hasIt && !begins) {
            return judged;
        }
        Optional<LaggingEntries> next = Optional.empty();
        if (begins) {
            long tookNanos = nowNanos - peer.waitingSinceNanos().orElse(nowNanos);
            long allowed = FACTOR * (roundTripNanos().orElse(0L) + tookNanos) + SLACK_NANOS;
            next = Optional.of(new AutoValue_ReaderLagCheck_LaggingEntries(nowNanos, majoritySn, allowed));
        }
        return new AutoValue_ReaderLagCheck(isWatched(), roundTripNanos(), next, judged.recent(), judged.slowNanos());
    }

    /** Counts a wait as too long as soon as it is, for as long as it lasts. */
    public final ReaderLagCheck evaluatedAt(long nowNanos) {
        boolean isSlow = behind().filter(behind -> nowNanos - behind.sinceNanos() > behind.allowedNanos())
                .isPresent();
        if (!isSlow) {
            return this;
        }
        boolean isForgotten =
                slowNanos().filter(slow -> nowNanos - slow > FORGOTTEN_NANOS).isPresent();
        int counted = isProven(nowNanos) ? (isForgotten ? 1 : recent() + 1) : recent();
        return new AutoValue_ReaderLagCheck(isWatched(), roundTripNanos(), behind(), counted, Optional.of(nowNanos));
    }

    /** Whether the node has kept pace for long enough to be read from. */
    public final boolean isProven(long nowNanos) {
        return !slowNanos().isPresent()
                || nowNanos - slowNanos().get() > PROOF_NANOS << Math.min(recent() - 1, MAX_DOUBLINGS);
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer.peer;

import com.google.auto.value.AutoValue;
import java.util.Optional;

/**
 * Whether commits waited for one node longer than its distance explains, when an observer next to it wanted to answer reads
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

    /** The multiple of its shortest round trip and the majority's time together that a node may take ... */
    private static final long FACTOR = 4;

    /** ... and this much more: a host that is short of CPU for a moment, or whose JVM collects garbage, is not slow. */
    private static final long SLACK_NANOS = 250 * NANOS_PER_MILLI;

    /** The time for which a node must keep pace after its first wait that was too long. */
    private static final long PROOF_NANOS = 1_000 * NANOS_PER_MILLI;

    /** The longest such time, as a power of two of the first. */
    private static final int MAX_DOUBLINGS = 5;

    /** The time without waits after which earlier ones are forgotten. */
    private static final long FORGOTTEN_NANOS = 120_000 * NANOS_PER_MILLI;

    /** Entries that a majority has but the node lacks. Immutable. */
    @AutoValue
    abstract static class LaggingEntries {

        abstract long sinceNanos();

        abstract long sn();

        abstract long allowedNanos();
    }

    /** Whether an observer next to the node wanted to answer reads. */
    public abstract boolean isWatched();

    /** The shortest time in which the node has answered: usually to a heartbeat, which does not wait for a disk. */
    abstract Optional<Long> roundTripNanos();

    abstract Optional<LaggingEntries> laggingEntries();

    /** The number of recent waits that were too long. */
    abstract int recentLagCount();

    /** The time at which the node was last behind for too long. */
    abstract Optional<Long> slowNanos();

    /** A copy after the node took this long to answer. */
    public final ReaderLagCheck withRoundTrip(long nanos) {
        boolean isShorter =
                !roundTripNanos().filter(shortest -> shortest <= nanos).isPresent();
        return isShorter
                ? new AutoValue_ReaderLagCheck(
                        isWatched(), Optional.of(nanos), laggingEntries(), recentLagCount(), slowNanos())
                : this;
    }

    /** Records that an observer wants to answer reads next to the node. */
    public final ReaderLagCheck withReadsWanted() {
        return isWatched()
                ? this
                : new AutoValue_ReaderLagCheck(true, roundTripNanos(), laggingEntries(), recentLagCount(), slowNanos());
    }

    /** Records that the writer itself was paused: the time that this took says nothing about the node. */
    public final ReaderLagCheck withoutWait() {
        return laggingEntries().isPresent()
                ? new AutoValue_ReaderLagCheck(
                        isWatched(), roundTripNanos(), Optional.<LaggingEntries>empty(), recentLagCount(), slowNanos())
                : this;
    }

    /** A majority has all entries up to {@code majoritySn}; {@code peer} is the node that this check is for. */
    final ReaderLagCheck withMajoritySn(long majoritySn, Peer peer, long nowNanos) {
        ReaderLagCheck judged = evaluate(nowNanos);
        boolean hasIt =
                peer.matchedSn() >= laggingEntries().map(LaggingEntries::sn).orElse(Long.MAX_VALUE);
        boolean begins = (hasIt || !laggingEntries().isPresent()) && peer.matchedSn() < majoritySn;
        if (!hasIt && !begins) {
            return judged;
        }
        Optional<LaggingEntries> next = Optional.empty();
        if (begins) {
            long tookNanos = nowNanos - peer.waitingSinceNanos().orElse(nowNanos);
            long allowed = FACTOR * (roundTripNanos().orElse(0L) + tookNanos) + SLACK_NANOS;
            next = Optional.of(new AutoValue_ReaderLagCheck_LaggingEntries(nowNanos, majoritySn, allowed));
        }
        return new AutoValue_ReaderLagCheck(
                isWatched(), roundTripNanos(), next, judged.recentLagCount(), judged.slowNanos());
    }

    /** Counts a wait as too long from the moment it exceeds the limit until it ends. */
    public final ReaderLagCheck evaluate(long nowNanos) {
        boolean isSlow = laggingEntries()
                .filter(behind -> nowNanos - behind.sinceNanos() > behind.allowedNanos())
                .isPresent();
        if (!isSlow) {
            return this;
        }
        boolean isForgotten =
                slowNanos().filter(slow -> nowNanos - slow > FORGOTTEN_NANOS).isPresent();
        int counted = isProven(nowNanos) ? (isForgotten ? 1 : recentLagCount() + 1) : recentLagCount();
        return new AutoValue_ReaderLagCheck(
                isWatched(), roundTripNanos(), laggingEntries(), counted, Optional.of(nowNanos));
    }

    /** Whether the node has kept up for long enough to be read from. */
    public final boolean isProven(long nowNanos) {
        return !slowNanos().isPresent()
                || nowNanos - slowNanos().get() > PROOF_NANOS << Math.min(recentLagCount() - 1, MAX_DOUBLINGS);
    }
}

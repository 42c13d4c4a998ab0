/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * The wait between two attempts: a quarter of the outage so far, at least 140 ms, at most 400 ms during the first ten seconds; later a
 * twenty-fifth of it, at most 2 s. The actual wait is random, between half of that and all of it.
 *
 * <p>So the end of a gap is noticed within a quarter of its length, and the number of attempts grows logarithmically
 * until the gap is 1.6 s long, then by three or four a second up to ten seconds, then logarithmically again. The
 * randomness keeps many clients that lost the same NameNode at the same moment from asking in step. The shortest wait
 * costs hardly any time: HDFS takes about as long to make a NameNode active, and one that is becoming active answers
 * only when it is.
 *
 * <p>A member that expects to become active says itself when to ask it again. It knows how many ask; the client only takes care that
 * there are no more than 25 such questions while an outage grows to almost three times its length.
 */
public final class RetryDelays {
    private static final long MIN_DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(140);
    private static final long MAX_FIRST_DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(400);
    private static final long MAX_DELAY_NANOS = TimeUnit.SECONDS.toNanos(2);
    /** The time within which all clients that lost the same NameNode send their first probes. */
    private static final long SPREAD_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private static final int FRACTION = 4;
    private static final int FRACTION_OF_A_LONG_GAP = 25;
    private static final int SLOW_ANSWER_FACTOR = 5;
    private static final long MIN_INVITED_DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private RetryDelays() {}

    /** The next wait when the outage has lasted for this many nanoseconds. */
    public static long nanosAfter(long elapsedNanos) {
        return randomize(2 * minNanosAfter(elapsedNanos));
    }

    /** The shortest wait that {@link #nanosAfter} returns; a more recent answer need not be requested again. */
    static long minNanosAfter(long elapsedNanos) {
        long soon = Math.min(MAX_FIRST_DELAY_NANOS, Math.max(MIN_DELAY_NANOS, elapsedNanos / FRACTION));
        return Math.max(soon, Math.min(MAX_DELAY_NANOS, elapsedNanos / FRACTION_OF_A_LONG_GAP)) / 2;
    }

    /** A random value between a half and the whole. */
    static long randomize(long wholeNanos) {
        return wholeNanos / 2 + ThreadLocalRandom.current().nextLong(wholeNanos / 2 + 1);
    }

    /** The wait between the loss of a member and the first probe. */
    static long nanosBeforeFirstProbe() {
        return ThreadLocalRandom.current().nextLong(SPREAD_NANOS);
    }

    /**
     * The time for which a member that took this long to answer is not probed: five times as long, at most 400 ms. So
     * at most a sixth of all clients have a question in the queue of an overloaded member, however many clients there
     * are.
     */
    static long nanosAfterSlowAnswer(long tookNanos) {
        return Math.min(MAX_FIRST_DELAY_NANOS, tookNanos * SLOW_ANSWER_FACTOR);
    }

    /**
     * The time between an answer that invites another probe, and that probe.
     *
     * @param invitedNanos after how long it wants to be asked
     * @param elapsedNanos how long the trouble had lasted when it answered
     */
    static long nanosAfterInvitation(long invitedNanos, long elapsedNanos) {
        return Math.max(Math.max(MIN_INVITED_DELAY_NANOS, invitedNanos), elapsedNanos / FRACTION_OF_A_LONG_GAP);
    }
}

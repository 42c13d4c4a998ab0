/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * How long to wait between two tries: a quarter of the time that the trouble has lasted, at least 50 ms, at most 400 ms for the
 * first ten seconds, later a twenty-fifth of it, at most 2 s; and of that by chance between a half and the whole.
 *
 * <p>So a short gap is seen to end within a quarter of itself, and the number of tries grows with the logarithm of a gap until
 * it is 1.6 s long, then by three or four a second for ten seconds, then with the logarithm again. The chance keeps many
 * clients, which all lost the same NameNode in the same moment, from asking in step. The shortest wait costs no time: a NameNode
 * that is becoming active answers only when it is.
 */
public final class Waits {
    private static final long SHORTEST_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(400);
    private static final long LONGEST_OF_ALL_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final int FRACTION = 4;
    private static final int FRACTION_OF_A_LONG_GAP = 25;

    private Waits() {}

    /** The next wait when the trouble has lasted for so many nanoseconds. */
    public static long nanosAfter(long elapsedNanos) {
        long soon = Math.min(LONGEST_NANOS, Math.max(SHORTEST_NANOS, elapsedNanos / FRACTION));
        long whole = Math.max(soon, Math.min(LONGEST_OF_ALL_NANOS, elapsedNanos / FRACTION_OF_A_LONG_GAP));
        return whole / 2 + ThreadLocalRandom.current().nextLong(whole / 2 + 1);
    }
}

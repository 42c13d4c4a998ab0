/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.lease;

import java.time.Duration;

/**
 * The rule by which a lease is derived: the shortest of three lengths that is at least five times the longest pause. A lease that
 * is shorter than a pause costs the active its role, and a pause that is coming may be longer than those before it.
 */
public final class LeaseRule {

    /** The shortest lease that is derived. */
    public static final Duration SHORTEST = Duration.ofSeconds(1);

    /** The longest lease that is derived, however long pauses are. */
    public static final Duration LONGEST = Duration.ofSeconds(5);

    private static final Duration MIDDLE = Duration.ofSeconds(2);
    private static final int PAUSES_IN_LEASE = 5;

    private LeaseRule() {}

    /**
     * Derives a lease.
     *
     * @param processMillis the longest time for which this process stood still
     * @param diskMillis the longest time for which its journal's disk owed an answer
     */
    public static LeaseChoice choose(long processMillis, long diskMillis) {
        long wantedMillis = PAUSES_IN_LEASE * Math.max(processMillis, diskMillis);
        Duration length =
                wantedMillis <= SHORTEST.toMillis() ? SHORTEST : wantedMillis <= MIDDLE.toMillis() ? MIDDLE : LONGEST;
        return LeaseChoice.of(
                length,
                "in the last hour the process stood still for " + processMillis
                        + " ms at most, and its journal's disk for " + diskMillis + " ms");
    }
}

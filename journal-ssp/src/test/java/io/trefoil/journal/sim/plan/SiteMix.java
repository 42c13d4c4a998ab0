/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.plan;

import io.trefoil.journal.sim.history.Invariant;
import io.trefoil.journal.sim.invariant.term.LeaseIsKept;
import io.trefoil.journal.sim.invariant.term.OnlyOneWriterBelievesItIsAlone;
import java.util.List;
import java.util.Random;

/**
 * Three sites: how long a message takes from one to another, one way, beside what it takes within a site, and how fast
 * clocks run, each at a speed of its own that changes all the time.
 */
public record SiteMix(
        int firstToSecondMicros,
        int firstToThirdMicros,
        int secondToThirdMicros,
        double slowestClock,
        double fastestClock,
        int driftEveryMillis) {

    /** Clocks that differ by almost a fifth, the most that read leases are made for (near-reads page). */
    public static SiteMix draw(long seed) {
        Random random = new Random(seed * 15_485_863 + 7);
        return new SiteMix(
                pick(random, 500, 2_500, 5_000),
                pick(random, 2_500, 10_000, 25_000),
                pick(random, 500, 10_000, 25_000),
                0.9,
                1.1,
                pick(random, 100, 1_000, 100_000));
    }

    /** The same with other clocks. */
    public SiteMix withClocks(double slowest, double fastest) {
        return new SiteMix(
                firstToSecondMicros, firstToThirdMicros, secondToThirdMicros, slowest, fastest, driftEveryMillis);
    }

    /** The invariants that hold with such clocks (protocol page, "Lease"). */
    public List<Invariant> applicableInvariants(List<Invariant> all) {
        return all.stream()
                .filter(invariant ->
                        !(invariant instanceof LeaseIsKept || invariant instanceof OnlyOneWriterBelievesItIsAlone))
                .toList();
    }

    private static int pick(Random random, int... choices) {
        return choices[random.nextInt(choices.length)];
    }
}

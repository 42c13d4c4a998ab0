/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim;

import org.junit.jupiter.api.Test;

/**
 * Runs the first 2,000 seeds, in growing portions, for {@code bin/mutate}: a mutant that no rule's own test notices has
 * to get past these. Runs in one thread, and stops at the first failure.
 */
class MutantHunt {

    @Test
    void firstSeedsPreserveInvariants() {
        run(1, 50);
    }

    @Test
    void moreSeedsPreserveInvariants() {
        run(51, 400);
    }

    @Test
    void twoThousandSeedsPreserveInvariants() {
        run(401, 2_000);
    }

    private static void run(long first, long last) {
        for (long seed = first; seed <= last; seed++) {
            new Simulation(Sweep.plan(seed)).run();
        }
    }
}

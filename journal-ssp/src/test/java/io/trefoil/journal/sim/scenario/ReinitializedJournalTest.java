/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.sim.Simulation;
import io.trefoil.journal.sim.SimulationFailure;
import io.trefoil.journal.sim.plan.FaultMix;
import io.trefoil.journal.sim.plan.Invariants;
import io.trefoil.journal.sim.plan.Rules;
import io.trefoil.journal.writer.WrongWriters;
import org.junit.jupiter.api.Test;

/** The journal is initialized again under a live writer: the writer learns of it, and ends (rule R11). */
class ReinitializedJournalTest {

    /** Every seventh seed initializes it again. */
    private static final int MAX_SEEDS = 700;

    @Test
    void detectsWriterIgnoringReinitializedJournal() {
        Rules deaf = Rules.REAL.withWriter(WrongWriters::waitForReinitializedNodes);
        for (long seed = 7; seed <= MAX_SEEDS; seed += 7) {
            try {
                new Simulation(Simulation.Plan.of(seed, FaultMix.draw(seed), deaf, Invariants.all())).run();
            } catch (SimulationFailure failure) {
                assertThat(failure.invariant()).isEqualTo("progress");
                assertThat(failure).hasMessageContaining("writers of a journal that was initialized again end");
                return;
            }
        }
        throw new AssertionError("Not noticed within " + MAX_SEEDS + " seeds");
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.sim.Simulation;
import io.trefoil.journal.sim.Sweep;
import io.trefoil.journal.sim.history.Invariant;
import io.trefoil.journal.sim.invariant.term.CountedLeaseIsKept;
import io.trefoil.journal.sim.invariant.term.LeaseIsKept;
import io.trefoil.journal.sim.plan.DriverMix;
import io.trefoil.journal.sim.plan.Rules;
import io.trefoil.journal.sim.planted.BugHunt;
import io.trefoil.journal.sim.planted.WrongReplicas;
import io.trefoil.journal.writer.WrongWriters;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Terms of different leases, which get longer at any time, under every fault, and planted bugs that must be noticed. */
@ExtendWith(WithoutLog.class)
class LeaseLengthsSimulationTest {

    private static final long SEEDS = Long.getLong("sim.lease.seeds", 100);
    private static final long DRIVEN_SEEDS = Long.getLong("sim.lease.seeds", 20);
    private static final long FIRST_SEED = Long.getLong("sim.lease.from", 1);

    private static Simulation.Plan plan(long seed) {
        Simulation.Plan plan = Sweep.plan(seed);
        List<Invariant> all = new ArrayList<>(plan.invariants());
        all.add(new CountedLeaseIsKept());
        return plan.withMix(plan.mix().withDifferentLeases()).withInvariants(all);
    }

    @Test
    void leasesOfAnyLengthAreKept() throws InterruptedException {
        Sweep sweep = Sweep.run(LeaseLengthsSimulationTest::plan, FIRST_SEED, SEEDS, failure -> {});

        assertThat(sweep.failures()).isEmpty();
    }

    @Test
    void leasesOfAnyLengthAreKeptWithDrivers() throws InterruptedException {
        Sweep sweep = Sweep.run(
                seed -> plan(seed).withDrivers(DriverMix.draw(seed)), FIRST_SEED, DRIVEN_SEEDS, failure -> {});

        assertThat(sweep.failures()).isEmpty();
    }

    /** One broken rule and the invariant that must notice it. */
    record PlantedRule(String bug, Rules rules, Invariant noticed) {
        @Override
        public String toString() {
            return bug + " breaks " + noticed.name();
        }
    }

    static Stream<PlantedRule> bugs() {
        Rules real = Rules.REAL;
        return Stream.of(
                new PlantedRule(
                        "a lease as long as the voter likes",
                        real.withReplicas(WrongReplicas::grantShorterLeases),
                        new LeaseIsKept()),
                new PlantedRule(
                        "a lease as long as the voter likes",
                        real.withReplicas(WrongReplicas::grantShorterLeases),
                        new CountedLeaseIsKept()),
                new PlantedRule(
                        "a longer lease that counts at once",
                        real.withWriter(WrongWriters::countLongerLeaseAtOnce),
                        new CountedLeaseIsKept()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("bugs")
    void intendedInvariantAloneDetectsPlantedBug(PlantedRule planted) {
        assertThat(BugHunt.firstFailure(
                        planted.toString(),
                        planted.noticed().name(),
                        seed -> Simulation.Plan.of(
                                seed, plan(seed).mix(), planted.rules(), List.of(planted.noticed()))))
                .as("%s, within %s seeds", planted, BugHunt.MAX_SEEDS)
                .isPresent();
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.sim.Simulation;
import io.trefoil.journal.sim.Sweep;
import io.trefoil.journal.sim.history.Fact;
import io.trefoil.journal.sim.history.Invariant;
import io.trefoil.journal.sim.history.SimLedger;
import io.trefoil.journal.sim.invariant.term.NearReadsSeeReportedCommits;
import io.trefoil.journal.sim.plan.DriverMix;
import io.trefoil.journal.sim.plan.FaultMix;
import io.trefoil.journal.sim.plan.Invariants;
import io.trefoil.journal.sim.plan.NearReaderRules;
import io.trefoil.journal.sim.plan.Rules;
import io.trefoil.journal.sim.plan.SiteMix;
import io.trefoil.journal.sim.plan.WriterRules;
import io.trefoil.journal.sim.planted.BugHunt;
import io.trefoil.journal.writer.WrongWriters;
import io.trefoil.journal.writer.peer.ReadLeases;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Reads by leases under every fault (near-reads page), and planted bugs that must be noticed. */
@ExtendWith(WithoutLog.class)
class NearReadsSimulationTest {

    private static final String DRIVERS = " with drivers";
    private static final String SWALLOWING = " with drivers and links that swallow one way";
    private static final String THREE_SITES = " between three sites";

    private static final long SEEDS = Long.getLong("sim.near.seeds", 75);
    private static final long FIRST_SEED = Long.getLong("sim.near.from", 1);
    private static final long DRIVEN_SEEDS = Long.getLong("sim.near.seeds", 30);
    private static final long SITES_SEEDS = Long.getLong("sim.near.seeds", 30);
    private static final long SWALLOWING_SEEDS = Long.getLong("sim.near.seeds", 15);
    private static final long DRIVEN_SITES_SEEDS = Long.getLong("sim.near.seeds", 15);

    /** Counts near reads: the invariants check nothing if readers read nothing. */
    private static final class NearReadCounter implements Invariant {
        private final AtomicLong count = new AtomicLong();

        @Override
        public String name() {
            return "near reads happen";
        }

        @Override
        public Optional<String> judge(Fact fact, SimLedger before) {
            if (fact instanceof Fact.NearRead) {
                count.incrementAndGet();
            }
            return Optional.empty();
        }
    }

    private static Simulation.Plan plan(long seed, WriterRules writer, NearReaderRules readers, List<Invariant> all) {
        return Simulation.Plan.of(seed, FaultMix.draw(seed), Rules.REAL.withWriter(writer), all)
                .withNearReaders(readers);
    }

    private static Simulation.Plan withCounter(Simulation.Plan plan, Invariant count) {
        List<Invariant> all = new ArrayList<>(plan.invariants());
        all.add(count);
        return plan.withInvariants(all);
    }

    @Test
    void nearReadsMissNothingUnderAnyFault() throws InterruptedException {
        assertNothingMissed("", Sweep::nearPlan, SEEDS);
    }

    /** With clocks of writers and readers that run at different speeds. */
    @Test
    void nearReadsMissNothingWithDrivers() throws InterruptedException {
        assertNothingMissed(DRIVERS, Sweep::nearDrivenPlan, DRIVEN_SEEDS);
    }

    /** The sites are cut off, processes pause, and each clock drifts by up to a tenth either way. */
    @Test
    void nearReadsMissNothingBetweenThreeSites() throws InterruptedException {
        assertNothingMissed(THREE_SITES, Sweep::nearSitesPlan, SITES_SEEDS);
    }

    @Test
    void nearReadsMissNothingBetweenThreeSitesWithDrivers() throws InterruptedException {
        assertNothingMissed(" between three sites, with drivers", Sweep::nearSitesDrivenPlan, DRIVEN_SITES_SEEDS);
    }

    @Test
    void nearReadsMissNothingWhenLinksSwallowOneWay() throws InterruptedException {
        List<Invariant> all = new ArrayList<>(Invariants.all());
        all.add(new NearReadsSeeReportedCommits());
        assertNothingMissed(
                SWALLOWING,
                seed -> withOneWayLoss(plan(seed, Rules.REAL.writer(), NearReaderRules.REAL, all)),
                SWALLOWING_SEEDS);
    }

    @ParameterizedTest(name = "swallowing, {0}")
    @MethodSource("bugs")
    void detectsPlantedBugWhenLinksSwallowOneWay(PlantedRule planted) {
        assertDetected(SWALLOWING, planted, seed -> NearReadsSimulationTest::withOneWayLoss);
    }

    private static Simulation.Plan withOneWayLoss(Simulation.Plan plan) {
        return plan.withMix(plan.mix().withOneWayLoss())
                .withDrivers(DriverMix.draw(plan.seed()).with(DriverMix.Silence.NOTICED));
    }

    private static void assertNothingMissed(String with, LongFunction<Simulation.Plan> plans, long seeds)
            throws InterruptedException {
        NearReadCounter happen = new NearReadCounter();

        Sweep sweep = Sweep.run(seed -> withCounter(plans.apply(seed), happen), FIRST_SEED, seeds, failure -> {});

        System.out.println("Simulated near reads" + with + ": " + sweep + ", " + happen.count + " near reads");
        assertThat(sweep.failures().values())
                .as("failures of seeds %s", sweep.failures().keySet())
                .isEmpty();
        assertThat(happen.count.get()).isGreaterThan(10 * seeds);
    }

    private record PlantedRule(String bug, WriterRules writer, NearReaderRules readers) {
        @Override
        public String toString() {
            return bug;
        }
    }

    static Stream<PlantedRule> bugs() {
        NearReaderRules real = NearReaderRules.REAL;
        WriterRules writer = Rules.REAL.writer();
        return Stream.of(
                new PlantedRule(
                        "a write answered before a leased reader acknowledged it", WrongWriters::ignoreReaders, real),
                new PlantedRule("a new writer that forgets older leases", WrongWriters::forgetOlderLeases, real),
                new PlantedRule("all told what one may know", WrongWriters::notifyReadersTooEarly, real),
                new PlantedRule(
                        "a reader that answers behind the end of its lease",
                        writer,
                        new NearReaderRules(5 * ReadLeases.HELD_MILLIS, true)),
                new PlantedRule(
                        "a reader that answers before it has applied what it acknowledged",
                        writer,
                        new NearReaderRules(ReadLeases.USED_MILLIS, false)));
    }

    /** What only sites that are cut off, or clocks that drift, bring to light. */
    static Stream<PlantedRule> bugsBetweenSites() {
        WriterRules writer = Rules.REAL.writer();
        return Stream.of(
                new PlantedRule(
                        "a writer that counts leases as over too early",
                        WrongWriters::endLeasesTooEarly,
                        NearReaderRules.REAL),
                new PlantedRule(
                        "a reader that uses a lease for as long as the writer counts it",
                        writer,
                        new NearReaderRules(ReadLeases.HELD_MILLIS, true)));
    }

    @ParameterizedTest(name = "sites, {0}")
    @MethodSource({"bugs", "bugsBetweenSites"})
    void detectsPlantedBugBetweenThreeSites(PlantedRule planted) {
        assertDetected(THREE_SITES, planted, seed -> plan -> plan.withSites(SiteMix.draw(seed)));
    }

    /** The rules are right; what they rely on is not given. */
    @Test
    void detectsClocksDriftingByMoreThanOneFifth() {
        assertDetected(
                THREE_SITES,
                new PlantedRule(
                        "clocks at half speed and at one and a half", Rules.REAL.writer(), NearReaderRules.REAL),
                seed -> plan -> plan.withSites(SiteMix.draw(seed).withClocks(0.5, 1.5)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("bugs")
    void detectsPlantedBug(PlantedRule planted) {
        assertDetected("", planted, seed -> plan -> plan);
    }

    @ParameterizedTest(name = "drivers, {0}")
    @MethodSource("bugs")
    void detectsPlantedBugWithDrivers(PlantedRule planted) {
        assertDetected(DRIVERS, planted, seed -> plan -> plan.withDrivers(DriverMix.draw(seed)));
    }

    private static void assertDetected(
            String where, PlantedRule planted, LongFunction<UnaryOperator<Simulation.Plan>> with) {
        NearReadsSeeReportedCommits invariant = new NearReadsSeeReportedCommits();

        assertThat(BugHunt.firstFailure(
                        "near reads" + where + ": " + planted, invariant.name(), seed -> with.apply(seed)
                                .apply(plan(seed, planted.writer(), planted.readers(), List.of(invariant)))))
                .as("%s%s, within %s seeds", planted, where, BugHunt.MAX_SEEDS)
                .isPresent();
    }
}

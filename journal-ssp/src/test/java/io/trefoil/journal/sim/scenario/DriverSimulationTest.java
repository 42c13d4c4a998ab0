/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.sim.Simulation;
import io.trefoil.journal.sim.SimulationFailure;
import io.trefoil.journal.sim.Sweep;
import io.trefoil.journal.sim.history.Invariant;
import io.trefoil.journal.sim.invariant.log.AckedEntriesAreInLaterLogs;
import io.trefoil.journal.sim.invariant.member.DamagedNodeDoesNotVote;
import io.trefoil.journal.sim.invariant.member.StrangersStayOut;
import io.trefoil.journal.sim.plan.DriverMix;
import io.trefoil.journal.sim.plan.FaultKind;
import io.trefoil.journal.sim.plan.FaultMix;
import io.trefoil.journal.sim.plan.Invariants;
import io.trefoil.journal.sim.plan.Rules;
import io.trefoil.journal.sim.planted.BugHunt;
import io.trefoil.journal.sim.planted.JournalInvariantsFireTest;
import io.trefoil.journal.sim.planted.WrongDevices;
import io.trefoil.journal.sim.planted.WrongReplicas;
import io.trefoil.journal.writer.WrongWriters;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The same with the production code around the rules: the writer with its window, its outbox and its waiting threads,
 * the local replica, the codec, and real files. {@code -Dsim.seed=42} replays one seed,
 * {@code -Dsim.seeds=10000 -Dsim.from=1} runs others.
 */
@ExtendWith(WithoutLog.class)
class DriverSimulationTest {

    private static final long SEEDS = Long.getLong("sim.seed") != null ? 1 : Long.getLong("sim.seeds", 60);
    private static final long SWALLOWING_SEEDS = Long.getLong("sim.seed") != null ? 1 : Long.getLong("sim.seeds", 20);
    private static final long FIRST_SEED = Long.getLong("sim.seed", Long.getLong("sim.from", 1));

    @Test
    void driversObeyRules() throws InterruptedException {
        Sweep sweep = Sweep.run(Sweep::drivenPlan, FIRST_SEED, SEEDS, failure -> {});

        System.out.println("Simulated with drivers: " + sweep);
        assertThat(sweep.failures().values())
                .as("failures of seeds %s", sweep.failures().keySet())
                .isEmpty();
    }

    @Test
    void driversObeyRulesWhenLinksSwallowOneWay() throws InterruptedException {
        Sweep sweep = Sweep.run(
                plansWithOneWayLoss(DriverMix.Silence.NOTICED, FaultMix::withOneWayLoss),
                FIRST_SEED,
                SWALLOWING_SEEDS,
                failure -> {});

        System.out.println("Simulated with drivers and links that swallow one way: " + sweep);
        assertThat(sweep.failures().values())
                .as("failures of seeds %s", sweep.failures().keySet())
                .isEmpty();
    }

    /** Without other writers, whose connections would be new ones; in twenty histories, whatever seeds others have. */
    @Test
    void writerProgressesDespiteOneWayMessageLoss() throws InterruptedException {
        assertThat(stuckCount(DriverMix.Silence.NOTICED)).isZero();
    }

    @ParameterizedTest
    @EnumSource(
            names = {"NONE", "NOTICED"},
            mode = EnumSource.Mode.EXCLUDE)
    void writerIsStuckWhenUnresponsiveConnectionsAreKept(DriverMix.Silence planted) throws InterruptedException {
        assertThat(stuckCount(planted)).isPositive();
    }

    private static long stuckCount(DriverMix.Silence silence) throws InterruptedException {
        Sweep sweep = Sweep.run(
                plansWithOneWayLoss(silence, mix -> mix.withOneWayLoss().withFaults(List.of(FaultKind.CUT_ONE_WAY))),
                1,
                20,
                failure -> {});
        System.out.println("Simulated with links that are " + silence + ": " + sweep);
        return sweep.stuckCount();
    }

    private static LongFunction<Simulation.Plan> plansWithOneWayLoss(
            DriverMix.Silence silence, UnaryOperator<FaultMix> mixes) {
        return seed -> Simulation.Plan.of(seed, mixes.apply(FaultMix.draw(seed)), Rules.REAL, Invariants.all())
                .withDrivers(DriverMix.draw(seed).with(silence));
    }

    @Test
    void seedDeterminesHistory() {
        for (long seed = 1; seed <= 3; seed++) {
            assertThat(digestOf(seed)).isEqualTo(digestOf(seed));
        }
        assertThat(Stream.of(1L, 2L, 3L).map(DriverSimulationTest::digestOf)).doesNotHaveDuplicates();
    }

    private static long digestOf(long seed) {
        Simulation simulation = new Simulation(Sweep.drivenPlan(seed).withDigest());
        simulation.run();
        return simulation.digest();
    }

    static Stream<JournalInvariantsFireTest.PlantedRule> bugs() {
        // The bugs in the writer's rules and in the disk: a wrapper around a replica does not reach the writer's own
        // node.
        return JournalInvariantsFireTest.bugs()
                .filter(planted -> planted.rules().replicas().equals(Rules.REAL.replicas())
                        && planted.rules().reader().equals(Rules.REAL.reader()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("bugs")
    void detectsPlantedBug(JournalInvariantsFireTest.PlantedRule planted) {
        assertDetected("drivers, ", planted, mix -> mix);
    }

    static Stream<JournalInvariantsFireTest.PlantedRule> bugsThatRotShows() {
        Rules hiding = Rules.REAL.withDevices(WrongDevices::hideDamage);
        return Stream.of(
                new JournalInvariantsFireTest.PlantedRule("hiding damage", hiding, new DamagedNodeDoesNotVote()),
                new JournalInvariantsFireTest.PlantedRule("hiding damage", hiding, new AckedEntriesAreInLaterLogs()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("bugsThatRotShows")
    void detectsPlantedBugByRotAlone(JournalInvariantsFireTest.PlantedRule planted) {
        assertDetected(
                "drivers and rot, ",
                planted,
                mix -> mix.withFaults(List.of(FaultKind.ROT, FaultKind.ROT, FaultKind.KILL_WRITER)));
    }

    static Stream<JournalInvariantsFireTest.PlantedRule> bugsThatTwoJournalsShow() {
        Rules real = Rules.REAL;
        return Stream.of(
                new JournalInvariantsFireTest.PlantedRule(
                        "reading whatever journal a node has",
                        real.withFetches(fetch -> fetch.withIncarnation(Incarnation.NONE)),
                        new StrangersStayOut()),
                new JournalInvariantsFireTest.PlantedRule(
                        "taking strangers for its own",
                        real.withReplicas(WrongReplicas::treatForeignLogsAsOwn),
                        new StrangersStayOut()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("bugsThatTwoJournalsShow")
    void detectsPlantedBugWhenJournalIsReinitialized(JournalInvariantsFireTest.PlantedRule planted) {
        assertDetected("drivers, initialized again, ", planted, FaultMix::withReinitialization);
    }

    @Test
    void detectsWriterIgnoringReinitializedJournal() {
        Rules deaf = Rules.REAL.withWriter(WrongWriters::waitForReinitializedNodes);
        assertThat(firstFailure(
                        "drivers, initialized again, deaf writer",
                        "progress",
                        deaf,
                        List.of(),
                        FaultMix::withReinitialization))
                .hasValueSatisfying(failure -> assertThat(failure)
                        .hasMessageContaining("writers of a journal that was initialized again end"));
    }

    private static void assertDetected(
            String around, JournalInvariantsFireTest.PlantedRule planted, UnaryOperator<FaultMix> mixes) {
        assertThat(firstFailure(
                        around + planted, planted.noticed().name(), planted.rules(), List.of(planted.noticed()), mixes))
                .as("%s, within %s seeds", planted, BugHunt.MAX_SEEDS)
                .isPresent();
    }

    private static Optional<SimulationFailure> firstFailure(
            String bug, String invariant, Rules rules, List<Invariant> invariants, UnaryOperator<FaultMix> mixes) {
        return BugHunt.firstFailure(
                bug, invariant, seed -> Simulation.Plan.of(seed, mixes.apply(FaultMix.draw(seed)), rules, invariants)
                        .withDrivers(DriverMix.draw(seed)));
    }
}

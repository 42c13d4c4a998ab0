/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.protocol.FailedReply;
import io.trefoil.journal.protocol.StatusReply;
import io.trefoil.journal.sim.Simulation;
import io.trefoil.journal.sim.SimulationFailure;
import io.trefoil.journal.sim.Sweep;
import io.trefoil.journal.sim.history.Fact;
import io.trefoil.journal.sim.history.Invariant;
import io.trefoil.journal.sim.history.SimLedger;
import io.trefoil.journal.sim.plan.DriverMix;
import io.trefoil.journal.sim.plan.FaultMix;
import io.trefoil.journal.sim.plan.Invariants;
import io.trefoil.journal.sim.plan.Rules;
import io.trefoil.journal.sim.plan.WriterRules;
import io.trefoil.journal.sim.planted.BugHunt;
import io.trefoil.journal.writer.Writer;
import io.trefoil.journal.writer.events.WriterEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Hosts that are cut off with empty disks and formatted alone, among all other faults (rule R11): what is acknowledged in the journal
 * in force stays so, and the lone writers end when the others are in reach.
 */
@ExtendWith(WithoutLog.class)
class LoneFormatTest {
    private static final long SEEDS = Long.getLong("sim.alone.seeds", 60);
    private static final long DRIVEN_SEEDS = Long.getLong("sim.alone.seeds", 20);
    private static final long FIRST_SEED = Long.getLong("sim.alone.from", 1);

    /** Counts terms of lone writers: without any, nothing is checked. */
    private static final class LoneTermCounter implements Invariant {
        private final AtomicLong count = new AtomicLong();

        @Override
        public String name() {
            return "lone writers serve";
        }

        @Override
        public Optional<String> judge(Fact fact, SimLedger before) {
            if (fact instanceof Fact.LoneTermBegan) {
                count.incrementAndGet();
            }
            return Optional.empty();
        }
    }

    private static Simulation.Plan plan(long seed, WriterRules writer, List<Invariant> invariants) {
        return Simulation.Plan.of(
                seed, FaultMix.draw(seed).withLoneFormats(), Rules.REAL.withWriter(writer), invariants);
    }

    @Test
    void losesNothingWhenHostsAreFormattedAlone() throws InterruptedException {
        assertNothingLost("", plan -> plan, SEEDS);
    }

    @Test
    void losesNothingWithDriversWhenHostsAreFormattedAlone() throws InterruptedException {
        assertNothingLost(" with drivers", plan -> plan.withDrivers(DriverMix.draw(plan.seed())), DRIVEN_SEEDS);
    }

    private static void assertNothingLost(String with, UnaryOperator<Simulation.Plan> change, long seeds)
            throws InterruptedException {
        LoneTermCounter serve = new LoneTermCounter();
        List<Invariant> all = new ArrayList<>(Invariants.all());
        all.add(serve);
        LongFunction<Simulation.Plan> plans = seed -> change.apply(plan(seed, Writer::step, all));

        Sweep sweep = Sweep.run(plans, FIRST_SEED, seeds, failure -> {});

        System.out.println(
                "Simulated lone formats" + with + ": " + sweep + ", " + serve.count + " terms of lone writers");
        assertThat(sweep.failures().values())
                .as("failures of seeds %s", sweep.failures().keySet())
                .isEmpty();
        assertThat(serve.count.get()).isGreaterThan(seeds / 4);
    }

    /** It takes what nodes of the earlier journal show for an answer of a node that only failed. */
    @Test
    void detectsLoneWriterIgnoringEarlierJournal() {
        WriterRules heedless = (state, event, nowNanos) -> Writer.step(
                state,
                event instanceof WriterEvent.Replied replied && replied.reply() instanceof StatusReply status
                        ? WriterEvent.replied(
                                replied.address(),
                                FailedReply.of(status.node(), "another"),
                                replied.sentNanos(),
                                replied.leaseMillis())
                        : event,
                nowNanos);

        Optional<SimulationFailure> failure = BugHunt.firstFailure(
                "a lone writer that heeds no earlier journal",
                "progress",
                seed -> plan(seed, heedless, Invariants.all()));

        assertThat(failure).isPresent();
        assertThat(failure.get()).hasMessageContaining("writers of a journal that was initialized again end");
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim;

import io.trefoil.journal.sim.history.Invariant;
import io.trefoil.journal.sim.invariant.term.NearReadsSeeReportedCommits;
import io.trefoil.journal.sim.plan.DriverMix;
import io.trefoil.journal.sim.plan.FaultMix;
import io.trefoil.journal.sim.plan.Invariants;
import io.trefoil.journal.sim.plan.NearReaderRules;
import io.trefoil.journal.sim.plan.Rules;
import io.trefoil.journal.sim.plan.SiteMix;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongFunction;

/** Runs many seeds in parallel; each simulation has one thread and shares nothing. */
public final class Sweep {

    private static final int THREADS = 2;

    private final LongFunction<Simulation.Plan> plans;
    private final AtomicLong next;
    private final long end;
    private final Consumer<Throwable> onFailure;
    private final SortedMap<Long, Throwable> failures = new ConcurrentSkipListMap<>();
    private final AtomicLong eventCount = new AtomicLong();
    private final AtomicLong ackedCount = new AtomicLong();
    private final AtomicLong stuckCount = new AtomicLong();

    private Sweep(LongFunction<Simulation.Plan> plans, long from, long count, Consumer<Throwable> onFailure) {
        this.plans = plans;
        this.next = new AtomicLong(from);
        this.end = from + count;
        this.onFailure = onFailure;
    }

    /** Runs {@code count} seeds from {@code from} on; {@code onFailure} gets each failure at once. */
    public static Sweep run(long from, long count, Consumer<Throwable> onFailure) throws InterruptedException {
        return run(Sweep::plan, from, count, onFailure);
    }

    /** The same with other plans for the seeds. */
    public static Sweep run(LongFunction<Simulation.Plan> plans, long from, long count, Consumer<Throwable> onFailure)
            throws InterruptedException {
        Sweep sweep = new Sweep(plans, from, count, onFailure);
        Thread[] threads = new Thread[(int) Math.min(THREADS, count)];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(sweep::work, "sweep-" + i);
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        return sweep;
    }

    /** The plan of a seed: its mix, the real rules and all invariants. */
    public static Simulation.Plan plan(long seed) {
        return Simulation.Plan.of(seed, FaultMix.draw(seed), Rules.REAL, Invariants.all());
    }

    /** The same with the real drivers, over the real files. */
    public static Simulation.Plan drivenPlan(long seed) {
        return plan(seed).withDrivers(DriverMix.draw(seed));
    }

    /** The same with readers beside some nodes that answer by leases (near-reads page). */
    public static Simulation.Plan nearPlan(long seed) {
        List<Invariant> invariants = new ArrayList<>(Invariants.all());
        invariants.add(new NearReadsSeeReportedCommits());
        return Simulation.Plan.of(seed, FaultMix.draw(seed), Rules.REAL, invariants)
                .withNearReaders(NearReaderRules.REAL);
    }

    /** The same with the real drivers, and clocks that differ as much as leases allow. */
    public static Simulation.Plan nearDrivenPlan(long seed) {
        return nearPlan(seed).withDrivers(DriverMix.draw(seed));
    }

    /** With readers beside all nodes, at three sites that are cut off now and then, and clocks that drift. */
    public static Simulation.Plan nearSitesPlan(long seed) {
        return nearPlan(seed).withSites(SiteMix.draw(seed));
    }

    /** The same with the real drivers. */
    public static Simulation.Plan nearSitesDrivenPlan(long seed) {
        return nearSitesPlan(seed).withDrivers(DriverMix.draw(seed));
    }

    private void work() {
        for (long seed = next.getAndIncrement(); seed < end; seed = next.getAndIncrement()) {
            Simulation simulation = new Simulation(plans.apply(seed));
            try {
                simulation.run();
            } catch (RuntimeException | Error e) {
                Throwable told =
                        e instanceof AssertionError ? e : new AssertionError("Seed " + seed + " ended with " + e, e);
                failures.put(seed, told);
                onFailure.accept(told);
            }
            eventCount.addAndGet(simulation.eventCount());
            ackedCount.addAndGet(simulation.ackedCount());
            stuckCount.addAndGet(simulation.stuckCount());
        }
    }

    public SortedMap<Long, Throwable> failures() {
        return failures;
    }

    /** How often a writer had to be replaced because it was stuck, though a majority was whole. */
    public long stuckCount() {
        return stuckCount.get();
    }

    @Override
    public String toString() {
        return failures.size() + " failed, " + eventCount + " events, " + ackedCount
                + " acknowledged appends, a stuck writer was replaced " + stuckCount + " times";
    }
}

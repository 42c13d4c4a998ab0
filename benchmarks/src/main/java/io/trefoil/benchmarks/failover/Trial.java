/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.failover;

import io.trefoil.benchmarks.Sample;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.load.RunningLoad;
import io.trefoil.it.load.Workload;
import io.trefoil.it.load.ledger.ChangeAnswer;
import io.trefoil.it.load.ledger.ChangeLedger;
import io.trefoil.it.load.ledger.Verifier;
import io.trefoil.it.process.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileSystem;

/** Injects one fault under load, and checks every answer that clients received. */
final class Trial {
    static final String GAP = "gapMillis";
    static final String ANNOUNCED = "announcedMillis";
    /** The time that clients waited beyond what the servers needed; below 0 if they were served before the new active was noticed. */
    static final String ADDED = "addedMillis";

    /** The longest wait of one client for the answer to a change that it requested before the fault was undone. */
    static final String LONGEST_MILLIS = "longestMillis";

    /** The time spent waiting for a failover in vain, or until its order was refused; there is then no other figure. */
    static final String NO_FAILOVER = "noFailoverMillis";

    /** The paths for which, with the stock failover, a reader got an old or wrong answer right after the fault. */
    static final String UNTRUE = "untruePaths";
    /** For the stock failover: the paths for which that was still the case once the cluster was whole again. */
    static final String LOST = "lostPaths";

    private static final int THREADS = 8;
    private static final int CHANGES = 500;
    private static final double NANOS_PER_MILLI = 1e6;

    private final FailoverContender contender;
    private final Fault fault;

    Trial(FailoverContender contender, Fault fault) {
        this.contender = contender;
        this.fault = fault;
    }

    /**
     * Injects the fault and measures; the cluster is whole again afterwards, even if no failover happened.
     *
     * @param root a directory that does not exist yet
     * @throws AssertionError if, with our failover, an acknowledged change is missing or a change exists that no client
     *     asked for; with the stock failover this is a figure
     */
    Sample run(FileSystem fileSystem, String root) throws IOException, InterruptedException {
        HaCluster cluster = contender.cluster();
        // A process may have ended while others were measured on a busy machine: one more fault would cost the
        // majority.
        contender.awaitHealthy();
        contender.limitCpus();
        NameNodeServer active = cluster.awaitActive();
        Map<String, Double> figures = new LinkedHashMap<>();
        ChangeLedger told;
        try (RunningLoad load =
                        Workload.on(fileSystem).under(root).threads(THREADS).start();
                RolePoller watch = new RolePoller(cluster.nameNodesExcept(active))) {
            load.awaitMore(CHANGES, Await.TIMEOUT);
            figures.putAll(injectFault(active, load, watch));
            told = load.stop(Await.TIMEOUT);
            if (contender.hasGroup()) {
                check(fileSystem, root, told);
            } else {
                // An active that was cut off gives stale answers when it is back, until it is told of the new one.
                figures.put(UNTRUE, countWrongPaths(fileSystem, root, told));
            }
        }
        contender.recover();
        if (!contender.hasGroup()) {
            figures.put(LOST, countWrongPaths(fileSystem, root, told));
        }
        if (figures.containsKey(ANNOUNCED)) {
            figures.putAll(contender.lastFailoverSteps());
        }
        return new Sample(figures);
    }

    private Map<String, Double> injectFault(NameNodeServer active, RunningLoad load, RolePoller watch)
            throws InterruptedException {
        long faultTime = System.nanoTime();
        try {
            fault.inject(contender, active);
        } catch (IOException refused) {
            System.out.println("  refused: " + refused.getMessage());
            return figuresWithoutFailover(faultTime);
        }
        Optional<Duration> replacedWithin = fault.maxReplacementTime();
        OptionalLong announced = OptionalLong.empty();
        if (replacedWithin.isPresent()) {
            load.awaitMore(replacedWithin.get().isZero() ? CHANGES : 0, Await.TIMEOUT);
            announced = watch.awaitActive(replacedWithin.get());
            if (!announced.isPresent() && !replacedWithin.get().isZero()) {
                fault.undo(contender, active);
                return figuresWithoutFailover(faultTime);
            }
        }
        TimeUnit.MILLISECONDS.sleep(fault.minDuration().toMillis());
        load.awaitMore(fault.requiredChanges(), Await.TIMEOUT);
        long repairTime = System.nanoTime();
        fault.undo(contender, active);
        if (!replacedWithin.isPresent()) {
            load.awaitMore(CHANGES, Await.TIMEOUT);
        }
        return figures(load.stop(Await.TIMEOUT), faultTime, announced, repairTime);
    }

    /** Returns a result without figures of a failover, as clients waited for something else; the next fault needs a cluster in order. */
    private Map<String, Double> figuresWithoutFailover(long faultTime) {
        double waited = (System.nanoTime() - faultTime) / NANOS_PER_MILLI;
        contender.recover();
        return Map.of(NO_FAILOVER, waited);
    }

    private static Map<String, Double> figures(
            ChangeLedger ledger, long faultTime, OptionalLong announced, long repairTime) {
        Map<String, Double> figures = new LinkedHashMap<>();
        double gap = gapMillis(ledger, faultTime);
        announced.ifPresent(nanos -> {
            double until = (nanos - faultTime) / NANOS_PER_MILLI;
            figures.put(ANNOUNCED, until);
            figures.put(ADDED, gap - until);
        });
        figures.put(GAP, gap);
        figures.put(LONGEST_MILLIS, longestMillis(ledger, faultTime, repairTime));
        return figures;
    }

    private static double countWrongPaths(FileSystem fileSystem, String root, ChangeLedger ledger) throws IOException {
        return new Verifier(fileSystem).verify(root, ledger).errors().size();
    }

    /** The longest time without an acknowledgement for any client, among those that did not end before the fault. */
    private static double gapMillis(ChangeLedger ledger, long faultTime) {
        return ledger.gaps(Duration.ofMillis(1)).stream()
                        .filter(gap -> gap.beganNanos() + gap.length().toNanos() > faultTime)
                        .mapToLong(gap -> gap.length().toNanos())
                        .max()
                        .orElse(0)
                / NANOS_PER_MILLI;
    }

    /**
     * The longest wait of a client up to when the fault was undone: the cost of an operator's restart after that is not due to the fault.
     */
    private static double longestMillis(ChangeLedger ledger, long faultTime, long repairTime) {
        return ledger.entries().stream()
                        .filter(entry -> entry.answeredNanos() - faultTime > 0
                                && entry.answeredNanos() - entry.took().toNanos() - repairTime < 0)
                        .mapToLong(entry -> entry.took().toNanos() - Math.max(0, entry.answeredNanos() - repairTime))
                        .max()
                        .orElse(0)
                / NANOS_PER_MILLI;
    }

    /** Compares the file system with the answers that clients received. */
    static void check(FileSystem fileSystem, String root, ChangeLedger ledger) throws IOException {
        if (ledger.count(ChangeAnswer.CONTRADICTED) > 0) {
            throw new AssertionError("answers that cannot be right: " + ledger.failures());
        }
        new Verifier(fileSystem).verify(root, ledger).expectClean();
    }
}

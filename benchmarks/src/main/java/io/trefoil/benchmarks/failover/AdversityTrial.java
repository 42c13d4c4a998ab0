/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.failover;

import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.load.RunningLoad;
import io.trefoil.it.load.Workload;
import io.trefoil.it.load.ledger.ChangeAnswer;
import io.trefoil.it.load.ledger.ChangeLedger;
import io.trefoil.it.load.ledger.LedgerFindings;
import io.trefoil.it.load.ledger.Verifier;
import io.trefoil.it.process.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FileSystem;

/** Plays one phase on one contender under load, and checks every answer that clients received. */
final class AdversityTrial {
    /** How often a NameNode became active. */
    static final String FAILOVERS = "failovers";
    /** Those for which the phase gave no reason. */
    static final String NEEDLESS = "needlessFailovers";
    /** Paths about which a reader was told something old or wrong when the phase ended, and contradictory answers. */
    static final String UNTRUE = "untruePaths";
    /** Paths for which that was still the case once the cluster was whole again. */
    static final String LOST = "lostPaths";

    private static final int THREADS = 8;
    private static final int CHANGES_BEFORE = 500;
    private static final int FINDINGS_PRINTED = 5;

    /** Seldom, as each look takes CPU of a host that may have little. */
    private static final Duration SAMPLE_INTERVAL = Duration.ofMillis(250);

    private final FailoverContender contender;
    private final AdversityPhase phase;

    /** @param figures by name */
    record Result(Map<String, Double> figures, List<AdversityWindow.Point> curve) {}

    AdversityTrial(FailoverContender contender, AdversityPhase phase) {
        this.contender = contender;
        this.phase = phase;
    }

    /**
     * Plays the phase; the cluster is whole again afterwards.
     *
     * @param root a directory that does not exist yet
     */
    Result run(FileSystem fileSystem, String root, Duration length) throws IOException, InterruptedException {
        contender.awaitHealthy();
        phase.prepare(fileSystem);
        contender.limitCpus();
        NameNodeServer active = contender.cluster().awaitActive();
        AdversityWindow window;
        ChangeLedger told;
        Map<String, Double> figures = new LinkedHashMap<>();
        try (StateSamples states =
                        new StateSamples(contender.cluster().nameNodes(), contender.hasGroup(), SAMPLE_INTERVAL);
                RunningLoad load =
                        Workload.on(fileSystem).under(root).threads(THREADS).start()) {
            load.awaitMore(CHANGES_BEFORE, Await.TIMEOUT);
            AdversityTurn turn = new AdversityTurn(contender, fileSystem, active, length);
            phase.disturb(turn);
            long ended = System.nanoTime();
            int failovers = states.countActivations(turn.beganNanos(), ended);
            phase.undo(turn);
            told = load.stop(Await.TIMEOUT);
            window = new AdversityWindow(told.entries(), turn.beganNanos(), ended);
            figures.putAll(window.figures());
            figures.put(FAILOVERS, (double) failovers);
            figures.put(NEEDLESS, (double) Math.max(0, failovers - turn.justifiedFailovers()));
        }
        figures.put(UNTRUE, (double) told.count(ChangeAnswer.CONTRADICTED) + countWrong(fileSystem, root, told));
        printErrors(told);
        contender.recover();
        figures.put(LOST, (double) countWrong(fileSystem, root, told));
        // A namespace that grows with the phases would fill the heap.
        fileSystem.delete(new org.apache.hadoop.fs.Path(root), true);
        return new Result(figures, window.curve());
    }

    private static int countWrong(FileSystem fileSystem, String root, ChangeLedger told) throws IOException {
        LedgerFindings findings = new Verifier(fileSystem).verify(root, told);
        findings.errors().stream().limit(FINDINGS_PRINTED).forEach(wrong -> System.out.println("  " + wrong));
        return findings.errors().size();
    }

    private static void printErrors(ChangeLedger told) {
        told.failures().stream()
                .limit(FINDINGS_PRINTED)
                .forEach(failure -> System.out.println("  " + failure.change() + ": " + failure.answer() + " after "
                        + failure.took().toMillis() + " ms " + failure.failure()));
    }
}

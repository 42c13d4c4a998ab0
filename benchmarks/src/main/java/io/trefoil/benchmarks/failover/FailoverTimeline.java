/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.failover;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.load.RunningLoad;
import io.trefoil.it.load.Workload;
import io.trefoil.it.load.ledger.ChangeLedger;
import io.trefoil.it.process.Await;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * One scenario of the paper's Table 3 on one cluster: the states of all members over time as a table, and together with
 * the throughput of the clients as a picture (figure 11).
 */
final class FailoverTimeline {
    private static final int THREADS = 8;
    private static final int FAULTS = 3;
    private static final long SECONDS_BETWEEN = 12;
    private static final long SECONDS_OF_FAULT = 3;
    private static final double NANOS_PER_SECOND = 1e9;

    private final FailoverContender contender;
    private final Scenario scenario;
    private final List<Long> struck = new ArrayList<>();
    private final List<Long> undone = new ArrayList<>();

    FailoverTimeline(FailoverContender contender, Scenario scenario) {
        this.contender = contender;
        this.scenario = scenario;
    }

    /**
     * Plays the scenario, prints the table and draws the picture.
     *
     * @throws AssertionError if an acknowledged change is missing afterwards
     */
    void play(Path picture, PrintStream out) throws IOException, InterruptedException {
        HaCluster cluster = contender.cluster();
        String root = "/test" + scenario;
        contender.limitCpus();
        try (StateSamples states = new StateSamples(cluster.nameNodes(), contender.hasGroup());
                RunningLoad load = Workload.on(cluster.newFileSystem())
                        .under(root)
                        .threads(THREADS)
                        .start()) {
            long start = System.nanoTime();
            for (int i = 1; i <= FAULTS; i++) {
                TimeUnit.SECONDS.sleep(SECONDS_BETWEEN - SECONDS_OF_FAULT);
                NameNodeServer active = cluster.awaitActive();
                struck.add(System.nanoTime());
                scenario.fault().inject(contender, active);
                TimeUnit.SECONDS.sleep(SECONDS_OF_FAULT);
                undone.add(System.nanoTime());
                scenario.fault().undo(contender, active);
                contender.restartEndedProcesses();
            }
            TimeUnit.SECONDS.sleep(SECONDS_BETWEEN);
            long end = System.nanoTime();
            ChangeLedger ledger = load.stop(Await.TIMEOUT);
            out.printf(
                    "%nTest %s, %s: %s at %s s%n",
                    scenario, contender.name(), scenario.fault(), seconds(struck, start));
            printTable(states, start, end, out);
            FailoverPicture drawing = new FailoverPicture(start, end, states, ledger, struck);
            drawing.writeSvg("Test " + scenario + ", " + contender.name(), picture);
            out.println("picture: " + picture);
            Trial.check(cluster.newFileSystem(), root, ledger);
        }
        contender.recover();
    }

    private static String seconds(List<Long> nanos, long start) {
        return nanos.stream()
                .map(at -> String.format(Locale.ROOT, "%.1f", (at - start) / NANOS_PER_SECOND))
                .toList()
                .toString();
    }

    /** Prints a line for every change, like the paper's table for every state of the group. */
    private void printTable(StateSamples states, long start, long end, PrintStream out) {
        TreeSet<Long> times = new TreeSet<>();
        states.names().forEach(name -> states.changesOf(name).forEach(change -> times.add(change.atNanos())));
        // The state of the group is unknown until every member was asked once.
        long first = states.names().stream()
                .mapToLong(name -> states.changesOf(name).get(0).atNanos())
                .max()
                .orElse(start);
        times.headSet(first).clear();
        out.printf("%8s", "s");
        states.names().forEach(name -> out.printf("%6s", name));
        out.println();
        String last = "";
        for (long time : times) {
            StringBuilder line = new StringBuilder();
            states.names().forEach(name -> line.append("%6s".formatted(states.stateAt(name, time))));
            if (time <= end && !line.toString().equals(last)) {
                out.printf(Locale.ROOT, "%8.1f%s%n", Math.max(0, time - start) / NANOS_PER_SECOND, line);
                last = line.toString();
            }
        }
    }
}

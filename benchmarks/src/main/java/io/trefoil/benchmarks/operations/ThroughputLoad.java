/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.operations;

import io.trefoil.benchmarks.ClusterUsage;
import io.trefoil.benchmarks.operations.throughput.ThroughputPass;
import io.trefoil.it.cluster.server.NameNodeServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.server.namenode.ThroughputOperation;

/**
 * Hadoop's NNThroughputBenchmark, whose threads call the methods of a NameNode in its own process: no RPC. One for each
 * cluster, which stays: it knows how many calls a second to expect, since the benchmark wants a number of calls, not a time.
 * Used by one thread.
 */
final class ThroughputLoad {
    /** The number of calls in one pass; inputs for more would take long to make and to delete. */
    private static final int MAX_CALLS = 10_000;

    private static final int FIRST_CALLS_OF_A_THREAD = 20;
    /** The factor by which a pass has more calls than the previous one, as the rate of a short pass is inaccurate. */
    private static final int GROWTH = 10;
    /** The share of the time after which to stop, as the rest would be a pass of a few calls. */
    private static final double ENOUGH = 0.8;

    private static final int THREADS_THAT_MAKE_FILES = 32;
    private static final String DIRECTORY = "/throughput";

    private final Map<String, Double> expectedPerSecond = new HashMap<>();
    private final Set<MeasuredOperation> withFiles = EnumSet.noneOf(MeasuredOperation.class);

    /**
     * The result of one operation.
     *
     * @param count of all threads together
     * @param millis from the first call of a pass to its last, by the benchmark's clock, of all passes together
     * @param usage of the cluster's processes in this time
     */
    record Outcome(int count, long millis, ClusterUsage usage) {
        private Outcome plus(Outcome addend) {
            return new Outcome(count + addend.count, millis + addend.millis, usage.plus(addend.usage));
        }

        double seconds() {
            return millis / (double) TimeUnit.SECONDS.toMillis(1);
        }

        double perSecond() {
            return count / seconds();
        }
    }

    /**
     * Repeats an operation for approximately this long.
     *
     * @param active whose process runs it
     * @throws IOException if a call failed
     */
    Outcome run(NameNodeServer active, MeasuredOperation operation, int threads, int seconds, ClusterUsage.Meter meter)
            throws IOException {
        String kind = operation + "-" + threads;
        // A tenth of the time, as the rate may not be what it was: hosts have less CPU after the warm-up.
        int calls = expectedPerSecond.containsKey(kind)
                ? clamp(expectedPerSecond.get(kind) * seconds / GROWTH, threads, MAX_CALLS)
                : threads * FIRST_CALLS_OF_A_THREAD;
        Outcome sum = runPass(active, operation, threads, calls, meter);
        while (sum.seconds() < ENOUGH * seconds) {
            calls = clamp(sum.perSecond() * (seconds - sum.seconds()), threads, calls * GROWTH);
            sum = sum.plus(runPass(active, operation, threads, calls, meter));
        }
        expectedPerSecond.put(kind, sum.perSecond());
        return sum;
    }

    private static int clamp(double calls, int minimum, int maximum) {
        return (int) Math.max(minimum, Math.min(calls, Math.min(maximum, MAX_CALLS)));
    }

    private Outcome runPass(
            NameNodeServer active, MeasuredOperation operation, int threads, int calls, ClusterUsage.Meter meter)
            throws IOException {
        makeFiles(active, operation, calls);
        try (ThroughputPass pass = new ThroughputPass(active, arguments(operation, threads, calls))) {
            ClusterUsage before = meter.read();
            ThroughputOperation.Result result = pass.run();
            ClusterUsage used = meter.read().minus(before);
            if (!keepsFiles(operation)) {
                pass.cleanUp();
            }
            return new Outcome(result.operations(), result.millis(), used);
        }
    }

    /** Prepares inputs with many threads, however many the operation has, as this takes longer than the operation. */
    private void makeFiles(NameNodeServer active, MeasuredOperation operation, int calls) throws IOException {
        if (operation.consumesFiles() || (keepsFiles(operation) && withFiles.add(operation))) {
            List<String> create = arguments(
                    MeasuredOperation.CREATE, THREADS_THAT_MAKE_FILES, operation.consumesFiles() ? calls : MAX_CALLS);
            create.add("-close");
            try (ThroughputPass pass = new ThroughputPass(active, create)) {
                pass.run();
            }
        }
    }

    private static List<String> arguments(MeasuredOperation operation, int threads, int calls) {
        List<String> arguments = new ArrayList<>(List.of("-op", name(operation)));
        arguments.addAll(List.of("-threads", String.valueOf(threads)));
        arguments.addAll(List.of(operation == MeasuredOperation.MKDIRS ? "-dirs" : "-files", String.valueOf(calls)));
        arguments.addAll(List.of("-baseDirName", DIRECTORY));
        if (operation.needsFiles()) {
            arguments.add("-useExisting");
        }
        return arguments;
    }

    private static String name(MeasuredOperation operation) {
        return operation == MeasuredOperation.STATUS
                ? "fileStatus"
                : operation.name().toLowerCase(Locale.ROOT);
    }

    /** Runs an operation whose files stay for the next run. */
    private static boolean keepsFiles(MeasuredOperation operation) {
        return operation.needsFiles() && !operation.consumesFiles();
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.namenode;

import io.trefoil.benchmarks.BenchmarkFiles;
import io.trefoil.benchmarks.BenchmarkResults;
import io.trefoil.benchmarks.Commands;
import io.trefoil.benchmarks.Commands.PositiveNumber;
import io.trefoil.benchmarks.Machine;
import io.trefoil.benchmarks.MeasurementOptions;
import io.trefoil.benchmarks.Sample;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.load.FixedRate;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.UserGroupInformation;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Measures what large answers cost writers: threads list a large directory over and over, while others create directories at fixed times.
 * An answer that waits for a commit is encrypted and sent by the thread that releases it. Two NameNodes of one cluster, one with {@code
 * trefoil.ha.read-committed} and one without, are active in turns.
 */
@Command(
        name = "benchmark-listings",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = "Measures large listings in a closed loop, and what they cost writers.")
public final class ListingBenchmark implements Callable<Integer> {
    private static final double NANOS_PER_MICRO = 1e3;

    @Mixin
    private final MeasurementOptions options =
            new MeasurementOptions().withDefaultRounds(3).withDefaultSeconds(10).withDefaultWarmUp(20);

    @Option(names = "--threads", defaultValue = "8", converter = PositiveNumber.class, description = "That list.")
    private int threads;

    @Option(
            names = "--entries",
            defaultValue = "1000",
            converter = PositiveNumber.class,
            description = "Of the directory.")
    private int entries;

    @Option(names = "--writes", defaultValue = "200", converter = PositiveNumber.class, description = "A second.")
    private int writes;

    @Option(
            names = "--protection",
            defaultValue = "privacy",
            description = "hadoop.rpc.protection, with delegation tokens: no Kerberos is needed for that.")
    private String protection;

    private final BenchmarkResults results = new BenchmarkResults();

    private ListingBenchmark() {}

    public static void main(String[] arguments) {
        Commands.run(new ListingBenchmark(), arguments);
    }

    @Override
    public Integer call() throws Exception {
        Machine.print(BenchmarkFiles.DIRECTORY);
        ReadCommittedComparison.builder("listings")
                .property("hadoop.rpc.protection", protection)
                .property("dfs.namenode.delegation.token.always-use", "true")
                .run(this::measure);
        report();
        return 0;
    }

    private void measure(HaCluster cluster) throws Exception {
        FileSystem fileSystem = newClientWithToken(cluster);
        org.apache.hadoop.fs.Path largeDirectory = new org.apache.hadoop.fs.Path("/large");
        for (int i = 0; i < entries; i++) {
            fileSystem.mkdirs(new org.apache.hadoop.fs.Path(largeDirectory, "a-directory-with-a-name-" + i));
        }
        ReadCommittedComparison kinds = new ReadCommittedComparison(cluster);
        kinds.warmUp(root -> load(fileSystem, largeDirectory, root, options.warmUpSeconds()));
        kinds.measureInTurns(options.rounds(), (kind, round, root) -> {
            Sample sample = load(fileSystem, largeDirectory, root, options.seconds());
            results.add("", kind, sample);
            System.out.printf(Locale.ROOT, "round %d, %s: %s%n", round, kind, sample);
        });
    }

    /** A client with a token gets encrypted connections; all other clients of this cluster use no security. */
    private static FileSystem newClientWithToken(HaCluster cluster) throws Exception {
        Configuration conf = cluster.clientConfiguration();
        UserGroupInformation user = UserGroupInformation.createRemoteUser(
                UserGroupInformation.getCurrentUser().getShortUserName());
        Credentials credentials = new Credentials();
        try (FileSystem plain = FileSystem.newInstance(conf)) {
            plain.addDelegationTokens(user.getShortUserName(), credentials);
        }
        user.addCredentials(credentials);
        return user.doAs((PrivilegedExceptionAction<FileSystem>) () -> FileSystem.newInstance(conf));
    }

    private Sample load(FileSystem fileSystem, org.apache.hadoop.fs.Path largeDirectory, String root, int seconds)
            throws InterruptedException, ExecutionException {
        ExecutorService pool = Executors.newFixedThreadPool(threads + 1);
        try {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
            List<Future<Histogram>> listing = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                listing.add(pool.submit(() -> runClosedLoop(fileSystem, largeDirectory, end)));
            }
            Histogram writing =
                    pool.submit(() -> runAtFixedRate(fileSystem, root, end)).get();
            Histogram lists = new Histogram(3);
            for (Future<Histogram> future : listing) {
                lists.add(future.get());
            }
            return new Sample(Map.of(
                    "listings a second", lists.getTotalCount() / (double) seconds,
                    "listing p50 us", lists.getValueAtPercentile(50) / NANOS_PER_MICRO,
                    "listing p99 us", lists.getValueAtPercentile(99) / NANOS_PER_MICRO,
                    "mkdirs p50 us", writing.getValueAtPercentile(50) / NANOS_PER_MICRO,
                    "mkdirs p99 us", writing.getValueAtPercentile(99) / NANOS_PER_MICRO));
        } finally {
            pool.shutdownNow();
        }
    }

    private Histogram runClosedLoop(FileSystem fileSystem, org.apache.hadoop.fs.Path largeDirectory, long end)
            throws IOException {
        Histogram delays = new Histogram(3);
        for (long begun = System.nanoTime(); begun < end; begun = System.nanoTime()) {
            int found = fileSystem.listStatus(largeDirectory).length;
            if (found != entries) {
                throw new IOException("Listed " + found + " of " + entries);
            }
            delays.recordValue(System.nanoTime() - begun);
        }
        return delays;
    }

    private Histogram runAtFixedRate(FileSystem fileSystem, String root, long end) throws IOException {
        Histogram delays = new Histogram(3);
        FixedRate fixedRate = new FixedRate(writes);
        long number = 0;
        for (long due = fixedRate.awaitNext(); due < end; due = fixedRate.awaitNext()) {
            fileSystem.mkdirs(new org.apache.hadoop.fs.Path(root + "/" + number++));
            delays.recordValue(System.nanoTime() - due);
        }
        return delays;
    }

    private void report() {
        System.out.printf(
                "%nmedians of %d rounds, %d threads, %d entries, %s%n%-20s%12s%12s%8s%n",
                options.rounds(),
                threads,
                entries,
                protection,
                "",
                ReadCommittedComparison.IMMEDIATE,
                ReadCommittedComparison.COMMITTED,
                "ratio");
        for (String figure :
                List.of("listings a second", "listing p50 us", "listing p99 us", "mkdirs p50 us", "mkdirs p99 us")) {
            System.out.printf(
                    Locale.ROOT,
                    "%-20s%12.0f%12.0f%8.2f%n",
                    figure,
                    results.median("", ReadCommittedComparison.IMMEDIATE, figure)
                            .orElseThrow(),
                    results.median("", ReadCommittedComparison.COMMITTED, figure)
                            .orElseThrow(),
                    results.ratio("", ReadCommittedComparison.COMMITTED, ReadCommittedComparison.IMMEDIATE, figure)
                            .orElseThrow());
        }
    }
}

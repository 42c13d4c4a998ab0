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
import io.trefoil.benchmarks.pictures.Curves;
import io.trefoil.benchmarks.pictures.PictureFile;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.HaClusterBuilder;
import io.trefoil.it.cluster.host.PortAllocator;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.process.Await;
import io.trefoil.it.process.faults.SlowLink;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Measures the cost of a remote site for writers, and the service that its readers get, in the variants of paper 4 (§5, Figures 7 to 9 and
 * Table 2): every write waits for the site (Sync), none does (Async), none does but every read asks the active (HDFS's {@code msync}), or
 * every write waits and no read asks (near reads, 2PR).
 *
 * <p>One cluster each, in turns. Two NameNodes are at home, an observer is far: what is sent to its pool node, and what
 * its readers send to the other NameNodes, is late by the round trip between the sites. Each thread makes a directory
 * at home, and as soon as it is told that this is done, asks for it at the far site.
 */
@Command(
        name = "benchmark-sites",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = "Measures writes at home and reads at a site far away, for each way to keep them consistent.")
public final class SitesBenchmark implements Callable<Integer> {
    private static final String FAR_HOST = "127.0.0.4";
    private static final String METRICS = "Hadoop:service=NameNode,name=NearReads";
    private static final double NANOS_PER_MILLI = 1e6;
    private static final List<Integer> SHARES_WITHIN_MILLIS = List.of(250, 500, 750, 1000);

    /** A way to keep the far site consistent. */
    private enum Route {
        SYNC("sync", "false", "all", -1),
        ASYNC("async", "false", "quorum", -1),
        MSYNC("msync", "false", "quorum", 0),
        NEAR("near reads", "true", "quorum", -1);

        private final String text;
        private final String nearReads;
        private final String acknowledgedBy;
        /** The interval of msync of the far site's readers, in milliseconds; -1 for never. */
        private final long msyncPeriod;

        Route(String text, String nearReads, String acknowledgedBy, long msyncPeriod) {
            this.text = text;
            this.nearReads = nearReads;
            this.acknowledgedBy = acknowledgedBy;
            this.msyncPeriod = msyncPeriod;
        }
    }

    @Option(
            names = "--round-trips",
            split = ",",
            defaultValue = "1,50,200",
            converter = PositiveNumber.class,
            description = "Between the sites, in milliseconds.")
    private List<Integer> roundTrips;

    @Mixin
    private final MeasurementOptions options =
            new MeasurementOptions().withDefaultRounds(3).withDefaultSeconds(10).withDefaultWarmUp(20);

    @Option(
            names = "--threads",
            defaultValue = "4",
            converter = PositiveNumber.class,
            description = "That write and read.")
    private int threads;

    private final BenchmarkResults results = new BenchmarkResults();
    private final Map<Route, Histogram> farthestWrites = new TreeMap<>();

    private SitesBenchmark() {}

    public static void main(String[] arguments) {
        Commands.run(new SitesBenchmark(), arguments);
    }

    @Override
    public Integer call() throws Exception {
        Machine.print(BenchmarkFiles.DIRECTORY);
        List<TwoSites> all = new ArrayList<>();
        try {
            for (Route way : Route.values()) {
                all.add(new TwoSites(way));
            }
            for (TwoSites each : all) {
                each.load(options.warmUpSeconds());
            }
            int farthest = Collections.max(roundTrips);
            for (int roundTrip : roundTrips) {
                for (int round = 1; round <= options.rounds(); round++) {
                    for (TwoSites each : all) {
                        measure(each, roundTrip, round, roundTrip == farthest);
                    }
                    // No way always follows the same other.
                    Collections.rotate(all, 1);
                }
            }
        } finally {
            for (TwoSites each : all) {
                each.close();
            }
        }
        report();
        draw();
        return 0;
    }

    private void measure(TwoSites sites, int roundTrip, int round, boolean isFarthest) throws Exception {
        sites.delay(Duration.ofMillis(roundTrip));
        SiteLatency measured = sites.load(options.seconds());
        sites.delay(Duration.ZERO);
        results.add(
                roundTrip + " ms",
                sites.way.text,
                new Sample(Map.of(
                        "writes p50", millis(measured.writes, 50),
                        "writes p99", millis(measured.writes, 99),
                        "writes a second", measured.writes.getTotalCount() / (double) options.seconds(),
                        "reads p50", millis(measured.reads, 50),
                        "reads p99", millis(measured.reads, 99),
                        "missed, percent", 100.0 * measured.missedCount / measured.reads.getTotalCount())));
        if (isFarthest) {
            farthestWrites
                    .computeIfAbsent(sites.way, unused -> new Histogram(3))
                    .add(measured.writes);
        }
        System.out.printf(
                Locale.ROOT,
                "%d ms, round %d, %s: p50 of writes %.1f ms, of reads %.1f ms%n",
                roundTrip,
                round,
                sites.way.text,
                millis(measured.writes, 50),
                millis(measured.reads, 50));
    }

    private static double millis(Histogram delays, double percentile) {
        return delays.getValueAtPercentile(percentile) / NANOS_PER_MILLI;
    }

    /** The delays, and the number of reads that missed changes acknowledged before they began. */
    private record SiteLatency(Histogram writes, Histogram reads, long missedCount) {}

    /** A cluster with a remote observer. */
    private final class TwoSites implements AutoCloseable {
        private final Route way;
        private final HaCluster cluster;
        private final List<SlowLink> links = new ArrayList<>();
        private final AtomicLong loads = new AtomicLong();
        private final FileSystem home;
        private final FileSystem far;

        TwoSites(Route way) throws Exception {
            this.way = way;
            HaClusterBuilder builder = HaCluster.builder("sites-" + way.text.replace(' ', '-'))
                    .withAutomaticFailover()
                    .property("trefoil.ha.near-reads", way.nearReads)
                    .property("trefoil.journal.ack.policy", way.acknowledgedBy)
                    .property("dfs.namenode.state.context.enabled", "true")
                    .property("dfs.ha.tail-edits.in-progress", "true")
                    .serverProperty("nn3", "trefoil.ha.electable", "false")
                    .serverProperty("nn3", "trefoil.journal.bind-host", FAR_HOST);
            cluster = builder.create();
            try {
                String front = cluster.nameNode(3).address("pool");
                links.add(SlowLink.between(front, FAR_HOST + front.substring(front.lastIndexOf(':'))));
                cluster.setUp();
                NameNodeServer active = cluster.awaitActive();
                for (NameNodeServer other : cluster.nameNodesExcept(active)) {
                    other.awaitState(other == cluster.nameNode(3) ? HAServiceState.OBSERVER : HAServiceState.STANDBY);
                }
                cluster.awaitFullJournal();
                home = cluster.newFileSystem();
                far = cluster.newFileSystem(farClient());
            } catch (Exception | Error e) {
                close();
                throw e;
            }
        }

        /** A client at the far site, with HDFS's own provider for reads from observers. */
        private Configuration farClient() throws IOException {
            Configuration conf = cluster.clientConfiguration();
            String nameservice = cluster.layout().nameservice();
            conf.set(
                    "dfs.client.failover.proxy.provider." + nameservice,
                    "org.apache.hadoop.hdfs.server.namenode.ha.ObserverReadProxyProvider");
            conf.setLong("dfs.client.failover.observer.auto-msync-period." + nameservice, way.msyncPeriod);
            for (int number = 1; number <= 2; number++) {
                NameNodeServer nameNode = cluster.nameNode(number);
                String front = "127.0.0.1:" + PortAllocator.free();
                links.add(SlowLink.between(front, nameNode.address("rpc")));
                conf.set("dfs.namenode.rpc-address." + nameservice + "." + nameNode.name(), front);
            }
            return conf;
        }

        void delay(Duration roundTrip) {
            links.forEach(link -> link.delay(roundTrip));
            if (way == Route.NEAR) {
                cluster.nameNode(3)
                        .await(
                                "may answer reads",
                                Await.TIMEOUT,
                                () -> cluster.nameNode(3).jmx().readNumber(METRICS, "Leased") == 1);
            }
        }

        SiteLatency load(int seconds) throws IOException, InterruptedException, ExecutionException {
            String root = "/load-" + loads.incrementAndGet() + "/";
            ExecutorService pool = Executors.newFixedThreadPool(threads);
            try {
                List<Future<SiteLatency>> parts = new ArrayList<>();
                for (int i = 0; i < threads; i++) {
                    String own = root + i + "/";
                    parts.add(pool.submit(() -> writeAndRead(own, seconds)));
                }
                Histogram writes = new Histogram(3);
                Histogram reads = new Histogram(3);
                long missedCount = 0;
                for (Future<SiteLatency> part : parts) {
                    writes.add(part.get().writes);
                    reads.add(part.get().reads);
                    missedCount += part.get().missedCount;
                }
                return new SiteLatency(writes, reads, missedCount);
            } finally {
                pool.shutdownNow();
            }
        }

        private SiteLatency writeAndRead(String root, int seconds) throws IOException {
            Histogram writes = new Histogram(3);
            Histogram reads = new Histogram(3);
            long missedCount = 0;
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
            for (long number = 0; System.nanoTime() < end; number++) {
                org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(root + number);
                long begun = System.nanoTime();
                home.mkdirs(path);
                long notified = System.nanoTime();
                writes.recordValue(notified - begun);
                try {
                    far.getFileStatus(path);
                } catch (FileNotFoundException e) {
                    missedCount++;
                }
                reads.recordValue(System.nanoTime() - notified);
            }
            return new SiteLatency(writes, reads, missedCount);
        }

        @Override
        public void close() throws IOException {
            cluster.close();
            for (SlowLink link : links) {
                link.close();
            }
        }
    }

    private void report() {
        System.out.printf(
                Locale.ROOT,
                "%nmedians of %d rounds of %d s, %d threads, ms%n%-10s%-12s%12s%12s%12s%12s%12s%18s%n",
                options.rounds(),
                options.seconds(),
                threads,
                "",
                "",
                "writes p50",
                "writes p99",
                "writes/s",
                "reads p50",
                "reads p99",
                "missed, percent");
        for (int roundTrip : roundTrips) {
            for (Route way : Route.values()) {
                System.out.printf(
                        Locale.ROOT,
                        "%-10s%-12s%12.1f%12.1f%12.0f%12.1f%12.1f%18.1f%n",
                        roundTrip + " ms",
                        way.text,
                        median(roundTrip, way, "writes p50"),
                        median(roundTrip, way, "writes p99"),
                        median(roundTrip, way, "writes a second"),
                        median(roundTrip, way, "reads p50"),
                        median(roundTrip, way, "reads p99"),
                        median(roundTrip, way, "missed, percent"));
            }
        }
        System.out.printf(Locale.ROOT, "%npercent of writes done within, at %d ms%n", Collections.max(roundTrips));
        farthestWrites.forEach((way, writes) -> {
            StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%-12s", way.text));
            for (int millis : SHARES_WITHIN_MILLIS) {
                line.append(String.format(
                        Locale.ROOT,
                        "%8d ms %5.1f",
                        millis,
                        writes.getPercentileAtOrBelowValue(TimeUnit.MILLISECONDS.toNanos(millis))));
            }
            System.out.println(line);
        });
    }

    private double median(int roundTrip, Route way, String figure) {
        return results.median(roundTrip + " ms", way.text, figure).orElseThrow();
    }

    private void draw() throws IOException {
        for (String call : List.of("writes", "reads")) {
            Curves curves = new Curves(
                    call.equals("writes") ? "Writes at home" : "Reads at the far site",
                    "round trip between the sites, ms",
                    "p50, ms");
            for (int roundTrip : roundTrips) {
                for (Route way : Route.values()) {
                    curves.add(way.text, roundTrip, median(roundTrip, way, call + " p50"));
                }
            }
            Path picture = BenchmarkFiles.DIRECTORY.resolve("sites-" + call + ".svg");
            PictureFile.write(curves, picture);
            System.out.println("picture: " + picture);
        }
    }
}

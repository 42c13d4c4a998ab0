/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.namenode;

import io.trefoil.benchmarks.Commands;
import io.trefoil.benchmarks.Machine;
import io.trefoil.benchmarks.Outage;
import io.trefoil.benchmarks.pictures.Panels;
import io.trefoil.benchmarks.pictures.PictureFile;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.layout.FailoverKind;
import io.trefoil.it.cluster.layout.JournalKind;
import io.trefoil.it.cluster.server.Jmx;
import io.trefoil.it.cluster.server.NameNodeServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.FileSystem;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * How long a NameNode that was away takes to become a standby again, over the number of log records that it missed
 * (paper, Fig. 12). Three NameNodes; one is away, the records are written, it returns; nobody writes while it is
 * renewed.
 *
 * <p>Writes {@code benchmarks/target/renewal.svg}.
 */
@Command(
        name = "benchmark-renewal",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = "How long a NameNode that was away takes to be a standby again: the paper's Figure 12.")
public final class RenewalBenchmark implements Callable<Integer> {
    private static final Path WORK = Path.of("benchmarks", "target").toAbsolutePath();
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final String GROUP = "Hadoop:service=NameNode,name=TrefoilGroup";
    private static final int THREADS = 4;
    private static final int LEVELS = 20;
    private static final int POLL_MILLIS = 300;
    private static final double NANOS_PER_SECOND = 1e9;

    @Option(
            names = "--records",
            split = ",",
            defaultValue = "20000,100000,200000,400000",
            description = "Behind by so many, one after the other.")
    private List<Long> records;

    @Option(
            names = "--away",
            defaultValue = "stopped",
            description =
                    "${COMPLETION-CANDIDATES}: by SIGSTOP, so that the time is that of the renewing alone; or its process"
                            + " ended, which adds the start of one, and the loading of the image.")
    private Outage away;

    private final List<Point> points = new ArrayList<>();

    /** The result of one renewing. */
    private record Point(long records, double seconds) {}

    private RenewalBenchmark() {}

    public static void main(String[] arguments) {
        Commands.run(new RenewalBenchmark(), arguments);
    }

    @Override
    public Integer call() throws Exception {
        Files.createDirectories(WORK);
        Machine.facts(WORK).forEach((fact, value) -> System.out.println(fact + ": " + value));
        HaCluster.builder("renewal")
                .journal(JournalKind.ssp())
                .failover(FailoverKind.mams())
                .nameNodeHeap("1500m")
                .unsupervised()
                .run(this::measure);
        System.out.printf("%n%12s%12s%14s%n", "records", "s", "records/s");
        for (Point point : points) {
            System.out.printf(
                    Locale.ROOT,
                    "%12d%12.2f%14.0f%n",
                    point.records(),
                    point.seconds(),
                    point.records() / point.seconds());
        }
        Path picture = WORK.resolve("renewal.svg");
        draw(picture);
        System.out.println("picture: " + picture);
        return 0;
    }

    private void measure(HaCluster cluster) throws IOException, InterruptedException, ExecutionException {
        NameNodeServer active = cluster.awaitActive();
        NameNodeServer junior = cluster.nameNodesBut(active).get(1);
        FileSystem fileSystem = cluster.newFileSystem();
        for (int i = 0; i < records.size(); i++) {
            awaitStandby(junior, active.appliedTxId());
            long before = active.appliedTxId();
            if (away == Outage.KILLED) {
                junior.kill9ForGood();
            } else {
                junior.pause();
            }
            write(fileSystem, "/renewal-" + i, records.get(i));
            long last = active.appliedTxId();
            long begun = System.nanoTime();
            if (away == Outage.KILLED) {
                junior.start();
            } else {
                junior.resume();
            }
            awaitStandby(junior, last);
            points.add(new Point(last - before, (System.nanoTime() - begun) / NANOS_PER_SECOND));
            System.out.println(points.get(i));
        }
    }

    /** Waits until it has applied a transaction and reports itself as a standby. */
    private static void awaitStandby(NameNodeServer nameNode, long txId) {
        Jmx page = new Jmx(nameNode.address("http"), POLL_MILLIS);
        nameNode.await(
                "is a standby that has applied " + txId,
                LIMIT,
                () -> page.number(GROUP, "TxId") >= txId
                        && page.text(GROUP, "State").equals("STANDBY"));
    }

    private static void write(FileSystem fileSystem, String directory, long count)
            throws InterruptedException, ExecutionException {
        StringBuilder below = new StringBuilder();
        for (int level = 1; level < LEVELS; level++) {
            below.append("/d");
        }
        AtomicLong next = new AtomicLong();
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            all.add(threads.submit(() -> {
                // Each call makes a path of new directories, and each directory is one record.
                for (long path = next.getAndIncrement(); path * LEVELS < count; path = next.getAndIncrement()) {
                    try {
                        fileSystem.mkdirs(new org.apache.hadoop.fs.Path("%s/%09d%s".formatted(directory, path, below)));
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                }
            }));
        }
        for (Future<?> one : all) {
            one.get();
        }
        threads.shutdown();
    }

    private void draw(Path picture) throws IOException {
        double most = points.stream().mapToDouble(Point::records).max().orElse(1);
        Panels panels = new Panels("Renewal", "log records", 0, most);
        panels.add("seconds until a NameNode that was " + away + " is a standby again")
                .curve(
                        "seconds",
                        points.stream()
                                .map(point -> new double[] {point.records(), point.seconds()})
                                .toList());
        PictureFile.write(panels, picture);
    }
}

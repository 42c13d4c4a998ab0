/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.namenode;

import io.trefoil.benchmarks.BenchmarkFiles;
import io.trefoil.benchmarks.BenchmarkResults;
import io.trefoil.benchmarks.Commands;
import io.trefoil.benchmarks.ContenderOptions;
import io.trefoil.benchmarks.Sample;
import io.trefoil.benchmarks.TurnOptions;
import io.trefoil.benchmarks.pictures.Panels;
import io.trefoil.benchmarks.pictures.PictureFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Measures how long a NameNode that was down takes to become a standby again, over the number of log records that it missed
 * (paper, figure 12): ours, and a stock standby with QJM and ZKFC, in turns. Three NameNodes each; one is away, the
 * records are written, it returns; no client writes while it is renewed.
 *
 * <p>Writes {@code benchmarks/target/renewal.svg}.
 */
@Command(
        name = "benchmark-renewal",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description =
                "How long a NameNode that was away takes to be a standby again, beside a stock one: the paper's Figure 12.")
public final class RenewalBenchmark implements Callable<Integer> {
    private static final Path PICTURE = BenchmarkFiles.DIRECTORY.resolve("renewal.svg");
    private static final String RECORDS = "records";
    private static final String SECONDS = "seconds";

    @Mixin
    private final ContenderOptions contenders = new ContenderOptions();

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
                            + " ended, which adds the start of one, and the loading of the image; or its images are lost as"
                            + " well, which adds HDFS's bootstrapStandby.")
    private NameNodeOutage away;

    private final BenchmarkResults results = new BenchmarkResults();

    private RenewalBenchmark() {}

    public static void main(String[] arguments) {
        Commands.run(new RenewalBenchmark(), arguments);
    }

    @Override
    public Integer call() throws Exception {
        TurnOptions.printMachine();
        List<RenewalCluster> clusters = new ArrayList<>();
        try {
            for (String name : contenders.names()) {
                clusters.add(RenewalCluster.start(name));
            }
            contenders.measureInTurns(clusters, RenewalCluster::name, this::measure);
            clusters.forEach(RenewalCluster::markSucceeded);
        } finally {
            clusters.forEach(RenewalCluster::close);
        }
        print();
        draw();
        System.out.println("picture: " + PICTURE);
        return 0;
    }

    private void measure(RenewalCluster cluster, int round)
            throws IOException, InterruptedException, ExecutionException {
        for (long recordCount : records) {
            RenewalCluster.RenewalResult renewed =
                    cluster.renew(away, "/renewal-" + round + "-" + recordCount, recordCount);
            double seconds = renewed.nanos() / 1e9;
            results.add(
                    String.valueOf(recordCount),
                    cluster.name(),
                    new Sample(Map.of(RECORDS, (double) renewed.records(), SECONDS, seconds)));
            System.out.printf(Locale.ROOT, "%s, %d records: %.2f s%n", cluster.name(), renewed.records(), seconds);
        }
    }

    private void print() {
        List<String> names = contenders.names();
        System.out.printf(
                "%nmedians of %d rounds: seconds until a NameNode that was %s is a standby again%n%12s",
                contenders.rounds(), away, "records");
        names.forEach(name -> System.out.printf("%12s", name));
        System.out.printf("%12s%n", names.size() > 1 ? "ratio" : "");
        for (long recordCount : records) {
            System.out.printf("%12d", recordCount);
            names.forEach(name -> System.out.printf(Locale.ROOT, "%12.2f", median(recordCount, name, SECONDS)));
            System.out.printf("%12s%n", ratio(recordCount));
        }
    }

    private double median(long recordCount, String name, String figure) {
        return results.median(String.valueOf(recordCount), name, figure).orElseThrow();
    }

    /** Returns the ratio of the first cluster to the second; empty without a second. */
    private String ratio(long recordCount) {
        List<String> names = contenders.names();
        Optional<Double> ratio = names.size() > 1
                ? results.ratio(String.valueOf(recordCount), names.get(0), names.get(1), SECONDS)
                : Optional.empty();
        return ratio.map(value -> String.format(Locale.ROOT, "%.2f", value)).orElse("");
    }

    private void draw() throws IOException {
        List<String> names = contenders.names();
        double most = records.stream()
                .flatMap(wanted -> names.stream().map(name -> median(wanted, name, RECORDS)))
                .mapToDouble(Double::doubleValue)
                .max()
                .orElse(1);
        Panels panels = new Panels("Renewal", "log records", 0, most);
        Panels.Panel panel = panels.add("seconds until a NameNode that was " + away + " is a standby again");
        names.forEach(name -> panel.addCurve(
                name,
                records.stream()
                        .map(wanted -> new double[] {median(wanted, name, RECORDS), median(wanted, name, SECONDS)})
                        .toList()));
        PictureFile.write(panels, PICTURE);
    }
}

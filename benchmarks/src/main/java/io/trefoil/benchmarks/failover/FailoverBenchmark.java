/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.failover;

import io.trefoil.benchmarks.BenchmarkFiles;
import io.trefoil.benchmarks.BenchmarkResults;
import io.trefoil.benchmarks.Commands;
import io.trefoil.benchmarks.DirectoryFiller;
import io.trefoil.benchmarks.HostOptions;
import io.trefoil.benchmarks.Machine;
import io.trefoil.benchmarks.Sample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.FileSystem;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * Injects faults into clusters with our failover and with the stock one, in turn, and reports how long clients waited. All
 * clusters stay up, one is loaded at a time.
 *
 * <p>The exit code is 0 unless something acknowledged was lost, a part could not run, or {@code --check} found a bound
 * missed.
 */
@Command(
        name = "benchmark-failover",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description =
                "Strikes clusters with our failover and with a well tuned stock ZKFC in turns, and says how long clients waited.")
public final class FailoverBenchmark implements Callable<Integer> {

    @Mixin
    private final FailoverOptions options = new FailoverOptions();

    @Mixin
    private final HostOptions hosts = new HostOptions();

    private final BenchmarkResults results = new BenchmarkResults();
    private int trials;

    private FailoverBenchmark() {}

    public static void main(String[] arguments) {
        Commands.run(new FailoverBenchmark(), arguments);
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        hosts.requireCoresFor(FailoverContender.NAME_NODES);
        Files.createDirectories(BenchmarkFiles.DIRECTORY);
        Map<String, String> machine = Machine.facts(BenchmarkFiles.DIRECTORY);
        machine.put("hosts", hosts.plan().toString());
        FailoverReport report = new FailoverReport(options, machine, results);
        List<FailoverContender> contenders = new ArrayList<>();
        try {
            for (String name : options.contenders()) {
                contenders.add(FailoverContender.start(name, options.machines(hosts.plan())));
                System.out.println(name + " is up");
            }
            if (!options.sizes().isEmpty()) {
                injectFaultsAtSizes(contenders);
            } else if (options.scenarios().isEmpty()) {
                injectFaults(contenders, "");
            } else {
                playScenarios(contenders);
            }
            contenders.forEach(FailoverContender::markSucceeded);
        } finally {
            contenders.forEach(FailoverContender::close);
        }
        if (!options.scenarios().isEmpty()) {
            return 0;
        }
        report.print(System.out);
        Path file = BenchmarkFiles.DIRECTORY.resolve("failover.json");
        report.write(file);
        System.out.println("all samples: " + file);
        Path picture = BenchmarkFiles.DIRECTORY.resolve("failover.svg");
        report.draw(picture);
        System.out.println("picture: " + picture);
        return report.areBoundsMet() || !options.checksBounds() ? 0 : 1;
    }

    private void playScenarios(List<FailoverContender> contenders) throws IOException, InterruptedException {
        for (Scenario scenario : options.scenarios()) {
            for (FailoverContender contender : contenders) {
                Path picture = BenchmarkFiles.DIRECTORY.resolve("test-" + scenario + "-" + contender.name() + ".svg");
                new FailoverTimeline(contender, scenario).play(picture, System.out);
            }
        }
    }

    private void injectFaultsAtSizes(List<FailoverContender> contenders) throws IOException, InterruptedException {
        List<FileSystem> fileSystems = contenders.stream()
                .<FileSystem>map(contender -> contender.cluster().newFileSystem())
                .toList();
        int before = 0;
        for (int size : options.sizes()) {
            DirectoryFiller.fill(fileSystems, "directories", before, size);
            // Standbys that still read what was just written would be measured, not failovers at that size.
            contenders.forEach(FailoverContender::awaitStandbysCaughtUp);
            System.out.println(size + " inodes");
            injectFaults(contenders, FailoverReport.sizeSuffix(size));
            before = size;
        }
    }

    /** @param suffix of the names under which faults are reported */
    private void injectFaults(List<FailoverContender> contenders, String suffix)
            throws IOException, InterruptedException {
        Map<FailoverContender, FileSystem> fileSystems = new LinkedHashMap<>();
        contenders.forEach(
                contender -> fileSystems.put(contender, contender.cluster().newFileSystem()));
        List<FailoverContender> order = new ArrayList<>(contenders);
        for (int round = 1; round <= options.rounds(); round++) {
            for (Fault fault : options.faults()) {
                for (FailoverContender contender : order) {
                    String root = "/" + fault + ++trials;
                    Sample sample = new Trial(contender, fault).run(fileSystems.get(contender), root);
                    // A namespace that grows with the rounds would fill the heap, and the benchmark would measure
                    // garbage collections.
                    fileSystems.get(contender).delete(new org.apache.hadoop.fs.Path(root), true);
                    results.add(fault + suffix, contender.name(), sample);
                    System.out.printf(
                            Locale.ROOT,
                            "round %d of %d, %s, %s: %s%n",
                            round,
                            options.rounds(),
                            fault + suffix,
                            contender.name(),
                            sample.figures());
                }
            }
            // No contender always follows the same other one.
            Collections.rotate(order, 1);
        }
    }
}

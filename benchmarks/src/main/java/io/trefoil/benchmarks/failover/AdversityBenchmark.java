/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.failover;

import io.trefoil.benchmarks.BenchmarkFiles;
import io.trefoil.benchmarks.BenchmarkResults;
import io.trefoil.benchmarks.Commands;
import io.trefoil.benchmarks.Machine;
import io.trefoil.benchmarks.Sample;
import io.trefoil.benchmarks.TurnOptions;
import io.trefoil.it.load.RunningLoad;
import io.trefoil.it.load.Workload;
import io.trefoil.it.process.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileSystem;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Measures what clients feel while something is amiss with clusters of our failover and of the stock one, which take turns in each
 * phase.
 *
 * <p>The exit code is 0 unless a part could not run, or {@code --check} found a bound missed.
 */
@Command(
        name = "benchmark-adversity",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description =
                "Says what clients feel while disks, links, hosts and processes are sick, with our failover and a well tuned stock ZKFC in turns.")
public final class AdversityBenchmark implements Callable<Integer> {
    private static final int SECONDS = 40;
    private static final int WARM_UP_SECONDS = 15;
    private static final double CPUS = 0.5;
    private static final int THREADS = 8;

    @Spec
    private CommandSpec command;

    @Mixin
    private final TurnOptions turns = new TurnOptions()
            .withDefaultRounds(1)
            .withDefaultSeconds(SECONDS)
            .withDefaultWarmUp(WARM_UP_SECONDS)
            .withDefaultCpus(CPUS);

    @Option(
            names = "--failovers",
            split = ",",
            defaultValue = FailoverContender.SMART + "," + FailoverContender.ZKFC,
            converter = FailoverContender.Name.class,
            description = "Contenders, as of benchmark-failover, in the order of the table.")
    private List<String> names;

    @Option(
            names = "--phases",
            split = ",",
            defaultValue = "calm,work,disk,link,starved,pauses,restarts,site",
            description =
                    "Of ${COMPLETION-CANDIDATES}, in the order given; without calm, nothing can be compared with it.")
    private List<AdversityPhase> phases;

    private final BenchmarkResults results = new BenchmarkResults();
    private final AdversityPicture picture = new AdversityPicture();

    private AdversityBenchmark() {}

    public static void main(String[] arguments) {
        Commands.run(new AdversityBenchmark(), arguments);
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        requireRunnable();
        Files.createDirectories(BenchmarkFiles.DIRECTORY);
        Map<String, String> machine = Machine.facts(BenchmarkFiles.DIRECTORY);
        machine.put("hosts", turns.hosts().toString());
        machine.forEach((fact, value) -> System.out.println(fact + ": " + value));
        AdversityReport report = new AdversityReport(names, results);
        List<FailoverContender> contenders = new ArrayList<>();
        try {
            for (String name : names) {
                contenders.add(FailoverContender.start(
                        name,
                        new FailoverContender.Machines(true, true, false, false, OptionalInt.empty(), turns.hosts())));
                System.out.println(name + " is up");
            }
            play(contenders);
            contenders.forEach(FailoverContender::markSucceeded);
        } finally {
            // Also what was measured before a part could not run.
            write(machine, report);
            contenders.forEach(FailoverContender::close);
        }
        return turns.exitCode(report.areBoundsMet());
    }

    private void requireRunnable() {
        turns.requireCoresFor(FailoverContender.NAME_NODES);
        if (turns.seconds() <= AdversityWindow.SETTLING.toSeconds()) {
            throw new ParameterException(
                    command.commandLine(),
                    "--seconds must be above the " + AdversityWindow.SETTLING.toSeconds()
                            + " after which rates are measured");
        }
        if (turns.hosts().cpus().isEmpty() && phases.stream().anyMatch(AdversityPhase::needsCpus)) {
            throw new ParameterException(
                    command.commandLine(), "a part of a host's CPUs can be taken away only with --hosts and a number");
        }
    }

    private void play(List<FailoverContender> contenders) throws IOException, InterruptedException {
        Map<FailoverContender, FileSystem> fileSystems = new LinkedHashMap<>();
        contenders.forEach(
                contender -> fileSystems.put(contender, contender.cluster().newFileSystem()));
        for (FailoverContender contender : contenders) {
            warmUp(fileSystems.get(contender));
        }
        List<FailoverContender> order = new ArrayList<>(contenders);
        for (int round = 1; round <= turns.rounds(); round++) {
            for (AdversityPhase phase : phases) {
                for (FailoverContender contender : order) {
                    AdversityTrial.Result result = new AdversityTrial(contender, phase)
                            .run(fileSystems.get(contender), "/" + phase + round, Duration.ofSeconds(turns.seconds()));
                    results.add(phase.toString(), contender.name(), new Sample(result.figures()));
                    picture.add(phase, contender.name(), result.curve());
                    System.out.printf(
                            "round %d of %d, %s, %s: %s%n",
                            round, turns.rounds(), phase, contender.name(), result.figures());
                }
                // No contender always follows the same other one.
                Collections.rotate(order, 1);
            }
        }
    }

    private void warmUp(FileSystem fileSystem) throws IOException, InterruptedException {
        try (RunningLoad load =
                Workload.on(fileSystem).under("/warm").threads(THREADS).start()) {
            TimeUnit.SECONDS.sleep(turns.warmUpSeconds());
            load.stop(Await.TIMEOUT);
        }
        fileSystem.delete(new org.apache.hadoop.fs.Path("/warm"), true);
    }

    private void write(Map<String, String> machine, AdversityReport report) throws IOException {
        if (results.measurements().isEmpty()) {
            return;
        }
        report.print(System.out);
        Path file = BenchmarkFiles.DIRECTORY.resolve("adversity.json");
        BenchmarkFiles.writeSamples(
                file, machine, Map.of("rounds", turns.rounds(), "seconds", turns.seconds()), results);
        System.out.println("all samples: " + file);
        Path drawn = BenchmarkFiles.DIRECTORY.resolve("adversity.svg");
        picture.write(drawn);
        System.out.println("picture: " + drawn);
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.journal;

import io.trefoil.benchmarks.BenchmarkFiles;
import io.trefoil.benchmarks.BenchmarkResults;
import io.trefoil.benchmarks.Commands;
import io.trefoil.benchmarks.HostOptions;
import io.trefoil.benchmarks.Machine;
import io.trefoil.benchmarks.journal.candidate.Candidate;
import io.trefoil.benchmarks.journal.candidate.JvmLauncher;
import io.trefoil.benchmarks.journal.candidate.RunningCandidate;
import io.trefoil.benchmarks.journal.candidate.Security;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * Compares the journal with QJM and with two floors, and, on request, with BookKeeper and two-phase commit. All of their
 * processes stay up, one journal is loaded at a time, and they take turns within each measurement, so that other work of
 * the machine affects all alike.
 *
 * <p>The exit code is 0 unless a part could not run, or {@code --check} found a bound missed.
 */
@Command(
        name = "benchmark-journal",
        mixinStandardHelpOptions = true,
        description =
                "Compares the journal with QJM, with two floors, and with BookKeeper and two-phase commit if --journals"
                        + " names them: all are up, one is loaded at a time, and they take turns.")
public final class JournalBenchmark implements Callable<Integer> {

    @Mixin
    private final Options options = new Options();

    @Mixin
    private final HostOptions hosts = new HostOptions();

    private final BenchmarkResults results = new BenchmarkResults();

    private JournalBenchmark() {}

    public static void main(String[] arguments) {
        Commands.run(new JournalBenchmark(), arguments);
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        options.requireConsistent();
        hosts.requireCoresFor(options.hosts());
        Path directory = Files.createTempDirectory(Files.createDirectories(BenchmarkFiles.DIRECTORY), "journals-");
        Map<String, String> facts = Machine.facts(directory);
        facts.put("jvmOptions", String.join(" ", JvmLauncher.OPTIONS));
        facts.put("hosts", hosts.plan().toString());
        facts.put("security", options.security().name().toLowerCase(Locale.ROOT));
        int code;
        try (Security security = Security.start(options.security(), directory.resolve("keys"))) {
            List<String> jvmOptions = new ArrayList<>(security.jvmOptions());
            jvmOptions.addAll(hosts.plan().jvmOptions());
            code = run(directory, facts, new JvmLauncher(directory, jvmOptions), security);
        } catch (IOException | RuntimeException | AssertionError e) {
            System.err.println("what the processes had to say: " + directory.resolve("logs"));
            throw e;
        }
        delete(directory);
        return code;
    }

    private int run(Path directory, Map<String, String> facts, JvmLauncher jvms, Security security)
            throws IOException, InterruptedException {
        if (options.includesReading()) {
            ReadingBenchmark reading = new ReadingBenchmark(options, hosts.plan());
            reading.run(directory, jvms, security);
            reading.report(BenchmarkFiles.DIRECTORY, facts);
            return 0;
        }
        if (options.includesKills()) {
            KillsBenchmark kills = new KillsBenchmark(options, hosts.plan());
            kills.run(directory, jvms, security);
            kills.report(BenchmarkFiles.DIRECTORY, facts);
            return 0;
        }
        return compare(directory, facts, jvms, security);
    }

    private int compare(Path directory, Map<String, String> facts, JvmLauncher jvms, Security security)
            throws IOException, InterruptedException {
        List<RunningCandidate> candidates = new ArrayList<>();
        try {
            for (String name : options.candidates()) {
                Candidate plan = Candidate.byName(name, directory, security);
                candidates.add(RunningCandidate.start(plan, jvms, hosts.plan()));
            }
            measure(candidates);
        } finally {
            candidates.forEach(RunningCandidate::close);
        }
        Report report = new Report(options, facts, results);
        report.print(System.out);
        Path file = BenchmarkFiles.DIRECTORY.resolve("journal.json");
        report.write(file);
        System.out.println("all samples: " + file);
        if (options.includesSweep()) {
            Path sizes = BenchmarkFiles.DIRECTORY.resolve("journal-sizes.svg");
            Path rates = BenchmarkFiles.DIRECTORY.resolve("journal-rates.svg");
            report.draw(sizes, rates);
            System.out.println("pictures: " + sizes + ", " + rates);
        } else {
            Path picture = BenchmarkFiles.DIRECTORY.resolve("journal.svg");
            report.draw(picture);
            System.out.println("picture: " + picture);
        }
        return report.areBoundsMet() || !options.checksBounds() ? 0 : 1;
    }

    private void measure(List<RunningCandidate> candidates) throws IOException, InterruptedException {
        Rounds rounds = new Rounds(options.measurements(), candidates);
        System.out.println("all processes are up, warming up");
        long warmUpMillis =
                options.warmUpSeconds() * 1000L / options.measurements().size();
        rounds.warmUp(Duration.ofMillis(Math.max(1, warmUpMillis)));
        candidates.forEach(candidate -> candidate.limitCpus(hosts.plan()));
        hosts.plan().awaitQuiescence();
        for (int round = 1; round <= options.rounds(); round++) {
            System.out.println("round " + round + " of " + options.rounds());
            for (Rounds.Turn turn : rounds.runRound(Duration.ofSeconds(options.seconds()))) {
                results.add(turn.measurement().name(), turn.candidate(), turn.sample());
            }
        }
    }

    static void delete(Path directory) throws IOException {
        try (Stream<Path> tree = Files.walk(directory)) {
            for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}

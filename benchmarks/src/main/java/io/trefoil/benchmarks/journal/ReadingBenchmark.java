/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.journal;

import io.trefoil.benchmarks.BenchmarkFiles;
import io.trefoil.benchmarks.BenchmarkResults;
import io.trefoil.benchmarks.HostCpuPlan;
import io.trefoil.benchmarks.Sample;
import io.trefoil.benchmarks.journal.candidate.JvmLauncher;
import io.trefoil.benchmarks.journal.candidate.ReadSpec;
import io.trefoil.benchmarks.journal.candidate.RunningCandidate;
import io.trefoil.benchmarks.journal.candidate.Security;
import io.trefoil.benchmarks.pictures.Bars;
import io.trefoil.benchmarks.pictures.PictureFile;
import io.trefoil.benchmarks.reader.ReaderMain;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Measures how long it takes to read a segment: the finalized one and the one that is being written, by a reader on a host that has the edits and
 * by one that has not (the papers' Figure 8d). All journals are up, and their readers take turns.
 */
final class ReadingBenchmark {
    private static final int BATCH_BYTES = 64 << 10;
    private static final int BYTES_PER_MEBIBYTE = 1 << 20;
    private static final Duration FILL_TIMEOUT = Duration.ofMinutes(5);
    private static final String MILLIS = "millis";
    private static final String RECORDS = "records";
    private static final double MILLIS_PER_SECOND = 1e3;

    private final Options options;
    private final HostCpuPlan cpus;
    private final BenchmarkResults results = new BenchmarkResults();

    /** The entries that a reader reads, and their source; segments have this many edits each. */
    private enum Reading {
        FINALIZED_NEAR("finalized", ReadSpec.NEAR),
        FINALIZED_FAR("finalized", ReadSpec.FAR),
        IN_PROGRESS_NEAR("in progress", ReadSpec.NEAR),
        IN_PROGRESS_FAR("in progress", ReadSpec.FAR);

        private final String segment;
        private final String reader;

        Reading(String segment, String reader) {
            this.segment = segment;
            this.reader = reader;
        }

        String command(long records) {
            long first = segment.equals("finalized") ? 1 : records + 1;
            return segment.toUpperCase(Locale.ROOT).replace(' ', '_') + " " + first + " " + records;
        }

        @Override
        public String toString() {
            return segment + ", " + reader;
        }
    }

    ReadingBenchmark(Options options, HostCpuPlan cpus) {
        this.options = options;
        this.cpus = cpus;
    }

    void run(Path directory, JvmLauncher jvms, Security security) throws IOException, InterruptedException {
        List<RunningCandidate> journals = new ArrayList<>();
        try {
            for (String name : options.candidates()) {
                RunningCandidate journal =
                        ReadSpec.byName(name, directory, security).start(jvms, cpus);
                journals.add(journal);
                fill(journal);
                journal.rollSegment();
                fill(journal);
                System.out.println(
                        name + " is up, with " + options.megabytes() + " MiB finalized and as much in progress");
            }
            long end = System.nanoTime()
                    + Duration.ofSeconds(options.warmUpSeconds()).toNanos() * journals.size();
            while (System.nanoTime() - end < 0) {
                read(journals, new BenchmarkResults());
            }
            journals.forEach(journal -> journal.limitCpus(cpus));
            cpus.awaitQuiescence();
            for (int round = 1; round <= options.rounds(); round++) {
                System.out.println("round " + round + " of " + options.rounds());
                read(journals, results);
                // No journal always follows the same other one.
                Collections.rotate(journals, 1);
            }
        } finally {
            journals.forEach(RunningCandidate::close);
        }
    }

    /** The size of batches, as in a NameNode under load. */
    private void fill(RunningCandidate journal) throws IOException {
        long batches = (long) options.megabytes() * BYTES_PER_MEBIBYTE / BATCH_BYTES;
        journal.runLoad("one " + BATCH_BYTES + " " + batches, FILL_TIMEOUT);
    }

    private void read(List<RunningCandidate> journals, BenchmarkResults results) throws IOException {
        long records = (long) options.megabytes() * BYTES_PER_MEBIBYTE / ReaderMain.EDIT_BYTES;
        for (Reading reading : Reading.values()) {
            for (RunningCandidate journal : journals) {
                if (journal.readers().contains(reading.reader)) {
                    Map<String, Double> told = figures(journal.runReader(reading.reader, reading.command(records)));
                    double read = told.get(RECORDS);
                    if (read == 0) {
                        throw new IllegalStateException(
                                "The reader of " + journal.name() + " found nothing, " + reading + ", see its log");
                    }
                    // What clients of BookKeeper do not see yet is a part of the time that it takes to read what they
                    // see.
                    double millis = told.get("seconds") * MILLIS_PER_SECOND * records / read;
                    results.add(reading.toString(), journal.name(), new Sample(Map.of(MILLIS, millis, RECORDS, read)));
                }
            }
        }
    }

    private static Map<String, Double> figures(String answer) {
        Map<String, Double> figures = new LinkedHashMap<>();
        for (String part : answer.split(" ")) {
            String[] nameAndValue = part.split("=");
            figures.put(nameAndValue[0], Double.valueOf(nameAndValue[1]));
        }
        return figures;
    }

    void report(Path directory, Map<String, String> machine) throws IOException {
        System.out.printf(
                "%nms to read %d MiB of edits of %d B, medians of %d rounds; %s%n%-24s",
                options.megabytes(), ReaderMain.EDIT_BYTES, options.rounds(), cpus, "");
        options.candidates().forEach(name -> System.out.printf("%20s", name));
        System.out.println();
        Bars bars = new Bars("Reading " + options.megabytes() + " MiB of edits");
        for (String reading : results.measurements()) {
            System.out.printf("%-24s", reading);
            for (String name : options.candidates()) {
                Optional<Double> millis = results.median(reading, name, MILLIS);
                System.out.printf(
                        "%20s",
                        millis.map(value -> String.format(Locale.ROOT, "%.0f", value))
                                .orElse("-"));
                millis.ifPresent(value -> bars.add("ms", name, reading, value));
            }
            System.out.println();
        }
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("mebibytes", options.megabytes());
        all.put("rounds", options.rounds());
        Path file = directory.resolve("journal-reading.json");
        BenchmarkFiles.writeSamples(file, machine, all, results);
        Path picture = directory.resolve("journal-reading.svg");
        PictureFile.write(bars, picture);
        System.out.println("all samples: " + file + ", picture: " + picture);
    }
}

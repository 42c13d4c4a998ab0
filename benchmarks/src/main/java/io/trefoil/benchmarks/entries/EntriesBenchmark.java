/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.entries;

import io.trefoil.benchmarks.BenchmarkFiles;
import io.trefoil.benchmarks.Commands;
import io.trefoil.benchmarks.Commands.PositiveNumber;
import io.trefoil.benchmarks.writer.BenchmarkEdits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hadoop.hdfs.server.namenode.EditLogOutputStream;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Counts the methods that a batch enters, and the number of classes, in our journal and in QJM. One batch is written after the other, so
 * what follows a commit when no other comes is not on the way.
 */
@Command(
        name = "count-entries",
        mixinStandardHelpOptions = true,
        description = "Counts the methods that one batch enters in the journal and in QJM, and their classes.")
public final class EntriesBenchmark implements Callable<Integer> {
    private static final int EDIT_BYTES = 300;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "9",
            converter = PositiveNumber.class,
            description = "The median of so many is shown: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(
            names = "--batches",
            paramLabel = "N",
            defaultValue = "100",
            converter = PositiveNumber.class,
            description = "In each round, after as many that are not counted: ${DEFAULT-VALUE}.")
    private int batches;

    @Option(
            names = "--methods",
            paramLabel = "N",
            defaultValue = "0",
            description = "Print so many of the methods that are entered most, and all classes.")
    private int methods;

    private EntriesBenchmark() {}

    public static void main(String[] arguments) {
        Commands.run(new EntriesBenchmark(), arguments);
    }

    @Override
    public Integer call() throws IOException, ReflectiveOperationException {
        List<String> packages = new ArrayList<>();
        for (CountedJournal journal : CountedJournal.values()) {
            packages.addAll(journal.packages());
        }
        EntryAgent.install(packages, CountedJournal.TIMERS);
        Path directory = Files.createTempDirectory(Files.createDirectories(BenchmarkFiles.DIRECTORY), "entries-");
        Map<String, Object> all = new LinkedHashMap<>();
        System.out.printf(
                "%-6s %8s %8s %8s %9s %18s%n", "", "entries", "values", "classes", "packages", "flushing thread");
        for (CountedJournal journal : CountedJournal.values()) {
            all.put(journal.name(), report(journal, count(journal, directory)));
        }
        Path file = BenchmarkFiles.DIRECTORY.resolve("entries.json");
        BenchmarkFiles.writeJson(file, all);
        System.out.println("all methods: " + file);
        return 0;
    }

    private Round count(CountedJournal journal, Path directory) throws IOException, ReflectiveOperationException {
        EditLogOutputStream stream = journal.open(directory).start(1);
        FSEditLogOp edit = BenchmarkEdits.ofSize(EDIT_BYTES);
        List<Round> counted = new ArrayList<>();
        long txId = 0;
        for (int round = 0; round < rounds; round++) {
            txId = write(stream, edit, txId);
            EntryCounter.start();
            txId = write(stream, edit, txId);
            EntryCounter.stop();
            counted.add(new Round(
                    BatchPath.of(EntryCounter.totalCounts(), batches).inPackages(journal.packages()),
                    BatchPath.of(EntryCounter.flushingThreadCounts(), batches).inPackages(journal.packages())));
        }
        counted.sort(Comparator.comparingLong(round -> round.way().entries()));
        return counted.get(rounds / 2);
    }

    /** Writes the batches of half a round, and returns the last transaction. */
    private long write(EditLogOutputStream stream, FSEditLogOp edit, long lastTxId) throws IOException {
        for (long txId = lastTxId + 1; txId <= lastTxId + batches; txId++) {
            edit.setTransactionId(txId);
            stream.write(edit);
            stream.setReadyToFlush();
            stream.flush();
        }
        return lastTxId + batches;
    }

    private Map<String, Object> report(CountedJournal journal, Round round) {
        BatchPath way = round.way();
        System.out.printf(
                "%-6s %8d %8d %8d %9d %12d / %3d%n",
                journal.name().toLowerCase(Locale.ROOT),
                way.entries(),
                way.valueEntries(),
                way.classes().size(),
                way.packages().size(),
                round.flushing().entries(),
                round.flushing().classes().size());
        if (methods > 0) {
            way.topMethods(methods).forEach(entry -> System.out.printf("  %6d %s%n", entry.getValue(), entry.getKey()));
            way.classes().forEach(type -> System.out.println("  " + type));
        }
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("entries", way.entries());
        facts.put("entriesOfValues", way.valueEntries());
        facts.put("classes", way.classes());
        facts.put("flushingThreadEntries", round.flushing().entries());
        facts.put("flushingThreadClasses", round.flushing().classes());
        facts.put(
                "methods",
                way.topMethods(Integer.MAX_VALUE).stream()
                        .map(entry -> entry.getValue() + " " + entry.getKey())
                        .toList());
        return facts;
    }

    /** The method entries of a batch in one round: on all threads, and on the one that flushes. */
    private record Round(BatchPath way, BatchPath flushing) {}
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.threads;

import io.trefoil.benchmarks.Usage;
import java.io.PrintStream;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The CPU and the sleeps of threads in all rounds together, for each operation or for each repetition. */
public final class ThreadTable {
    private static final double MILLIS_PER_SECOND = 1e3;
    private static final double MICROS_PER_SECOND = 1e6;
    /** The minimum share for a separate line; smaller ones are added up in the last line. */
    private static final double MIN_SHARE = 0.01;

    private static final String OTHERS = "all others";

    private final String counted;
    private final String unit;
    private final double unitsPerSecond;
    private final Map<String, Row> rows = new LinkedHashMap<>();

    /** The measurements under one title. */
    private static final class Row {
        private final Map<String, Map<String, Usage>> processes = new LinkedHashMap<>();
        private long count;
    }

    private ThreadTable(String counted, String unit, double unitsPerSecond) {
        this.counted = counted;
        this.unit = unit;
        this.unitsPerSecond = unitsPerSecond;
    }

    /** Returns a table in microseconds for each operation. */
    public static ThreadTable perOperation() {
        return new ThreadTable("operation", "us", MICROS_PER_SECOND);
    }

    /** Returns a table in milliseconds for each job. */
    public static ThreadTable perJob() {
        return new ThreadTable("job", "ms", MILLIS_PER_SECOND);
    }

    /** @param count of what was done between the two moments */
    public void add(String title, ClusterThreads earlierThreads, ClusterThreads after, long count) {
        add(title, after.since(earlierThreads), count);
    }

    void add(String title, Map<String, Map<String, Usage>> usages, long count) {
        Row row = rows.computeIfAbsent(title, unused -> new Row());
        row.count += count;
        usages.forEach((process, threads) -> threads.forEach((kind, usage) -> row.processes
                .computeIfAbsent(process, unused -> new LinkedHashMap<>())
                .merge(kind, usage, Usage::plus)));
    }

    /** Prints a table for each title, and within it each process, starting with the thread that uses most. */
    public void print(PrintStream out) {
        rows.forEach((title, row) -> row.processes.forEach((process, threads) -> {
            out.printf("%n%s, %s: for each %s%n", title, process, counted);
            print(out, threads, row.count);
        }));
    }

    private void print(PrintStream out, Map<String, Usage> threads, long count) {
        double all = threads.values().stream().mapToDouble(Usage::cpuSeconds).sum();
        List<String> kinds = threads.keySet().stream()
                .filter(kind -> threads.get(kind).cpuSeconds() >= MIN_SHARE * all)
                .sorted(Comparator.comparingDouble(
                                (String kind) -> threads.get(kind).cpuSeconds())
                        .reversed())
                .toList();
        Usage others = threads.entrySet().stream()
                .filter(entry -> !kinds.contains(entry.getKey()))
                .map(Map.Entry::getValue)
                .reduce(new Usage(0, 0), Usage::plus);
        kinds.forEach(kind -> print(out, kind, threads.get(kind), all, count));
        print(out, OTHERS, others, all, count);
    }

    private void print(PrintStream out, String kind, Usage usage, double all, long count) {
        double least = Math.max(1, count);
        out.printf(
                Locale.ROOT,
                "  %-18s%12.1f %s%5.0f %%%10.2f sleeps%n",
                kind,
                usage.cpuSeconds() * unitsPerSecond / least,
                unit,
                all == 0 ? 0 : 100 * usage.cpuSeconds() / all,
                usage.sleeps() / least);
    }
}

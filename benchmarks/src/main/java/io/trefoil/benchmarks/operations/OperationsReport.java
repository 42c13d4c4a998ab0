/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.operations;

import io.trefoil.benchmarks.BenchmarkResults;
import io.trefoil.benchmarks.ClusterUsage;
import io.trefoil.benchmarks.HostCpuPlan;
import io.trefoil.benchmarks.Sample;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The figures of one plan of hosts, as medians over the rounds, and as medians of their ratios. */
final class OperationsReport {
    private static final String RATE = "perSecond";
    private static final String SECONDS = "seconds";
    private static final String P50 = "p50";
    private static final String P99 = "p99";
    private static final String ACTIVE_CPU = "activeCpu";
    private static final String OTHERS_CPU = "othersCpu";
    private static final double NANOS_PER_MICRO = 1e3;
    private static final double MICROS_PER_SECOND = 1e6;

    /** The share of the requested time that is close enough. */
    private static final double ENOUGH = 0.8;

    private static final int ONE_CLIENT = 1;
    private static final int MANY_CLIENTS = 32;

    private final BenchmarkResults results = new BenchmarkResults();
    private final Map<String, Row> rows = new LinkedHashMap<>();
    private final HostCpuPlan hosts;
    private final OperationsContender.Load load;
    private final List<String> contenders;
    private final int seconds;

    private enum Rule {
        AT_LEAST("at least"),
        AT_MOST("at most");

        private final String words;

        Rule(String words) {
            this.words = words;
        }

        boolean isMet(double ratio, double limit) {
            return this == AT_LEAST ? ratio >= limit : ratio <= limit;
        }
    }

    private record Row(MeasuredOperation operation, int clients) {}

    /** @param seconds how long each measurement should take */
    OperationsReport(HostCpuPlan hosts, OperationsContender.Load load, List<String> contenders, int seconds) {
        this.hosts = hosts;
        this.load = load;
        this.contenders = contenders;
        this.seconds = seconds;
    }

    void add(MeasuredOperation operation, int clients, String contender, ClientLoad.Outcome outcome) {
        Map<String, Double> figures = figures(outcome.perSecond(), outcome.count(), outcome.usage());
        figures.put(SECONDS, outcome.seconds());
        figures.put(P50, outcome.nanos().getValueAtPercentile(50) / NANOS_PER_MICRO);
        figures.put(P99, outcome.nanos().getValueAtPercentile(99) / NANOS_PER_MICRO);
        add(operation, clients, contender, figures);
    }

    /** Adds a row without percentiles, which Hadoop's benchmark does not report. */
    void add(MeasuredOperation operation, int threads, String contender, ThroughputLoad.Outcome outcome) {
        Map<String, Double> figures = figures(outcome.perSecond(), outcome.count(), outcome.usage());
        figures.put(SECONDS, outcome.seconds());
        add(operation, threads, contender, figures);
    }

    private void add(MeasuredOperation operation, int clients, String contender, Map<String, Double> figures) {
        String row = operation.name().toLowerCase(Locale.ROOT) + ", " + load.callersText(clients);
        rows.put(row, new Row(operation, clients));
        results.add(row, contender, new Sample(figures));
    }

    private static Map<String, Double> figures(double perSecond, long count, ClusterUsage usage) {
        Map<String, Double> figures = new LinkedHashMap<>();
        double least = Math.max(1, count);
        figures.put(RATE, perSecond);
        figures.put(ACTIVE_CPU, usage.active().cpuSeconds() * MICROS_PER_SECOND / least);
        figures.put(OTHERS_CPU, usage.otherUsage().cpuSeconds() * MICROS_PER_SECOND / least);
        return figures;
    }

    void print(PrintStream out) {
        out.printf(
                "%n%s; %s; medians; p50, p99: us; active, others: us of CPU for each operation, in the active's process and in all"
                        + " others of its cluster%n%n%-24s",
                load.description(), hosts, "");
        contenders.forEach(name -> out.printf("%13s%8s%9s%9s%9s", name + "/s", P50, P99, "active", "others"));
        boolean isForwarded = contenders.contains(OperationsContender.FORWARDED);
        out.printf("%10s%10s%s%n", "of none's", "of QJM's", isForwarded ? "  forwarded of direct" : "");
        rows.keySet().forEach(row -> {
            out.printf("%-24s", row);
            for (String contender : contenders) {
                out.print(cell(row, contender, RATE, 13));
                out.print(cell(row, contender, P50, 8));
                out.print(cell(row, contender, P99, 9));
                out.print(cell(row, contender, ACTIVE_CPU, 9));
                out.print(cell(row, contender, OTHERS_CPU, 9));
            }
            out.printf(
                    "%10s%10s%s%n",
                    ratio(row, OperationsContender.OURS, OperationsContender.NONE),
                    ratio(row, OperationsContender.OURS, OperationsContender.QJM),
                    isForwarded
                            ? String.format("%21s", ratio(row, OperationsContender.FORWARDED, OperationsContender.OURS))
                            : "");
        });
    }

    private String cell(String row, String contender, String figure, int width) {
        return results.median(row, contender, figure)
                .map(value -> String.format(Locale.ROOT, "%" + width + ".0f", value))
                .orElse(" ".repeat(width));
    }

    private String ratio(String row, String operation, String to) {
        return results.ratio(row, operation, to, RATE)
                .map(value -> String.format(Locale.ROOT, "%.2f", value))
                .orElse("");
    }

    /** Each measured bound, in words, and whether it is kept. */
    Map<String, Boolean> bounds() {
        Map<String, Boolean> bounds = new LinkedHashMap<>();
        rows.forEach((text, row) -> {
            if (shortestSeconds(text) < ENOUGH * seconds) {
                return;
            }
            if (hosts.cpus().isPresent() && row.clients() == MANY_CLIENTS) {
                addBound(bounds, text, RATE, OperationsContender.NONE, Rule.AT_LEAST, 1.0);
            }
            if (hosts.cpus().isPresent() && row.clients() == ONE_CLIENT) {
                addBound(bounds, text, RATE, OperationsContender.NONE, Rule.AT_LEAST, 0.65);
            }
            if (row.clients() == MANY_CLIENTS) {
                addBound(bounds, text, ACTIVE_CPU, OperationsContender.NONE, Rule.AT_MOST, 1.0);
            }
            if (row.operation().isWrite()) {
                addBound(bounds, text, RATE, OperationsContender.QJM, Rule.AT_LEAST, 2.0);
            }
        });
        return bounds;
    }

    /** Returns which rows were measured for too short a time to be judged, in words. */
    List<String> unjudgedRows() {
        return rows.keySet().stream()
                .filter(row -> shortestSeconds(row) < ENOUGH * seconds)
                .map(row -> String.format(
                        Locale.ROOT,
                        "%s: measured for %.1f s of the %d that were asked for, not judged",
                        row,
                        shortestSeconds(row),
                        seconds))
                .toList();
    }

    private double shortestSeconds(String row) {
        return contenders.stream()
                .flatMapToDouble(contender -> results.min(row, contender, SECONDS).stream())
                .min()
                .orElse(0);
    }

    private void addBound(Map<String, Boolean> bounds, String row, String figure, String to, Rule rule, double limit) {
        Optional<Double> ratio = results.ratio(row, OperationsContender.OURS, to, figure);
        ratio.ifPresent(value -> bounds.put(
                String.format(
                        Locale.ROOT,
                        "%s: %s of %s's %.2f, %s %.2f",
                        row,
                        figure.equals(RATE) ? "rate" : "CPU of the active",
                        to,
                        value,
                        rule.words,
                        limit),
                rule.isMet(value, limit)));
    }

    Map<String, Map<String, List<Map<String, Double>>>> toMaps() {
        return results.toMaps();
    }
}

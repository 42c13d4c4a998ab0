/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.failover;

import io.trefoil.benchmarks.BenchmarkFiles;
import io.trefoil.benchmarks.BenchmarkResults;
import io.trefoil.benchmarks.pictures.Bars;
import io.trefoil.benchmarks.pictures.PictureFile;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** Prints the results and writes them to a file. */
final class FailoverReport {
    /** Bounds of our failover: relative to the stock one, and absolute. */
    private static final double HALF = 0.5;

    private static final double ANNOUNCED_AFTER_KILL_MILLIS = 500;
    /** That bound plus the lease, whose end must be awaited. */
    private static final double ANNOUNCED_AFTER_SILENCE_MILLIS = 1_500;

    /** Bounds of the smart client; the second is the lease plus 300 ms. */
    private static final double ADDED_AFTER_KILL_MILLIS = 50;

    private static final double GAP_AFTER_SILENCE_MILLIS = 1_300;

    /** The longest wait allowed for any client while a disk hangs, with the settings of the sample configuration. */
    private static final double MAX_HUNG_OUTAGE_MILLIS = 1_500;
    /** The bound for eight clients on two cores, with either journal. */
    private static final double MAX_FAULTLESS_OUTAGE_MILLIS = 150;

    /** The factor by which the gap may at most depend on the size of the namespace. */
    private static final double GROWTH = 1.2;

    private final FailoverOptions options;
    private final Map<String, String> machine;
    private final BenchmarkResults results;

    FailoverReport(FailoverOptions options, Map<String, String> machine, BenchmarkResults results) {
        this.options = options;
        this.machine = machine;
        this.results = results;
    }

    void print(PrintStream out) {
        out.println();
        machine.forEach((fact, value) -> out.println(fact + ": " + value));
        out.printf(
                "medians of %d rounds; gap: longest time without an answer for any of 8 client threads;"
                        + " active: from the fault until another NameNode says that it is active;"
                        + " added: the difference of the two;"
                        + " longest: how long one client waited at most, the worst of all rounds%n%n",
                options.rounds());
        out.printf("%-18s", "ms");
        options.contenders()
                .forEach(name -> out.printf(
                        "%14s%14s%14s%15s", name + " gap", name + " active", name + " added", name + " longest"));
        out.printf("%14s%14s%n", "gap ratio", "active ratio");
        for (String fault : results.measurements()) {
            out.printf("%-18s", fault);
            for (String contender : options.contenders()) {
                out.print(gapCell(fault, contender));
                out.print(cell(results.median(fault, contender, Trial.ANNOUNCED), "%14.0f"));
                out.print(cell(results.median(fault, contender, Trial.ADDED), "%14.0f"));
                out.printf("%15s", longestWaitCell(fault, contender));
            }
            out.print(cell(ratio(fault, FailoverContender.MAMS, Trial.GAP), "%14.2f"));
            out.print(cell(ratio(fault, FailoverContender.MAMS, Trial.ANNOUNCED), "%14.2f"));
            out.println();
        }
        results.measurements().forEach(fault -> options.contenders().stream()
                .filter(contender -> hasRoundWithoutFailover(fault, contender))
                .forEach(contender -> out.printf(
                        Locale.ROOT,
                        "%s, %s: no failover within %.1f s in %d of %d rounds%n",
                        fault,
                        contender,
                        results.max(fault, contender, Trial.NO_FAILOVER).orElseThrow() / 1_000,
                        results.count(fault, contender, Trial.NO_FAILOVER),
                        options.rounds())));
        out.println();
        bounds().forEach((bound, kept) -> out.println(bound + ": " + (kept ? "kept" : "MISSED")));
    }

    private String gapCell(String fault, String contender) {
        Optional<Double> median = results.median(fault, contender, Trial.GAP);
        return !median.isPresent() && hasRoundWithoutFailover(fault, contender)
                ? "%14s".formatted("failed")
                : cell(median, "%14.0f");
    }

    private String longestWaitCell(String fault, String contender) {
        OptionalDouble longest = results.max(fault, contender, Trial.LONGEST_MILLIS);
        return longest.isPresent() ? String.format(Locale.ROOT, "%.0f", longest.getAsDouble()) : "-";
    }

    /** Whether some round had no failover. */
    private boolean hasRoundWithoutFailover(String fault, String contender) {
        return results.count(fault, contender, Trial.NO_FAILOVER) > 0;
    }

    private Optional<Double> ratio(String fault, String trefoil, String figure) {
        return options.contenders().containsAll(List.of(trefoil, FailoverContender.ZKFC))
                ? results.ratio(fault, trefoil, FailoverContender.ZKFC, figure)
                : Optional.empty();
    }

    /** All bounds that can be judged, and whether they are kept. */
    private Map<String, Boolean> bounds() {
        Map<String, Boolean> bounds = new LinkedHashMap<>();
        List<String> sizes = options.sizes().isEmpty()
                ? List.of("")
                : options.sizes().stream().map(FailoverReport::sizeSuffix).toList();
        for (String size : sizes) {
            addServerBounds(size, FailoverContender.MAMS, bounds);
            addSmartClientBounds(size, bounds);
            List.of(Fault.HUNG, Fault.HUNG_STANDBY, Fault.DYING, Fault.DYING_STANDBY)
                    .forEach(fault -> FailoverContender.OURS.forEach(ours -> addDiskBounds(fault, size, ours, bounds)));
        }
        addSizeBounds(bounds);
        addFailoverBounds(bounds);
        return bounds;
    }

    private void addServerBounds(String size, String trefoil, Map<String, Boolean> bounds) {
        for (Fault fault : List.of(Fault.KILLED, Fault.HOST, Fault.GRACEFUL)) {
            ratio(fault + size, trefoil, Trial.GAP)
                    .ifPresent(ratio -> bounds.put(
                            String.format(
                                    Locale.ROOT,
                                    "%s: gap of %s %.2f of ZKFC's, wanted at most %.1f",
                                    fault + size,
                                    trefoil,
                                    ratio,
                                    HALF),
                            ratio <= HALF));
        }
        for (Fault fault : List.of(Fault.KILLED, Fault.HOST, Fault.FROZEN, Fault.CUT)) {
            boolean silent = fault == Fault.FROZEN || fault == Fault.CUT;
            double limitMillis = silent ? ANNOUNCED_AFTER_SILENCE_MILLIS : ANNOUNCED_AFTER_KILL_MILLIS;
            results.median(fault + size, trefoil, Trial.ANNOUNCED)
                    .ifPresent(millis -> bounds.put(
                            String.format(
                                    Locale.ROOT,
                                    "%s: %s active after %.0f ms, wanted within %.0f",
                                    fault + size,
                                    trefoil,
                                    millis,
                                    limitMillis),
                            millis <= limitMillis));
        }
    }

    /** Adds the bounds that each of our rounds has a failover: a round without one must not be left out. */
    private void addFailoverBounds(Map<String, Boolean> bounds) {
        results.measurements().forEach(fault -> FailoverContender.OURS.stream()
                .filter(ours -> hasRoundWithoutFailover(fault, ours))
                .forEach(ours -> bounds.put(fault + ": a failover of " + ours + " in each round", false)));
    }

    private void addDiskBounds(Fault fault, String size, String trefoil, Map<String, Boolean> bounds) {
        OptionalDouble longest = results.max(fault + size, trefoil, Trial.LONGEST_MILLIS);
        OptionalDouble stocks = results.max(fault + size, FailoverContender.ZKFC, Trial.LONGEST_MILLIS);
        if (longest.isPresent() && stocks.isPresent()) {
            bounds.put(
                    String.format(
                            Locale.ROOT,
                            "%s: a client of %s waited %.0f ms, wanted at most the %.0f of ZKFC's, or %.0f",
                            fault + size,
                            trefoil,
                            longest.getAsDouble(),
                            stocks.getAsDouble(),
                            MAX_FAULTLESS_OUTAGE_MILLIS),
                    longest.getAsDouble() <= Math.max(stocks.getAsDouble(), MAX_FAULTLESS_OUTAGE_MILLIS));
        }
        if (longest.isPresent() && fault.keepsProcessesAlive()) {
            bounds.put(
                    String.format(
                            Locale.ROOT,
                            "%s: a client of %s waited %.0f ms, wanted at most %.0f",
                            fault + size,
                            trefoil,
                            longest.getAsDouble(),
                            MAX_HUNG_OUTAGE_MILLIS),
                    longest.getAsDouble() <= MAX_HUNG_OUTAGE_MILLIS);
        }
    }

    /** Returns the name of a fault at a size of the namespace. */
    static String sizeSuffix(int size) {
        return "@" + size;
    }

    private void addSizeBounds(Map<String, Boolean> bounds) {
        List<Integer> sizes = options.sizes();
        if (sizes.size() < 2) {
            return;
        }
        for (Fault fault : options.faults()) {
            for (String trefoil : FailoverContender.OURS) {
                for (int size : sizes.subList(1, sizes.size())) {
                    addGrowthBound(fault, trefoil, sizes.get(0), size, bounds);
                }
            }
        }
    }

    private void addGrowthBound(Fault fault, String trefoil, int smallest, int size, Map<String, Boolean> bounds) {
        Optional<Double> least = results.median(fault + sizeSuffix(smallest), trefoil, Trial.GAP);
        Optional<Double> most = results.median(fault + sizeSuffix(size), trefoil, Trial.GAP);
        if (least.isPresent() && most.isPresent()) {
            double growth = most.get() / least.get();
            bounds.put(
                    String.format(
                            Locale.ROOT,
                            "%s: gap of %s with %d inodes %.2f of that with %d, wanted at most %.1f",
                            fault,
                            trefoil,
                            size,
                            growth,
                            smallest,
                            GROWTH),
                    growth <= GROWTH);
        }
    }

    private void addSmartClientBounds(String size, Map<String, Boolean> bounds) {
        results.median(Fault.KILLED + size, FailoverContender.SMART, Trial.ADDED)
                .ifPresent(millis -> bounds.put(
                        String.format(
                                Locale.ROOT,
                                "%s: the smart client adds %.0f ms, wanted at most %.0f",
                                Fault.KILLED + size,
                                millis,
                                ADDED_AFTER_KILL_MILLIS),
                        millis <= ADDED_AFTER_KILL_MILLIS));
        for (Fault fault : List.of(Fault.HOST, Fault.FROZEN, Fault.CUT)) {
            results.median(fault + size, FailoverContender.SMART, Trial.GAP)
                    .ifPresent(millis -> bounds.put(
                            String.format(
                                    Locale.ROOT,
                                    "%s: gap of the smart client %.0f ms, wanted at most %.0f",
                                    fault + size,
                                    millis,
                                    GAP_AFTER_SILENCE_MILLIS),
                            millis <= GAP_AFTER_SILENCE_MILLIS));
        }
    }

    /** Draws the gaps as bars. */
    void draw(Path file) throws IOException {
        Bars bars = new Bars("How long clients get no answer");
        for (String contender : options.contenders()) {
            for (String fault : results.measurements()) {
                results.median(fault, contender, Trial.GAP)
                        .ifPresent(millis -> bars.add("ms", contender, fault, millis));
            }
        }
        PictureFile.write(bars, file);
    }

    void write(Path file) throws IOException {
        BenchmarkFiles.writeSamples(file, machine, Map.of("rounds", options.rounds()), results);
    }

    boolean areBoundsMet() {
        return !bounds().containsValue(false);
    }

    private static String cell(Optional<Double> value, String format) {
        return value.map(number -> String.format(Locale.ROOT, format, number)).orElse("%14s".formatted("-"));
    }
}

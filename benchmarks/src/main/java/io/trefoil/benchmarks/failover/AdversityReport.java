/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.failover;

import io.trefoil.benchmarks.BenchmarkResults;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** Prints what clients felt in each phase as a table of Markdown, and judges it. */
final class AdversityReport {
    static final double MIN_OF_CALM_RATE = 0.7;
    static final double MAX_OF_CALM_P99 = 3;
    static final double MAX_CALL_MILLIS = 2_000;

    private static final String CALM = AdversityPhase.CALM.toString();

    private final List<String> contenders;
    private final BenchmarkResults results;

    AdversityReport(List<String> contenders, BenchmarkResults results) {
        this.contenders = contenders;
        this.results = results;
    }

    void print(PrintStream out) {
        out.println();
        out.println(
                "| phase | failover | changes/s | of calm | p50 ms | p99 ms | of calm | longest ms | failovers | needless"
                        + " | errors | untrue | lost |");
        out.println("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
        for (String phase : results.measurements()) {
            for (String contender : contenders) {
                if (results.count(phase, contender, AdversityWindow.PER_SECOND) > 0) {
                    out.println(row(phase, contender));
                }
            }
        }
        out.println();
        bounds().forEach((bound, kept) -> out.println(bound + ": " + (kept ? "kept" : "MISSED")));
    }

    private String row(String phase, String contender) {
        return "| " + phase + " | " + contender
                + cell("%.0f", results.median(phase, contender, AdversityWindow.PER_SECOND))
                + cell("%.2f", ofCalm(phase, contender, AdversityWindow.PER_SECOND))
                + cell("%.1f", results.median(phase, contender, AdversityWindow.P50))
                + cell("%.1f", results.median(phase, contender, AdversityWindow.P99))
                + cell("%.1f", ofCalm(phase, contender, AdversityWindow.P99))
                + worstCell(phase, contender, AdversityWindow.LONGEST)
                + worstCell(phase, contender, AdversityTrial.FAILOVERS)
                + worstCell(phase, contender, AdversityTrial.NEEDLESS)
                + worstCell(phase, contender, AdversityWindow.ERRORS)
                + worstCell(phase, contender, AdversityTrial.UNTRUE)
                + worstCell(phase, contender, AdversityTrial.LOST)
                + " |";
    }

    private String worstCell(String phase, String contender, String figure) {
        OptionalDouble worst = results.max(phase, contender, figure);
        return cell("%.0f", worst.isPresent() ? Optional.of(worst.getAsDouble()) : Optional.empty());
    }

    private static String cell(String format, Optional<Double> value) {
        return " | "
                + value.map(number -> String.format(Locale.ROOT, format, number))
                        .orElse("");
    }

    /** The quotient of a phase's figure and that of the calm phase; empty if one of them is missing. */
    private Optional<Double> ofCalm(String phase, String contender, String figure) {
        return results.median(phase, contender, figure)
                .flatMap(value -> results.median(CALM, contender, figure).map(calm -> value / calm));
    }

    /** The bounds of ours that can be judged, and whether they are kept. */
    Map<String, Boolean> bounds() {
        Map<String, Boolean> bounds = new LinkedHashMap<>();
        for (String phase : results.measurements()) {
            contenders.stream()
                    .filter(FailoverContender.OURS::contains)
                    .forEach(ours -> addBounds(phase, ours, bounds));
        }
        return bounds;
    }

    private void addBounds(String phase, String ours, Map<String, Boolean> bounds) {
        if (!phase.equals(CALM)) {
            ofCalm(phase, ours, AdversityWindow.PER_SECOND)
                    .ifPresent(ratio -> bounds.put(
                            text(
                                    "%s: %s makes %.2f of the changes of calm, wanted at least %.1f",
                                    phase, ours, ratio, MIN_OF_CALM_RATE),
                            ratio >= MIN_OF_CALM_RATE));
            // Without an answer there is no percentile, and the rate is 0.
            ofCalm(phase, ours, AdversityWindow.P99)
                    .ifPresent(ratio -> bounds.put(
                            text(
                                    "%s: p99 of %s %.1f times that of calm, wanted at most %.0f",
                                    phase, ours, ratio, MAX_OF_CALM_P99),
                            ratio <= MAX_OF_CALM_P99));
        }
        addBound(
                "%s: longest call of %s %.0f ms, wanted at most %.0f",
                phase, ours, AdversityWindow.LONGEST, MAX_CALL_MILLIS, bounds);
        addBound(
                "%s: needless failovers of %s %.0f, wanted at most %.0f",
                phase, ours, AdversityTrial.NEEDLESS, 0, bounds);
        addBound("%s: untrue answers of %s %.0f, wanted at most %.0f", phase, ours, AdversityTrial.UNTRUE, 0, bounds);
        addBound("%s: lost paths of %s %.0f, wanted at most %.0f", phase, ours, AdversityTrial.LOST, 0, bounds);
    }

    private void addBound(
            String text, String phase, String ours, String figure, double limit, Map<String, Boolean> bounds) {
        results.max(phase, ours, figure)
                .ifPresent(worst -> bounds.put(text(text, phase, ours, worst, limit), worst <= limit));
    }

    private static String text(String format, String phase, String ours, double value, double limit) {
        return String.format(Locale.ROOT, format, phase, ours, value, limit);
    }

    boolean areBoundsMet() {
        return !bounds().containsValue(false);
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.failover;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.benchmarks.BenchmarkResults;
import io.trefoil.benchmarks.Sample;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AdversityReportTest {
    private static final String OURS = FailoverContender.SMART;
    private static final String STOCK = FailoverContender.ZKFC;
    private static final Map<String, Double> KEPT = Map.of(
            AdversityWindow.PER_SECOND, 1_000.0,
            AdversityWindow.P50, 4.0,
            AdversityWindow.P99, 10.0,
            AdversityWindow.LONGEST, 2_000.0,
            AdversityWindow.ERRORS, 3.0,
            AdversityTrial.FAILOVERS, 1.0,
            AdversityTrial.NEEDLESS, 0.0,
            AdversityTrial.UNTRUE, 0.0,
            AdversityTrial.LOST, 0.0);

    private final BenchmarkResults results = new BenchmarkResults();
    private final AdversityReport report = new AdversityReport(List.of(OURS, STOCK), results);

    @BeforeEach
    void measureCalm() {
        add("calm", OURS, Map.of());
        add("calm", STOCK, Map.of());
    }

    @Test
    void figuresAtBoundsKeepThem() {
        add("disk", OURS, Map.of(AdversityWindow.PER_SECOND, 700.0, AdversityWindow.P99, 30.0));

        assertThat(report.bounds()).hasSize(10);
        assertThat(report.areBoundsMet()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "changesPerSecond, 699, disk: smart makes 0.70 of the changes of calm",
        "p99Millis, 30.1, disk: p99 of smart 3.0 times that of calm",
        "longestMillis, 2001, disk: longest call of smart 2001 ms",
        "needlessFailovers, 1, disk: needless failovers of smart 1",
        "untruePaths, 1, disk: untrue answers of smart 1",
        "lostPaths, 1, disk: lost paths of smart 1"
    })
    void findsEachMissedBound(String figure, double value, String text) {
        add("disk", OURS, Map.of(figure, value));

        assertThat(report.areBoundsMet()).isFalse();
        assertThat(report.bounds().entrySet().stream()
                        .filter(bound -> !bound.getValue())
                        .map(Map.Entry::getKey))
                .singleElement()
                .asString()
                .startsWith(text);
        assertThat(print()).containsPattern(text + ".*MISSED");
    }

    @Test
    void boundsDoNotJudgeStock() {
        add("disk", STOCK, Map.of(AdversityWindow.PER_SECOND, 1.0, AdversityTrial.LOST, 9.0));

        assertThat(report.areBoundsMet()).isTrue();
    }

    @Test
    void phaseWithoutAnswersMissesRate() {
        results.add("site", OURS, new Sample(Map.of(AdversityWindow.PER_SECOND, 0.0)));

        assertThat(report.areBoundsMet()).isFalse();
    }

    @Test
    void worstRoundDecidesAboutCallsAndLosses() {
        add("disk", OURS, Map.of(AdversityTrial.LOST, 1.0));
        add("disk", OURS, Map.of());
        add("disk", OURS, Map.of());

        assertThat(report.areBoundsMet()).isFalse();
    }

    @Test
    void phaseWithoutCalmIsJudgedByAbsoluteBounds() {
        BenchmarkResults alone = new BenchmarkResults();
        alone.add("disk", OURS, new Sample(KEPT));

        assertThat(new AdversityReport(List.of(OURS), alone).bounds()).hasSize(4);
    }

    @Test
    void tableHasRowForEachContender() {
        add("disk", OURS, Map.of(AdversityWindow.PER_SECOND, 800.0));
        add("disk", STOCK, Map.of(AdversityWindow.P99, 45.0));

        assertThat(print())
                .contains("| disk | smart | 800 | 0.80 | 4.0 | 10.0 | 1.0 | 2000 | 1 | 0 | 3 | 0 | 0 |")
                .contains("| disk | zkfc | 1000 | 1.00 | 4.0 | 45.0 | 4.5 | 2000 | 1 | 0 | 3 | 0 | 0 |");
    }

    private String print() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        report.print(new PrintStream(out, true, StandardCharsets.UTF_8));
        return out.toString(StandardCharsets.UTF_8);
    }

    private void add(String phase, String contender, Map<String, Double> others) {
        Map<String, Double> figures = new HashMap<>(KEPT);
        figures.putAll(others);
        results.add(phase, contender, new Sample(figures));
    }
}

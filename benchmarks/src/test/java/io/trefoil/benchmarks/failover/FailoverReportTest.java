/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.failover;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.benchmarks.BenchmarkResults;
import io.trefoil.benchmarks.Sample;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class FailoverReportTest {
    private final BenchmarkResults results = new BenchmarkResults();

    @Command
    private static final class MeasureCommand {
        @Mixin
        private final FailoverOptions options = new FailoverOptions();
    }

    @Test
    void judgesHandoverAtEachNamespaceSize() {
        addMeasurement("graceful@10000", 200, 500);
        addMeasurement("graceful@100000", 210, 500);
        assertThat(report().areBoundsMet()).isTrue();

        addMeasurement("graceful@1000000", 220, 400);

        assertThat(report().areBoundsMet()).isFalse();
    }

    @Test
    void missesBoundWhenGapGrowsWithNamespace() {
        addMeasurement("killed@10000", 200, 1_000);
        addMeasurement("killed@100000", 250, 1_000);
        addMeasurement("killed@1000000", 210, 1_000);

        assertThat(report().areBoundsMet()).isFalse();
    }

    @Test
    void judgesFaultWithoutSizes() {
        addMeasurement("graceful", 200, 300);

        assertThat(report("--faults", "graceful").areBoundsMet()).isFalse();
    }

    @Test
    void tableShowsMissingFailovers() {
        addMeasurement("graceful@10000", 200, 500);
        results.add("graceful@10000", FailoverContender.ZKFC, new Sample(Map.of(Trial.NO_FAILOVER, 12_300.0)));
        results.add("graceful@100000", FailoverContender.MAMS, new Sample(Map.of(Trial.GAP, 210.0)));
        results.add("graceful@100000", FailoverContender.ZKFC, new Sample(Map.of(Trial.NO_FAILOVER, 60_000.0)));

        assertThat(printReport())
                .contains("graceful@10000, zkfc: no failover within 12.3 s in 1 of 5 rounds")
                .contains("graceful@100000, zkfc: no failover within 60.0 s in 1 of 5 rounds")
                .containsPattern("graceful@10000 .* 500 ")
                .containsPattern("graceful@100000 .* failed ");
        assertThat(report().areBoundsMet())
                .as("without stock's, ours is judged")
                .isTrue();
    }

    @Test
    void missingTrefoilFailoverMissesBound() {
        addMeasurement("graceful@10000", 200, 500);
        results.add("graceful@10000", FailoverContender.MAMS, new Sample(Map.of(Trial.NO_FAILOVER, 60_000.0)));

        assertThat(report().areBoundsMet()).isFalse();
    }

    private String printReport() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        report().print(new PrintStream(out, true, StandardCharsets.UTF_8));
        return out.toString(StandardCharsets.UTF_8);
    }

    private FailoverReport report() {
        return report("--faults", "killed,graceful", "--inodes", "10000,100000,1000000");
    }

    private FailoverReport report(String... arguments) {
        MeasureCommand command = new MeasureCommand();
        new CommandLine(command).setCaseInsensitiveEnumValuesAllowed(true).parseArgs(arguments);
        return new FailoverReport(command.options, Map.of(), results);
    }

    private void addMeasurement(String fault, double trefoil, double stocks) {
        results.add(fault, FailoverContender.MAMS, new Sample(Map.of(Trial.GAP, trefoil)));
        results.add(fault, FailoverContender.ZKFC, new Sample(Map.of(Trial.GAP, stocks)));
    }
}

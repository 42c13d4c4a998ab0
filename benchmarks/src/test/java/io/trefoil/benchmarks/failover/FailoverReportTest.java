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
    private static final class Measured {
        @Mixin
        private final FailoverOptions options = new FailoverOptions();
    }

    @Test
    void judgesHandoverAtEachNamespaceSize() {
        add("graceful@10000", 200, 500);
        add("graceful@100000", 210, 500);
        assertThat(report().boundsAreKept()).isTrue();

        add("graceful@1000000", 220, 400);

        assertThat(report().boundsAreKept()).isFalse();
    }

    @Test
    void missesBoundWhenGapGrowsWithNamespace() {
        add("killed@10000", 200, 1_000);
        add("killed@100000", 250, 1_000);
        add("killed@1000000", 210, 1_000);

        assertThat(report().boundsAreKept()).isFalse();
    }

    @Test
    void judgesFaultWithoutSizes() {
        add("graceful", 200, 300);

        assertThat(report("--faults", "graceful").boundsAreKept()).isFalse();
    }

    @Test
    void tableShowsMissingFailovers() {
        add("graceful@10000", 200, 500);
        results.add("graceful@10000", FailoverContender.ZKFC, new Sample(Map.of(Trial.NO_FAILOVER, 12_300.0)));
        results.add("graceful@100000", FailoverContender.MAMS, new Sample(Map.of(Trial.GAP, 210.0)));
        results.add("graceful@100000", FailoverContender.ZKFC, new Sample(Map.of(Trial.NO_FAILOVER, 60_000.0)));

        assertThat(printed())
                .contains("graceful@10000, zkfc: no failover within 12.3 s in 1 of 5 rounds")
                .contains("graceful@100000, zkfc: no failover within 60.0 s in 1 of 5 rounds")
                .containsPattern("graceful@10000 .* 500 ")
                .containsPattern("graceful@100000 .* failed ");
        assertThat(report().boundsAreKept())
                .as("without stock's, ours is judged")
                .isTrue();
    }

    @Test
    void missingFailoverOfTrefoilMissesBound() {
        add("graceful@10000", 200, 500);
        results.add("graceful@10000", FailoverContender.MAMS, new Sample(Map.of(Trial.NO_FAILOVER, 60_000.0)));

        assertThat(report().boundsAreKept()).isFalse();
    }

    private String printed() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        report().print(new PrintStream(out, true, StandardCharsets.UTF_8));
        return out.toString(StandardCharsets.UTF_8);
    }

    private FailoverReport report() {
        return report("--faults", "killed,graceful", "--inodes", "10000,100000,1000000");
    }

    private FailoverReport report(String... arguments) {
        Measured command = new Measured();
        new CommandLine(command).setCaseInsensitiveEnumValuesAllowed(true).parseArgs(arguments);
        return new FailoverReport(command.options, Map.of(), results);
    }

    private void add(String fault, double ours, double stocks) {
        results.add(fault, FailoverContender.MAMS, new Sample(Map.of(Trial.GAP, ours)));
        results.add(fault, FailoverContender.ZKFC, new Sample(Map.of(Trial.GAP, stocks)));
    }
}

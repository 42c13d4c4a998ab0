/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.benchmarks.ClusterUsage;
import io.trefoil.benchmarks.HostCpuPlan;
import io.trefoil.benchmarks.Usage;
import io.trefoil.benchmarks.operations.OperationsContender.Load;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class OperationsReportTest {
    private static final ClusterUsage USED = new ClusterUsage(new Usage(1, 0), new Usage(1, 0));

    private final OperationsReport report = new OperationsReport(
            HostCpuPlan.of(0.5), Load.CLIENTS, List.of(OperationsContender.NONE, OperationsContender.OURS), 3);

    @Test
    void judgesMeasurementOfSufficientDuration() {
        add(MeasuredOperation.DELETE, 3, 2.5);

        assertThat(report.bounds()).hasSize(2);
        assertThat(report.unjudgedRows()).isEmpty();
    }

    @Test
    void ignoresMeasurementOfInsufficientDuration() {
        add(MeasuredOperation.MKDIRS, 3, 3);
        add(MeasuredOperation.DELETE, 3, 1.1);

        assertThat(report.bounds().keySet()).hasSize(2).allMatch(bound -> bound.startsWith("mkdirs"));
        assertThat(report.unjudgedRows())
                .containsExactly("delete, 32 clients: measured for 1.1 s of the 3 that were asked for, not judged");
    }

    private void add(MeasuredOperation operation, double secondsOfNone, double secondsOfOurs) {
        Histogram nanos = new Histogram(3);
        nanos.recordValue(1_000);
        report.add(operation, 32, OperationsContender.NONE, new ClientLoad.Outcome(100, secondsOfNone, nanos, USED));
        report.add(operation, 32, OperationsContender.OURS, new ClientLoad.Outcome(100, secondsOfOurs, nanos, USED));
    }
}

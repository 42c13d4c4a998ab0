/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.benchmarks.ClusterUsage;
import io.trefoil.benchmarks.HostCpuPlan;
import io.trefoil.benchmarks.operations.OperationsContender.Load;
import io.trefoil.benchmarks.operations.OperationsContender.Locks;
import io.trefoil.benchmarks.operations.throughput.ThroughputPass;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Hadoop's NNThroughputBenchmark in a real NameNode. It gives no figures. */
@Tag("alone")
class ThroughputIT {
    private static final Path DIRECTORY = new Path("/throughput");
    private static final List<String> TWENTY_FILES =
            List.of("-threads", "2", "-files", "20", "-baseDirName", DIRECTORY.toString());

    private static final int TESTS = 2;

    /** One for all: its start takes longer than what is tried. */
    private static OperationsContender contender;

    private static int passed;

    @BeforeAll
    static void start() {
        contender = OperationsContender.start(
                OperationsContender.NONE, Load.NNTHROUGHPUT, 3, HostCpuPlan.shared(), Locks.GLOBAL);
    }

    @AfterAll
    static void end() {
        if (passed == TESTS) {
            contender.markSucceeded();
        }
        contender.close();
    }

    @BeforeEach
    void beginWithoutFiles() throws IOException {
        try (FileSystem fileSystem = FileSystem.newInstance(contender.clientConfiguration())) {
            fileSystem.delete(DIRECTORY, true);
        }
    }

    @Test
    void countsOperationsAndRemovesUnneededFiles() throws Exception {
        ClusterUsage.Meter meter = contender.meter();
        for (MeasuredOperation operation : MeasuredOperation.values()) {
            ThroughputLoad.Outcome outcome = contender.throughputLoad().run(contender.active(), operation, 2, 1, meter);

            assertThat(outcome.count()).as(operation.name()).isGreaterThanOrEqualTo(2);
            assertThat(outcome.millis()).as(operation.name()).isGreaterThan(500);
            assertThat(outcome.usage().active().cpuSeconds())
                    .as(operation.name())
                    .isPositive();
        }
        try (FileSystem fileSystem = FileSystem.newInstance(contender.clientConfiguration())) {
            assertThat(fileSystem.listStatus(DIRECTORY))
                    .extracting(status -> status.getPath().getName())
                    .containsExactlyInAnyOrder("open", "fileStatus");
        }
        passed++;
    }

    @Test
    void failedCallIsReportedAndEndsRun() throws Exception {
        try (ThroughputPass create = runPass("create", "-close")) {
            create.run();
        }
        try (ThroughputPass open = runPass("open", "-useExisting");
                FileSystem fileSystem = FileSystem.newInstance(contender.clientConfiguration())) {
            fileSystem.delete(DIRECTORY, true);

            assertThatThrownBy(open::run).isInstanceOf(IOException.class).hasMessageContaining("does not exist");
        }
        try (ThroughputPass create = runPass("create", "-close")) {
            assertThat(create.run().operations()).as("afterwards").isEqualTo(20);
        }
        passed++;
    }

    private ThroughputPass runPass(String operation, String option) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("-op", operation));
        arguments.addAll(TWENTY_FILES);
        arguments.add(option);
        return new ThroughputPass(contender.active(), arguments);
    }
}

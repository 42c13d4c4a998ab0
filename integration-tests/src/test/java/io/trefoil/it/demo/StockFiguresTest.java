/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The stock HDFS figures that the demo compares with are the measured ones. */
class StockFiguresTest {

    @ParameterizedTest
    @EnumSource(DemoFault.class)
    void areThoseOfTheBenchmarksPage(DemoFault fault) throws IOException {
        List<String> rows = Files.readAllLines(Path.of("../docs/benchmarks/failover.md")).stream()
                .filter(line -> line.startsWith("| " + fault.inBenchmark() + " |"))
                .toList();

        assertThat(rows)
                .anySatisfy(row -> assertThat(row).containsPattern("\\b" + fault.stockMillis() + "\\b[^|]* ms \\|"));
    }
}

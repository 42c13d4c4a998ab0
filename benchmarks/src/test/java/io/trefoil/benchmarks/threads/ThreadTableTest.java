/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.threads;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.benchmarks.Usage;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ThreadTableTest {
    private final ThreadTable table = ThreadTable.perOperation();

    @Test
    void sumsRoundsAndSortsByBusiestThread() {
        table.add("mkdirs", Map.of("the active", threads(0.010, 200, 0.030, 100)), 100);
        table.add("mkdirs", Map.of("the active", threads(0.010, 0, 0.030, 100)), 100);

        assertThat(printTable().lines())
                .containsSubsequence(
                        "mkdirs, the active: for each operation",
                        "  handler                  300.0 us   75 %      1.00 sleeps",
                        "  reader                   100.0 us   25 %      1.00 sleeps");
    }

    @Test
    void groupsInsignificantThreadsInLastLine() {
        table.add("mkdirs", Map.of("the active", threads(0.000_01, 3, 0.030, 100)), 1);

        assertThat(printTable())
                .doesNotContain("reader")
                .contains("  all others                10.0 us    0 %      3.00 sleeps");
    }

    private static Map<String, Usage> threads(
            double readerSeconds, long readerSleeps, double handlerSeconds, long handlerSleeps) {
        Map<String, Usage> threads = new LinkedHashMap<>();
        threads.put("reader", new Usage(readerSeconds, readerSleeps));
        threads.put("handler", new Usage(handlerSeconds, handlerSleeps));
        return threads;
    }

    private String printTable() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        table.print(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        return bytes.toString(StandardCharsets.UTF_8);
    }
}

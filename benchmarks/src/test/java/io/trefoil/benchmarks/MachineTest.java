/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.benchmarks.Machine.CpuTimes;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class MachineTest {
    @Test
    void stolenPercentIsShareOfAllTicks() throws IOException {
        CpuTimes earlier = CpuTimes.parse(List.of("cpu  100 0 50 800 10 0 0 40 7 0", "cpu0 1 1"));
        CpuTimes later = CpuTimes.parse(List.of("cpu  140 0 70 820 10 0 0 60 9 0", "cpu0 1 1"));

        assertThat(later.stolenPercentSince(earlier)).isEqualTo(20);
        assertThat(later.stolenPercentSince(later)).isZero();
        assertThat(later.busyTicks() - earlier.busyTicks()).isEqualTo(60);
    }

    @Test
    void rejectsMalformedCpuTimesByContent() {
        assertThatThrownBy(() -> CpuTimes.parse(List.of("cpu 1 2 3")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("begins with 'cpu 1 2 3'");
    }
}

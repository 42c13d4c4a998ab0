/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class CoresTest {

    @Test
    void halvesPartitionAllCores() {
        assertThat(CpuCores.halvesOf("0-1")).isEqualTo(new CpuCores(List.of(0), List.of(1)));
        assertThat(CpuCores.halvesOf("0-2,5")).isEqualTo(new CpuCores(List.of(0, 1), List.of(2, 5)));
        assertThat(CpuCores.halvesOf("0,2,4")).isEqualTo(new CpuCores(List.of(0), List.of(2, 4)));
    }

    @Test
    void refusesToHalveSingleCore() {
        assertThatThrownBy(() -> CpuCores.halvesOf("0")).hasMessage("two halves need two cores at least, found 1");
    }
}

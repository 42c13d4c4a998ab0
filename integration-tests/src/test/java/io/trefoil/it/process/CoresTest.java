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
        assertThat(Cores.halvesOf("0-1")).isEqualTo(new Cores(List.of(0), List.of(1)));
        assertThat(Cores.halvesOf("0-2,5")).isEqualTo(new Cores(List.of(0, 1), List.of(2, 5)));
        assertThat(Cores.halvesOf("0,2,4")).isEqualTo(new Cores(List.of(0), List.of(2, 4)));
    }

    @Test
    void refusesToHalveSingleCore() {
        assertThatThrownBy(() -> Cores.halvesOf("0")).hasMessage("two halves need two cores at least, found 1");
    }
}

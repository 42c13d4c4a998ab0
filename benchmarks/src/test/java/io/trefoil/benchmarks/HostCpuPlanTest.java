/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.process.Cores;
import java.util.List;
import org.junit.jupiter.api.Test;

class HostCpuPlanTest {
    private static final Cores TWO = new Cores(List.of(0), List.of(1));
    private static final Cores FOUR = new Cores(List.of(0, 1), List.of(2, 3));
    private static final Cores FOURTEEN = new Cores(List.of(0, 1, 2, 3, 4, 5, 6), List.of(7, 8, 9, 10, 11, 12, 13));

    @Test
    void hostsExceedingHalfOfCoresDoNotFit() {
        assertThat(HostCpuPlan.of(0.12).apart(TWO).misfit(8)).isEmpty();
        assertThat(HostCpuPlan.of(0.12).apart(TWO).misfit(9))
                .hasValue(
                        "9 hosts with 0.12 CPUs each want 1.08 CPUs, but their half of the cores has 1: give each host at most 0.111"
                                + " (--hosts), have fewer hosts, or let hosts and clients share all cores (--no-cores-apart)");
        assertThat(HostCpuPlan.of(0.12).apart(FOUR).misfit(9)).isEmpty();
        assertThat(HostCpuPlan.of(0.12).apart(FOUR).misfit(17)).isNotEmpty();
    }

    @Test
    void allCoresFit() {
        assertThat(HostCpuPlan.of(0.1).apart(TWO).misfit(10)).isEmpty();
        assertThat(HostCpuPlan.of(0.25).apart(TWO).misfit(4)).isEmpty();
        assertThat(HostCpuPlan.of(0.28).apart(FOURTEEN).misfit(25)).isEmpty();
    }

    @Test
    void hostsWithoutCoresOfTheirOwnAlwaysFit() {
        assertThat(HostCpuPlan.of(0.12).misfit(100)).isEmpty();
        assertThat(HostCpuPlan.sharing().apart(TWO).misfit(100)).isEmpty();
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.process.CpuCores;
import java.util.List;
import org.junit.jupiter.api.Test;

class HostCpuPlanTest {
    private static final CpuCores TWO = new CpuCores(List.of(0), List.of(1));
    private static final CpuCores FOUR = new CpuCores(List.of(0, 1), List.of(2, 3));
    private static final CpuCores FOURTEEN =
            new CpuCores(List.of(0, 1, 2, 3, 4, 5, 6), List.of(7, 8, 9, 10, 11, 12, 13));

    @Test
    void hostsExceedingHalfOfCoresDoNotFit() {
        assertThat(HostCpuPlan.of(0.12).withSeparateCores(TWO).coreShortage(8)).isEmpty();
        assertThat(HostCpuPlan.of(0.12).withSeparateCores(TWO).coreShortage(9))
                .hasValue(
                        "9 hosts with 0.12 CPUs each want 1.08 CPUs, but their half of the cores has 1: give each host at most 0.111"
                                + " (--hosts), have fewer hosts, or let hosts and clients share all cores (--no-cores-apart)");
        assertThat(HostCpuPlan.of(0.12).withSeparateCores(FOUR).coreShortage(9)).isEmpty();
        assertThat(HostCpuPlan.of(0.12).withSeparateCores(FOUR).coreShortage(17))
                .isNotEmpty();
    }

    @Test
    void hostsUsingAllCoresFit() {
        assertThat(HostCpuPlan.of(0.1).withSeparateCores(TWO).coreShortage(10)).isEmpty();
        assertThat(HostCpuPlan.of(0.25).withSeparateCores(TWO).coreShortage(4)).isEmpty();
        assertThat(HostCpuPlan.of(0.28).withSeparateCores(FOURTEEN).coreShortage(25))
                .isEmpty();
    }

    @Test
    void hostsWithoutDedicatedCoresAlwaysFit() {
        assertThat(HostCpuPlan.of(0.12).coreShortage(100)).isEmpty();
        assertThat(HostCpuPlan.shared().withSeparateCores(TWO).coreShortage(100))
                .isEmpty();
    }
}

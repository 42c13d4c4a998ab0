/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.failover;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.benchmarks.HostCpuPlan;
import io.trefoil.it.cluster.HaClusterBuilder;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class FailoverContenderTest {

    @Test
    void contendersExceptHadoopDefaultsHaveSameClients() {
        assertThat(planCluster(FailoverContender.MAMS, OptionalInt.empty()).propertiesOf("client"))
                .isEqualTo(
                        planCluster(FailoverContender.ZKFC, OptionalInt.empty()).propertiesOf("client"))
                .isNotEqualTo(planCluster(FailoverContender.ZKFC_BY_DEFAULT, OptionalInt.empty())
                        .propertiesOf("client"));
    }

    @Test
    void journalNodesOfLargeNamespaceHaveLargerHeap() {
        assertThat(planCluster(FailoverContender.ZKFC, OptionalInt.of(3400)).journalJvmOptions())
                .containsExactly("-Xmx1024m", "-XX:-UseSerialGC", "-XX:+UseG1GC");
    }

    private static HaClusterBuilder planCluster(String name, OptionalInt heapMegabytes) {
        return FailoverContender.builder(
                name,
                FailoverContender.Machines.forFaults(
                        List.of(Fault.KILLED), false, heapMegabytes, HostCpuPlan.shared()));
    }
}

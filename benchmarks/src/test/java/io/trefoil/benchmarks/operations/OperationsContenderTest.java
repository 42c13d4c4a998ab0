/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.benchmarks.HostCpuPlan;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.HaClusterBuilder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A comparison is fair if both sides have the same, but for what is compared. */
class OperationsContenderTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                OperationsContender.NONE,
                OperationsContender.QJM,
                OperationsContender.OURS,
                OperationsContender.FORWARDED
            })
    void journalServersHaveResourcesOfNameNodes(String name) {
        HaClusterBuilder cluster = planned(name);

        assertThat(cluster.journalJvmOptions())
                .isEqualTo(cluster.nameNodeJvmOptions())
                .contains("-Xmx1g", "-XX:TieredStopAtLevel=4");
    }

    @ParameterizedTest
    @ValueSource(strings = {OperationsContender.NONE, OperationsContender.QJM, OperationsContender.FORWARDED})
    void contendersHaveSameClients(String name) {
        assertThat(planned(name).propertiesOf("client"))
                .isEqualTo(planned(OperationsContender.OURS).propertiesOf("client"))
                .containsKey("ipc.client.rpc-timeout.ms");
    }

    private static HaClusterBuilder planned(String name) {
        return OperationsContender.planned(
                name, OperationsContender.NAME_NODES, HostCpuPlan.sharing(), HaCluster.builder("planned"));
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.trefoil.benchmarks.HostCpuPlan;
import io.trefoil.benchmarks.operations.OperationsContender.Locks;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.HaClusterBuilder;
import io.trefoil.it.cluster.host.StockHadoop;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
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
        HaClusterBuilder cluster = planCluster(name);

        assertThat(cluster.journalJvmOptions())
                .isEqualTo(cluster.nameNodeJvmOptions())
                .contains("-Xmx1g", "-XX:TieredStopAtLevel=4");
    }

    @ParameterizedTest
    @ValueSource(strings = {OperationsContender.NONE, OperationsContender.QJM, OperationsContender.FORWARDED})
    void contendersHaveSameClients(String name) {
        assertThat(planCluster(name).propertiesOf("client"))
                .isEqualTo(planCluster(OperationsContender.OURS).propertiesOf("client"))
                .containsKey("ipc.client.rpc-timeout.ms");
    }

    @Test
    void refusesFineGrainedLocksWhenHadoopIgnoresThem() {
        assertThat(Locks.FINE_GRAINED.unsupportedReason(hadoop("3.4.3")))
                .contains("--locks fine_grained needs Hadoop 3.5, and this is 3.4.3: add --hadoop 3.5");
        assertThat(Locks.FINE_GRAINED.unsupportedReason(hadoop("3.5.0"))).isEmpty();
        assertThat(Locks.GLOBAL.unsupportedReason(hadoop("3.4.3"))).isEmpty();
    }

    @Test
    void nameNodesReceiveLockModelWhenLocksAreFineGrained() {
        assertThat(Locks.FINE_GRAINED.properties())
                .containsOnly(entry(
                        "dfs.namenode.lock.model.provider.class",
                        "org.apache.hadoop.hdfs.server.namenode.fgl.FineGrainedFSNamesystemLock"));
        assertThat(Locks.GLOBAL.properties()).isEmpty();
    }

    private static StockHadoop hadoop(String version) {
        return new StockHadoop(version, List.of(), List.of(), Path.of(""), List.of(), List.of());
    }

    private static HaClusterBuilder planCluster(String name) {
        return OperationsContender.configure(
                name, OperationsContender.NAME_NODES, HostCpuPlan.shared(), HaCluster.builder("planned"));
    }
}

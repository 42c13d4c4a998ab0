/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.benchmarks.ContenderOptions;
import io.trefoil.it.cluster.HaClusterBuilder;
import org.junit.jupiter.api.Test;

class RenewalClusterTest {

    @Test
    void journalNodesHaveHeapAndCollectorOfNameNodes() {
        HaClusterBuilder stock = RenewalCluster.newBuilder(ContenderOptions.QJM);

        assertThat(stock.journalJvmOptions())
                .isEqualTo(stock.nameNodeJvmOptions())
                .contains("-Xmx1500m", "-XX:+UseG1GC");
    }
}

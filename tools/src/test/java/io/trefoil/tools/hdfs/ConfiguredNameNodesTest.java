/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class ConfiguredNameNodesTest {
    private final Configuration conf = new Configuration(false);

    private void configure(String kind) {
        conf.set("dfs.nameservices", "ns1");
        conf.set("dfs.ha.namenodes.ns1", "nn1,nn2");
        conf.set("dfs.namenode." + kind + "-address.ns1.nn1", "localhost:1001");
        conf.set("dfs.namenode." + kind + "-address.ns1.nn2", "localhost:1002");
    }

    @Test
    void theWebAddressesOfAGroupAreFound() {
        configure("http");

        assertThat(new ConfiguredNameNodes(conf).find(Optional.empty()).webAddresses())
                .containsEntry("nn1", "localhost:1001")
                .containsEntry("nn2", "localhost:1002");
    }

    @Test
    void thoseForHttpsAreFoundIfThereIsNothingElse() {
        configure("https");
        conf.set("dfs.http.policy", "HTTPS_ONLY");

        assertThat(new ConfiguredNameNodes(conf).find(Optional.of("ns1")).webAddresses())
                .containsEntry("nn1", "localhost:1001");
    }

    @Test
    void aGroupThatIsNotThereIsNamed() {
        assertThatThrownBy(() -> new ConfiguredNameNodes(conf).find(Optional.of("ns2")))
                .hasMessageContaining("a nameservice 'ns2'")
                .hasMessageContaining("found none");
    }
}

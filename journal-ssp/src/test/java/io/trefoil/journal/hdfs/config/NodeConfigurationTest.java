/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.server.NodeSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NodeConfigurationTest {
    private final Configuration conf = new Configuration(false);

    @BeforeEach
    void configureDirectory() {
        conf.set("trefoil.journal.dir", "/data/ssp");
    }

    @Test
    void requiresOnlyAddressAndDirectory() {
        conf.set("trefoil.journal.address", "pool1:9000");

        NodeSettings node = NodeConfiguration.read(conf);

        assertThat(node.address()).isEqualTo(NodeAddress.of("pool1", 9000));
        assertThat(node.bindHost()).isEqualTo("pool1");
        assertThat(node.directory()).isEqualTo(Path.of("/data/ssp"));
    }

    @Test
    void findsItsAddressInAllNameserviceUris() {
        conf.set("dfs.nameservices", "ns1,ns2");
        conf.set("dfs.ha.namenodes.ns1", "nn1,nn2");
        conf.set("dfs.namenode.shared.edits.dir.ns1", "ssp://pool1.invalid;localhost/ns1");
        conf.set("dfs.namenode.shared.edits.dir.ns2", "ssp://pool1.invalid;localhost/ns2");

        assertThat(NodeConfiguration.read(conf).address()).isEqualTo(NodeAddress.of("localhost", 8487));
    }

    @Test
    void takesSettingsOfNameNodeOnItsHost() {
        conf.set("dfs.nameservices", "ns1");
        conf.set("dfs.ha.namenodes.ns1", "nn1,nn2");
        conf.set("dfs.namenode.rpc-address.ns1.nn1", "nn1:8020");
        conf.set("dfs.namenode.rpc-address.ns1.nn2", "nn2:8020");
        conf.set("dfs.ha.namenode.id", "nn2");
        conf.set("dfs.namenode.shared.edits.dir", "ssp://nn1:1;nn2:1/ns1");
        conf.set("trefoil.journal.address.ns1.nn1", "nn1:1");
        conf.set("trefoil.journal.address.ns1.nn2", "nn2:1");
        conf.set("trefoil.journal.dir.ns1.nn2", "/data/two");

        NodeSettings node = NodeConfiguration.read(conf);

        assertThat(node.address()).isEqualTo(NodeAddress.of("nn2", 1));
        assertThat(node.directory()).isEqualTo(Path.of("/data/two"));
    }

    @Test
    void reportsMissingSettings() {
        assertThatThrownBy(() -> NodeConfiguration.read(conf))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("trefoil.journal.address is not set")
                .hasMessageContaining("dfs.namenode.shared.edits.dir");
    }

    @Test
    void joinsJournalsWithUriNamingIt() {
        conf.set("dfs.nameservices", "ns1,ns2");
        conf.set("dfs.namenode.shared.edits.dir.ns1", "ssp://nn1:1;nn3:1/ns1");
        conf.set("dfs.namenode.shared.edits.dir.ns2", "ssp://nn1:1;nn2:1/ns2");
        conf.set("trefoil.journal.address", "nn3:1");

        assertThat(NodeConfiguration.read(conf).journalsToJoin())
                .isEqualTo(Map.of(JournalId.of("ns1"), List.of(NodeAddress.of("nn1", 1), NodeAddress.of("nn3", 1))));
    }

    @Test
    void joinsNoJournalWhenUrisOmitNode() {
        conf.set("dfs.namenode.shared.edits.dir", "ssp://nn1:1;nn2:1/ns1");
        conf.set("trefoil.journal.address", "nn3:1");

        NodeSettings node = NodeConfiguration.read(conf);

        assertThat(node.address()).isEqualTo(NodeAddress.of("nn3", 1));
        assertThat(node.journalsToJoin()).isEmpty();
    }
}

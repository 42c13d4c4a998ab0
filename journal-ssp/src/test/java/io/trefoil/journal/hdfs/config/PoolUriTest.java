/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.writer.events.AddressSource;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PoolUriTest {
    private static final Configuration NONE = new Configuration(false);
    private static final URI NAMESERVICE_URI = URI.create("ssp:///ns1");

    @Test
    void parsesNodesAndJournalLikeQjmUri() {
        PoolUri uri = PoolUri.parse(URI.create("ssp://nn1:9000;nn2:9001;nn3:9002/ns1"), NONE);

        assertThat(uri.journal()).isEqualTo(JournalId.of("ns1"));
        assertThat(uri.addresses())
                .containsExactly(NodeAddress.of("nn1", 9000), NodeAddress.of("nn2", 9001), NodeAddress.of("nn3", 9002));
    }

    @Test
    void nodeWithoutPortUsesDefaultPort() {
        assertThat(PoolUri.parse(URI.create("ssp://nn1;nn2:1/ns1"), NONE).addresses())
                .containsExactly(NodeAddress.of("nn1", 8487), NodeAddress.of("nn2", 1));
        assertThat(PoolUri.parse(URI.create("ssp://[::1]/ns1"), NONE).addresses())
                .containsExactly(NodeAddress.of("[::1]", 8487));
    }

    @Test
    void uriWithoutHostsNamesPoolNodesOfNameservice() {
        Configuration conf = threeNameNodes();

        PoolUri uri = PoolUri.parse(NAMESERVICE_URI, conf);

        assertThat(uri.addressSource()).isEqualTo(AddressSource.NAMENODES);
        assertThat(uri.toString()).isEqualTo("ssp://h1.example.com:8487;h2.example.com:8487;h3.example.com:8487/ns1");
    }

    @Test
    void poolNodeAddressComesFromNameNodeSettings() {
        Configuration conf = threeNameNodes();
        conf.set("trefoil.journal.address.ns1.nn2", "pool2:9002");
        conf.set("trefoil.journal.embedded.ns1.nn3", "FALSE");
        // What one process alone is told counts for no other.
        conf.set("trefoil.journal.address", "h1.example.com:8487");
        conf.set("trefoil.journal.embedded", "false");

        assertThat(PoolUri.parse(NAMESERVICE_URI, conf).addresses())
                .containsExactly(NodeAddress.of("h1.example.com", 8487), NodeAddress.of("pool2", 9002));
    }

    @Test
    void uriWithoutHostsReportsMissingConfiguration() {
        assertWrong(NONE, "dfs.ha.namenodes.ns1 names none: set it");

        Configuration conf = threeNameNodes();
        conf.unset("dfs.namenode.rpc-address.ns1.nn2");
        assertWrong(conf, "dfs.namenode.rpc-address.ns1.nn2 names, which is not set: set it to host:port");
        conf.set("dfs.namenode.rpc-address.ns1.nn2", "0.0.0.0:8020");
        assertWrong(conf, "which is '0.0.0.0:8020'");
        conf.set("dfs.namenode.rpc-address.ns1.nn2", "h1.example.com:8021");
        assertWrong(conf, "at h1.example.com:8487: set trefoil.journal.address.ns1.nn2");
        conf.set("trefoil.journal.address.ns1.nn2", "h1:x");
        assertWrong(conf, "trefoil.journal.address.ns1.nn2 is 'h1:x'");

        conf.set("trefoil.journal.embedded.ns1.nn3", "no");
        assertWrong(conf, "trefoil.journal.address.ns1.nn2 is 'h1:x'");
        conf.set("trefoil.journal.address.ns1.nn2", "h2:1");
        assertWrong(conf, "trefoil.journal.embedded.ns1.nn3 is 'no': set it to true or false");

        for (String nameNode : new String[] {"nn1", "nn2", "nn3"}) {
            conf.set("trefoil.journal.embedded.ns1." + nameNode, "false");
        }
        assertWrong(conf, "no NameNode of nameservice ns1 has a pool node inside");
    }

    private static void assertWrong(Configuration conf, String text) {
        assertThatThrownBy(() -> PoolUri.parse(NAMESERVICE_URI, conf))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("ssp:///ns1", text);
    }

    private static Configuration threeNameNodes() {
        Configuration conf = new Configuration(false);
        conf.set("dfs.nameservices", "ns1");
        conf.set("dfs.ha.namenodes.ns1", "nn1,nn2,nn3");
        conf.set("dfs.namenode.rpc-address.ns1.nn1", "h1.example.com:8020");
        conf.set("dfs.namenode.rpc-address.ns1.nn2", "h2.example.com:8020");
        conf.set("dfs.namenode.rpc-address.ns1.nn3", "h3.example.com:8020");
        return conf;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "qjournal://nn1:8485/ns1",
                "ssp:///ns1",
                "ssp://nn1:8487",
                "ssp://nn1:8487/",
                "ssp://nn1:8487/a/b",
                "ssp://nn1:0/ns1",
                "ssp://nn1:x;nn2:1/ns1",
                "ssp://nn1:1;;nn2:1/ns1",
                "ssp://nn1:1;nn1:1/ns1",
                "ssp://nn1:1,nn2:1/ns1"
            })
    void rejectsMalformedUri(String uri) {
        assertThatThrownBy(() -> PoolUri.parse(URI.create(uri), NONE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(uri);
    }
}

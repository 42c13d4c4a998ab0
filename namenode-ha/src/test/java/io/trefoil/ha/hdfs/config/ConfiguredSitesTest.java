/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Where everything is, as far as one host's file tells. */
class ConfiguredSitesTest {
    private final Configuration conf = new Configuration(false);

    @BeforeEach
    void configureTwoNameNodes() {
        conf.set("dfs.nameservices", "ns1");
        conf.set("dfs.ha.namenodes.ns1", "nn1,nn2");
        conf.set("dfs.namenode.rpc-address.ns1.nn1", "h1:8020");
        conf.set("dfs.namenode.rpc-address.ns1.nn2", "h2:8020");
        conf.set("trefoil.ha.site.ns1.nn1", "west");
    }

    private ConfiguredSites sites() {
        return ConfiguredSites.of(conf, "ns1");
    }

    @Test
    void unconfiguredPoolNodeTakesSiteOfLocalNameNode() {
        assertThat(sites().siteOfNodeOrHost("h1:8487")).isEqualTo("west");
        assertThat(sites().siteOfNodeOrHost("h2:8487")).isEmpty();
        assertThat(sites().siteOfNode("h1:8487")).isEmpty();

        conf.set("trefoil.ha.pool.sites", "h1:8487=south, h9:8487=east");
        assertThat(sites().siteOfNodeOrHost("h1:8487")).isEqualTo("south");
        assertThat(sites().siteOfNode("h9:8487")).isEqualTo("east");
        assertThat(sites().siteOfNameNode("nn1")).isEqualTo("west");
    }

    @Test
    void poolNodeSiteIsUnknownWhenLocalNameNodesDisagree() {
        conf.set("dfs.namenode.rpc-address.ns1.nn2", "h1:8021");
        conf.set("trefoil.ha.site.ns1.nn2", "west");
        assertThat(sites().siteOfNodeOrHost("h1:8487")).isEqualTo("west");

        conf.set("trefoil.ha.site.ns1.nn2", "east");
        assertThat(sites().siteOfNodeOrHost("h1:8487")).isEmpty();
    }

    @Test
    void rejectsMalformedSitesNamingProperty() {
        conf.set("trefoil.ha.pool.sites", "h9:8487");
        assertRefused("trefoil.ha.pool.sites is 'h9:8487'", "'h9:8487' is not of the form host:port=site");
        conf.set("trefoil.ha.pool.sites", "h9=east");
        assertRefused("'h9=east' is not of the form host:port=site");
        conf.set("trefoil.ha.pool.sites", "h9:1=a,h9:1=b");
        assertRefused("h9:1 has two sites");

        conf.set("trefoil.ha.pool.sites", "h9:8487=east");
        conf.set("trefoil.ha.site.ns1.nn2", "a site");
        assertRefused("trefoil.ha.site.ns1.nn2 is a site, it must be one word");
    }

    private void assertRefused(String... reason) {
        assertThatThrownBy(this::sites)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(reason);
    }
}

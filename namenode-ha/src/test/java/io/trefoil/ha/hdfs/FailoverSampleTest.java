/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.ha.hdfs.config.MamsSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

/** The examples in {@code conf}, as a NameNode reads them. */
class FailoverSampleTest {

    private static Configuration configuration(String example) {
        Configuration conf = new Configuration(false);
        for (String file : List.of("core-site.xml", "hdfs-site.xml")) {
            conf.addResource(new org.apache.hadoop.fs.Path(
                    Path.of("../conf/examples", example, file).toAbsolutePath().toUri()));
        }
        conf.set("dfs.nameservice.id", "ns1");
        conf.set("dfs.ha.namenode.id", "nn2");
        return conf;
    }

    @Test
    void failoverSampleIsComplete() throws IOException {
        Configuration conf = configuration("failover");
        MamsSettings settings = MamsSettings.read(conf);

        assertThat(settings.nameservice()).isEqualTo("ns1");
        assertThat(settings.nameNode()).isEqualTo("nn2");
        assertThat(settings.zooKeeper().path()).isEqualTo("/trefoil/ns1");
        assertThat(settings.zooKeeper().quorum()).startsWith("zk1.example.com:2181,");
        assertThat(conf.getInstances("dfs.namenode.plugins", Object.class))
                .hasAtLeastOneElementOfType(MamsPlugin.class)
                .hasSize(2);
    }

    @Test
    void warnsThatHdfsRefusesSettingWithoutAutomaticFailover() {
        assertThatThrownBy(() -> MamsSettings.read(configuration("quickstart")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("dfs.ha.automatic-failover.enabled is not true");
    }

    @Test
    void rejectsMissingZooKeeperQuorumNamingProperty() {
        Configuration conf = configuration("failover");
        conf.unset("ha.zookeeper.quorum");

        assertThatThrownBy(() -> MamsSettings.read(conf))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("ha.zookeeper.quorum is not set");
    }

    @Test
    void rejectsUnknownNameNodeId() {
        Configuration conf = configuration("failover");
        conf.unset("dfs.ha.namenode.id");

        assertThatThrownBy(() -> MamsSettings.read(conf))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("dfs.ha.namenode.id is not known");
    }
}

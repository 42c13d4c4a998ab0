/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.hdfs.config.SspSettings;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.PoolSettings;
import java.net.URI;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.namenode.JournalManager;
import org.apache.hadoop.hdfs.server.protocol.NamespaceInfo;
import org.apache.hadoop.util.ServicePlugin;
import org.junit.jupiter.api.Test;

/** The sample configuration works as it is. */
class JournalSampleTest {
    private final Configuration conf = new Configuration(false);

    JournalSampleTest() {
        conf.addResource(new org.apache.hadoop.fs.Path(Path.of("../conf/examples/quickstart/hdfs-site.xml")
                .toAbsolutePath()
                .toUri()));
    }

    @Test
    void configuresJournalOnThreeNameNodes() {
        conf.set("dfs.nameservice.id", "ns1");
        conf.set("dfs.ha.namenode.id", "nn2");
        // The only thing that the file cannot know here: which of its hosts this is.
        conf.set("trefoil.journal.address", "host2.example.com:8487");

        PoolSettings pool = SspSettings.read(
                        conf, URI.create(conf.get("dfs.namenode.shared.edits.dir")), new NamespaceInfo())
                .pool();

        assertThat(pool.journal().text()).isEqualTo(conf.get("dfs.nameservices"));
        assertThat(pool.addresses()).hasSize(3);
        assertThat(pool.node().get().address()).isEqualTo(NodeAddress.of("host2.example.com", 8487));
        assertThat(conf.get("dfs.namenode.edits.dir")).isEqualTo(conf.get("dfs.namenode.shared.edits.dir"));
        assertThat(conf.getTrimmedStringCollection("dfs.namenode.resource.checked.volumes"))
                .containsExactly("/data/1/nn", "/data/2/nn", "/data/1/ssp");
    }

    @Test
    void sampleNamesTrefoilClasses() {
        assertThat(conf.getClass("dfs.namenode.edits.journal-plugin.ssp", null, JournalManager.class))
                .isEqualTo(SspJournalManager.class);
        assertThat(conf.getClass("dfs.namenode.plugins", null, ServicePlugin.class))
                .isEqualTo(SspTailingPlugin.class);
    }
}

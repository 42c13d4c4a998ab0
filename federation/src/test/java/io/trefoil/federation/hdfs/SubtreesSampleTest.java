/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.federation.hdfs.config.FederationKeys;
import io.trefoil.federation.hdfs.load.SubtreeLoadLogger;
import io.trefoil.foundation.hdfs.SuffixedConfiguration;
import io.trefoil.ha.hdfs.MamsPlugin;
import io.trefoil.ha.hdfs.config.MamsSettings;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

/** The example for subtrees in {@code conf}, as a NameNode reads it. */
class SubtreesSampleTest {

    private static Configuration configuration() {
        Configuration conf = new Configuration(false);
        for (String file : List.of("core-site.xml", "hdfs-site.xml")) {
            conf.addResource(new org.apache.hadoop.fs.Path(
                    Path.of("../conf/examples/subtrees", file).toAbsolutePath().toUri()));
        }
        conf.set("dfs.nameservice.id", "ns1");
        conf.set("dfs.ha.namenode.id", "nn2");
        return conf;
    }

    @Test
    void nameNodesHoldAndCountCallsWhenTheyReadSample() throws Exception {
        Configuration conf = configuration();

        MamsSettings.read(conf);
        assertThat(FederationKeys.GATE.get(SuffixedConfiguration.ofNameNode(conf)))
                .isTrue();
        assertThat(conf.getInstances("dfs.namenode.plugins", Object.class))
                .hasAtLeastOneElementOfType(MamsPlugin.class)
                .hasSize(2);
        assertThat(conf.getStrings("dfs.namenode.audit.loggers"))
                .containsExactly("default", SubtreeLoadLogger.class.getName());
    }
}

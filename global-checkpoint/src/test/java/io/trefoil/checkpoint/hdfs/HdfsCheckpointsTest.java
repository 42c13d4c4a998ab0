/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.foundation.Progress;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

/** What is wrong with a configuration is said before a command does anything. */
class HdfsCheckpointsTest {
    private final Configuration conf = new Configuration(false);

    HdfsCheckpointsTest() {
        conf.set("dfs.nameservices", "one");
        conf.set("dfs.ha.namenodes.one", "nn1,nn2");
        conf.set("dfs.namenode.rpc-address.one.nn1", "localhost:8020");
        conf.set("dfs.namenode.rpc-address.one.nn2", "localhost:8021");
        conf.set("dfs.namenode.shared.edits.dir", "ssp://localhost/one");
    }

    @Test
    void acceptsNameserviceWithAddressesAndJournal() {
        assertThat(new HdfsCheckpoints(conf, Progress.SILENT).nameservices()).containsExactly("one");
    }

    @Test
    void rejectsMissingOrInvalidSettingByName() {
        assertRefused("dfs.namenode.rpc-address.one.nn2", "", "dfs.namenode.rpc-address.one.nn2 is not set");
        assertRefused("dfs.namenode.rpc-address.one.nn2", "localhost:port", "localhost:port");
        assertRefused("trefoil.checkpoint.port.one.nn1", "many", "trefoil.checkpoint.port.one.nn1 is 'many'");
        assertRefused("dfs.namenode.shared.edits.dir", "qjournal://a;b;c/one", "No ssp:// journal of nameservice one");
        assertRefused("trefoil.checkpoint.retained.count", "0", "trefoil.checkpoint.retained.count is 0");
    }

    private void assertRefused(String property, String value, String text) {
        Configuration wrong = new Configuration(conf);
        wrong.set(property, value);
        assertThatThrownBy(() -> new HdfsCheckpoints(wrong, Progress.SILENT))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(text);
    }

    @Test
    void requiresHostToBeNameNode() {
        conf.set("dfs.namenode.rpc-address.one.nn1", "one.invalid:8020");
        conf.set("dfs.namenode.rpc-address.one.nn2", "two.invalid:8020");
        assertHostRefused("dfs.ha.namenode.id=");

        conf.set("dfs.nameservice.id", "one");
        conf.set("dfs.ha.namenode.id", "nn1");
        new HdfsCheckpoints(conf, Progress.SILENT).requireNameNode();

        conf.set("dfs.namenode.resource.du.reserved", "much");
        assertHostRefused("dfs.namenode.resource.du.reserved is 'much'");
    }

    private void assertHostRefused(String text) {
        assertThatThrownBy(() -> new HdfsCheckpoints(conf, Progress.SILENT).requireNameNode())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(text);
    }
}

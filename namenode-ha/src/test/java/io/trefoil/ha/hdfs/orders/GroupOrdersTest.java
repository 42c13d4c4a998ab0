/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.orders;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.foundation.GoldenFiles;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RefreshResponse;
import org.junit.jupiter.api.Test;

/** How a NameNode learns that there are others. That the command reads the answers is shown by {@code GroupIT}. */
class GroupOrdersTest {
    private final Configuration running = configurationNaming("nn1,nn2");
    private final ConfiguredGroup group = new ConfiguredGroup(running, "here", "nn1");
    private Configuration files = configurationNaming("nn1,nn2,nn3");
    private IOException objection;
    private Configuration witnessed;

    private final GroupOrders orders =
            new GroupOrders("here", group, () -> files, this::setGroupConfiguration, running);

    private void setGroupConfiguration(Configuration newConfiguration) throws IOException {
        if (objection != null) {
            throw objection;
        }
        witnessed = newConfiguration;
    }

    private static Configuration configurationNaming(String nameNodes) {
        Configuration conf = new Configuration(false);
        conf.set("dfs.nameservices", "here,there");
        conf.set("dfs.ha.namenodes.here", nameNodes);
        conf.set("dfs.ha.namenodes.there", "nn3");
        conf.set("dfs.namenode.rpc-address.there.nn3", "far.example:8020");
        for (String nameNode : nameNodes.split(",")) {
            conf.set("dfs.namenode.rpc-address.here." + nameNode, nameNode + ".example:8020");
            conf.set("trefoil.ha.site.here." + nameNode, "west");
        }
        return conf;
    }

    private RefreshResponse order(String... arguments) {
        return orders.handleRefresh("trefoil-group-here", arguments);
    }

    @Test
    void listsNameNodesWithAddresses() {
        RefreshResponse answer = order("show-namenodes");

        assertThat(answer.getReturnCode()).isZero();
        assertThat(answer.getMessage().lines())
                .containsExactlyInAnyOrder("nn1 nn1.example:8020", "nn2 nn2.example:8020");
        assertThat(group.hosts()).containsExactlyInAnyOrder("nn1.example", "nn2.example");
    }

    @Test
    void reloadAddsNameNodeFromFiles() {
        assertThat(order("reread-namenodes").getMessage()).contains("nn3 nn3.example:8020");

        assertThat(group.ids()).containsExactlyInAnyOrder("nn1", "nn2", "nn3");
        assertThat(group.addresses()).contains("nn3.example:8020");
        assertThat(running.get("trefoil.ha.site.here.nn3")).isEqualTo("west");
        assertThat(witnessed.get("dfs.ha.namenodes.here")).isEqualTo("nn1,nn2,nn3");
    }

    @Test
    void reloadRemovesNameNodeMissingFromFiles() {
        files = configurationNaming("nn3,nn1");
        order("reread-namenodes");

        assertThat(group.ids()).containsExactlyInAnyOrder("nn1", "nn3");
        assertThat(running.get("dfs.namenode.rpc-address.here.nn2")).isNull();
        assertThat(running.get("dfs.namenode.rpc-address.there.nn3")).isEqualTo("far.example:8020");
    }

    @Test
    void reloadIgnoresOtherChangesInFiles() {
        files.set("dfs.namenode.rpc-address.here.nn1", "moved.example:8020");
        files.set("dfs.replication", "9");
        order("reread-namenodes");

        assertThat(running.get("dfs.namenode.rpc-address.here.nn1")).isEqualTo("nn1.example:8020");
        assertThat(running.get("dfs.replication")).isNull();
    }

    @Test
    void rejectsFilesWithoutSelfOrWithoutOtherNameNodes() {
        for (String nameNodes : new String[] {"nn2,nn3", "nn1"}) {
            files = configurationNaming(nameNodes);
            RefreshResponse answer = order("reread-namenodes");

            assertThat(answer.getReturnCode()).isEqualTo(1);
            assertThat(answer.getMessage()).contains("Wanted nn1 and at least one more NameNode");
        }
        files = configurationNaming("nn1,nn2,nn3");
        files.unset("dfs.namenode.rpc-address.here.nn3");
        assertThat(order("reread-namenodes").getMessage()).contains("Wanted an address of each NameNode");

        assertThat(group.ids()).containsExactlyInAnyOrder("nn1", "nn2");
        assertThat(running.get("dfs.ha.namenodes.here")).isEqualTo("nn1,nn2");
        assertThat(witnessed).isNull();
    }

    @Test
    void reloadChangesNothingWhenPoolNodeObjects() {
        objection = new IOException("no login");

        assertThat(order("reread-namenodes").getMessage()).isEqualTo("no login");
        assertThat(group.ids()).containsExactlyInAnyOrder("nn1", "nn2");
        assertThat(running.get("dfs.namenode.rpc-address.here.nn3")).isNull();
    }

    @Test
    void ordersAndAnswersOfAllReleasesAreRead() throws IOException {
        files = running;
        StringBuilder lines = new StringBuilder();
        for (String word : new String[] {GroupOrders.SHOW, GroupOrders.REREAD}) {
            lines.append(GroupOrders.identifier("here"))
                    .append('\t')
                    .append(word)
                    .append('\t')
                    .append(order(word).getMessage().trim().replace("\n", ";"))
                    .append('\n');
        }
        GoldenFiles golden = GoldenFiles.forCurrentModule();
        golden.assertMatchesNewestRelease("orders/group", lines.toString());

        for (String release : golden.readAllReleasesAsText("orders/group").values()) {
            for (String line : release.split("\n")) {
                String[] parts = line.split("\t");
                assertThat(orders.handleRefresh(parts[0], new String[] {parts[1]})
                                .getReturnCode())
                        .isZero();
                assertThat(RemoteGroupOrders.parseAnswer(parts[2].replace(';', '\n') + "\nlater\n"))
                        .isEqualTo(group.members());
            }
        }
    }

    @Test
    void refusesUnknownArguments() {
        assertThat(order().getReturnCode()).isEqualTo(1);
        assertThat(order("reread-namenodes", "now").getMessage()).contains("Wanted show-namenodes or reread-namenodes");
    }
}

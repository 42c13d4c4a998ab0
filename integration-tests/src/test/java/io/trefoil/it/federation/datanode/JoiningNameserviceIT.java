/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.federation.datanode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.cluster.FederatedClusters;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.HaClusterBuilder;
import io.trefoil.it.cluster.server.Server;
import io.trefoil.it.process.ToolResult;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A nameservice joins one that has everything to do, gets the subtree with half of the calls, and no server is restarted for it. */
class JoiningNameserviceIT {
    private static final String TABLE = "hdfs://sales/.trefoil/subtrees";

    private HaCluster sales;
    private HaCluster depot;

    @BeforeEach
    void startFirstNameservice() throws IOException {
        sales = nameservice("sales").dataNodes(1).create();
        depot = nameservice("depot").create();
        FederatedClusters.startOnSharedDataNodes(List.of(sales));
    }

    private static HaClusterBuilder nameservice(String name) {
        return FederatedClusters.singleNameNode("joining", name)
                .property("dfs.namenode.audit.loggers", "default,io.trefoil.federation.hdfs.load.SubtreeLoadLogger")
                .property("dfs.datanode.plugins", "io.trefoil.federation.hdfs.datanode.BlockLinkPlugin")
                .property("fs.getspaceused.classname", "io.trefoil.federation.hdfs.datanode.SharedSpaceUsed")
                .property("dfs.replication", "1");
    }

    @AfterEach
    void stop() {
        depot.close();
        sales.close();
    }

    @Test
    @Tag("long")
    void newNameserviceGetsPlannedSubtreeWithoutRestart() throws Exception {
        DistributedFileSystem before = sales.newFileSystem();
        createAndReadFiles(before, "/hot", 20, 2000);
        createAndReadFiles(before, "/warm", 10, 1200);
        createAndReadFiles(before, "/cold", 10, 800);
        trefoil("table", "create", "cluster", "--table", TABLE).expectSuccess();

        joinSecondNameservice();

        assertThat(trefoil("subtree", "load", "--top", "2").expectSuccess().output())
                .containsPattern("depot +/ +0 +0 +0 ")
                .containsPattern("sales +/hot +\\d+ +\\d+ +[45]\\d ")
                .containsPattern("sales +/hot/deep ");
        assertThat(trefoil("subtree", "plan", "--table", TABLE, "--execute")
                        .expectSuccess()
                        .output())
                .containsOnlyOnce("hdfs trefoil subtree move ")
                .contains("hdfs trefoil subtree move /hot --to depot --table " + TABLE);

        DistributedFileSystem after = depot.newFileSystem();
        assertThat(after.listStatus(new Path("/hot/deep"))).hasSize(20);
        assertThat(LinkedNameservices.read(after, "/hot/deep/3")).asString().isEqualTo("/hot/deep/3");
        assertThat(before.listStatus(new Path("/hot"))).isEmpty();
        ToolResult again = trefoil("subtree", "plan", "--table", TABLE);
        assertThat(again.exitCode()).as(again.output()).isEqualTo(1);
        assertThat(again.output()).contains("calls from before are still counted");
        sales.markSucceeded();
        depot.markSucceeded();
    }

    /** As docs/operating/subtrees.md says. */
    private void joinSecondNameservice() throws Exception {
        FederatedClusters.configureNameservices(sales, List.of(sales, depot));
        FederatedClusters.configureNameservices(depot, List.of(sales, depot));
        FederatedClusters.startSingleNameNode(depot);
        sales.dataNodes().forEach(Server::rewriteConfiguration);
        DatanodeInfo dataNode = sales.newFileSystem().getDataNodeStats(DatanodeReportType.LIVE)[0];
        sales.dfsadmin("-refreshNamenodes", dataNode.getIpcAddr(false)).expectSuccess();
        FederatedClusters.awaitDataNodes(depot, 1);
    }

    private ToolResult trefoil(String... arguments) {
        return sales.trefoil(arguments);
    }

    /** Makes files that have their paths in them, and asks for them. */
    private static void createAndReadFiles(DistributedFileSystem fileSystem, String directory, int files, int reads)
            throws IOException {
        for (int i = 0; i < files; i++) {
            String path = directory + "/deep/" + i;
            try (OutputStream out = fileSystem.create(new Path(path))) {
                out.write(path.getBytes(UTF_8));
            }
        }
        for (int i = 0; i < reads; i++) {
            fileSystem.exists(new Path(directory + "/deep/" + i % files));
        }
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.client.hdfs.SmartFailoverProxyProvider;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.cluster.server.Server;
import io.trefoil.it.load.RunningLoad;
import io.trefoil.it.load.Workload;
import io.trefoil.it.process.Await;
import io.trefoil.it.process.ToolResult;
import io.trefoil.it.scenario.FinalChecks;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A fourth NameNode that was in no configuration joins, takes over, and leaves again, on a running cluster under load:
 * no server is restarted for it, and clients that know the first three go on.
 */
@Tag("long")
class GroupIT {
    private static final int CHANGES_BETWEEN = 100;
    private static final Path BLOCKS = new Path("/blocks");
    private static final byte[] CONTENT = "written before the fourth was there".getBytes(StandardCharsets.UTF_8);

    @Test
    void fourthNameNodeJoinsTakesOverAndLeaves() throws Exception {
        HaCluster.builder("group")
                .dataNodes(2)
                .withAutomaticFailover()
                // Stock clients that know the first three reach the fourth through these.
                .property("trefoil.ha.forward-calls", "true")
                .property("dfs.ha.tail-edits.in-progress", "true")
                .run(cluster -> {
                    Configuration smart = cluster.clientConfiguration();
                    smart.set("dfs.client.failover.proxy.provider.trefoil", SmartFailoverProxyProvider.class.getName());
                    FileSystem ours = cluster.newFileSystem(smart);
                    FileSystem stock = cluster.newFileSystem();
                    try (OutputStream out = stock.create(BLOCKS)) {
                        out.write(CONTENT);
                    }
                    List<Server> old = new ArrayList<>(cluster.nameNodes());
                    old.addAll(cluster.dataNodes());
                    try (RunningLoad load = Workload.on(ours)
                                    .under("/ours")
                                    .threads(3)
                                    .fileWriters(1)
                                    .start();
                            RunningLoad beside = Workload.on(stock)
                                    .under("/stock")
                                    .threads(2)
                                    .seed(2)
                                    .start()) {
                        NameNodeServer fourth = addFourth(cluster);
                        load.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);
                        handOverToFourth(cluster, fourth);
                        // No process has been restarted, so our client has it from the others.
                        load.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);
                        beside.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);
                        NameNodeServer killed = failOverToFourth(cluster, fourth);
                        load.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);
                        beside.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);
                        try (InputStream in = ours.open(BLOCKS)) {
                            assertThat(in.readAllBytes()).isEqualTo(CONTENT);
                        }
                        removeFourth(cluster, fourth);
                        load.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);
                        beside.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);
                        assertThat(old).allSatisfy(server -> assertThat(server.startCount())
                                .as(server.name())
                                .isEqualTo(server == killed ? 2 : 1));
                        FinalChecks.assertNothingLost(ours, load);
                        FinalChecks.assertNothingLost(stock, beside);
                    }
                    FinalChecks.assertAllAgree(cluster);
                });
    }

    private static NameNodeServer addFourth(HaCluster cluster) {
        NameNodeServer fourth = cluster.addNameNode();
        ToolResult early = cluster.trefoil("group", "add", "nn4");
        assertThat(early.exitCode()).as(early.output()).isEqualTo(1);
        assertThat(early.output()).containsPattern("nn1 +trouble +its hdfs-site.xml names .*this one .*nn4");

        // The file reaches all hosts but one.
        cluster.nameNodes().forEach(Server::rewriteConfiguration);
        cluster.dataNode(1).rewriteConfiguration();
        ToolResult before = cluster.trefoil("group", "add", "nn4");
        assertThat(before.output())
                .containsPattern("nn3 +done +names \\[nn1, nn2, nn3, nn4\\]")
                .contains("does not answer at", "If nn4 does not run: on its host");
        fourth.bootstrapStandby();
        fourth.start();
        fourth.awaitUp();

        ToolResult dry = cluster.trefoil("group", "add", "nn4", "--dry-run").expectSuccess();
        assertThat(dry.output()).contains("to do", "Nothing was changed");
        // It waits for the blocks of the first DataNode, and not for the second, whose file is an old one.
        ToolResult without = cluster.trefoil("group", "add", "nn4", "--wait", "1h");
        assertThat(without.exitCode()).as(without.output()).isEqualTo(1);
        assertThat(without.output())
                .contains("1 of 2 DataNodes; not waited for: 1")
                .contains("its hdfs-site.xml does not name nn4; copy the new file to its host");

        cluster.dataNode(2).rewriteConfiguration();
        ToolResult done = cluster.trefoil("group", "add", "nn4").expectSuccess();
        assertThat(done.output())
                .containsPattern("nn4 +done +may become active")
                .contains("Done: all live DataNodes report to nn4");
        return fourth;
    }

    private static void handOverToFourth(HaCluster cluster, NameNodeServer fourth) {
        cluster.failOverTo(fourth);
        assertThat(cluster.trefoil("status").output()).contains("nn4 is active");
    }

    /** It loses the role when it is killed, and is elected when its successor is, since it is preferred. */
    private static NameNodeServer failOverToFourth(HaCluster cluster, NameNodeServer fourth) {
        fourth.kill9();
        fourth.awaitState(HAServiceState.STANDBY);
        NameNodeServer active = cluster.awaitActive();
        fourth.awaitReadyToBecomeActive();
        cluster.trefoil("prefer", "nn4").expectSuccess();
        active.kill9();
        fourth.awaitState(HAServiceState.ACTIVE);
        active.awaitState(HAServiceState.STANDBY);
        return active;
    }

    private static void removeFourth(HaCluster cluster, NameNodeServer fourth) {
        cluster.nameNode(1).awaitState(HAServiceState.STANDBY);
        ToolResult running = cluster.trefoil("group", "remove", "nn4");
        assertThat(running.exitCode()).as(running.output()).isEqualTo(2);
        cluster.trefoil("drain", "nn4").expectSuccess();
        cluster.awaitActive();
        cluster.trefoil("journal", "remove", fourth.address("pool")).expectSuccess();
        cluster.removeNameNode(fourth);
        ToolResult refused = cluster.trefoil("group", "remove", "nn4");
        assertThat(refused.output()).contains("nn4 runs, as standby; nothing was changed");
        fourth.setSupervised(false);
        fourth.stop();

        cluster.nameNodes().forEach(Server::rewriteConfiguration);
        cluster.dataNodes().forEach(Server::rewriteConfiguration);
        ToolResult done = cluster.trefoil("group", "remove", "nn4").expectSuccess();
        assertThat(done.output()).contains("nn4 is no longer drained", "Done: no server knows nn4 any more");
        assertThat(cluster.trefoil("status").output()).doesNotContainPattern("(?m)^nn4 ");
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trefoil.checkpoint.CheckpointJson;
import io.trefoil.checkpoint.hdfs.RemoteParticipants;
import io.trefoil.foundation.TestPorts;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.HaClusterBuilder;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.cluster.server.Server;
import io.trefoil.it.load.RunningLoad;
import io.trefoil.it.load.Workload;
import io.trefoil.it.operating.KerberosSetUp;
import io.trefoil.it.process.Await;
import io.trefoil.it.process.ToolResult;
import io.trefoil.it.scenario.FinalChecks;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.hdfs.tools.DFSHAAdmin;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Stock NameNodes with Kerberos, by a KDC in this process, from their first format on, set up and tried as
 * {@code docs/operating/security.md} says: pool nodes in them and alone, commands with tickets and without, and a
 * ZooKeeper that only the NameNodes may read and write.
 */
class KerberosIT {
    private static final int CHANGES_BETWEEN = 300;
    private static final String ORDERS = "Hadoop:service=NameNode,name=Orders-Failover";

    private static final Map<String, String> MISSING_TICKET_CACHE = Map.of("KRB5CCNAME", "/nowhere");

    @TempDir
    private Path directory;

    @Test
    void killedActiveIsReplacedAndOnlyAdministratorsMoveRole() throws Exception {
        try (KerberosSetUp setUp = KerberosSetUp.setUpAsDocumented(directory)) {
            HaClusterBuilder builder = HaCluster.builder("kerberos")
                    .withAutomaticFailover()
                    .nameNodePlugin("io.trefoil.checkpoint.hdfs.CheckpointPlugin")
                    // However busy the machine is, no checkpoint fails.
                    .property("trefoil.checkpoint.freeze.timeout", "30s")
                    .property("trefoil.checkpoint.port.trefoil.nn1", Integer.toString(TestPorts.free()))
                    .property("trefoil.checkpoint.port.trefoil.nn2", Integer.toString(TestPorts.free()))
                    .property("trefoil.checkpoint.port.trefoil.nn3", Integer.toString(TestPorts.free()));
            setUp.kerberos(builder, "operator", "admin", "another-admin", "reader");
            setUp.zooKeeper(builder).run(cluster -> failOver(cluster, setUp));
        }
    }

    private static void failOver(HaCluster cluster, KerberosSetUp setUp) throws Exception {
        FileSystem fileSystem = cluster.newFileSystem();
        try (RunningLoad load = Workload.on(fileSystem).threads(8).start()) {
            load.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);
            NameNodeServer killed = cluster.awaitActive();
            killed.kill9();
            load.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);
            killed.awaitState(HAServiceState.STANDBY);

            NameNodeServer active = cluster.awaitActive();
            NameNodeServer wanted = cluster.nameNodesExcept(active).get(0);
            wanted.awaitState(HAServiceState.STANDBY);
            assertThat(runHaadmin(cluster, setUp.createUser("stranger"), active, wanted))
                    .contains("stranger@")
                    .contains("Not listed in dfs.cluster.administrators");
            active.awaitState(HAServiceState.ACTIVE);
            assertThat(wanted.jmx().readNumber(ORDERS, "Refused")).isEqualTo(1);
            assertThat(wanted.log()
                            .contains("audit: order=failover object=\"NameNode " + wanted.name()
                                    + " of trefoil\" caller=\"stranger@EXAMPLE.COM (auth:KERBEROS)\" address=127.0.0.1"
                                    + " outcome=refused"))
                    .isTrue();

            assertThat(runHaadmin(cluster, setUp.createUser("admin"), active, wanted))
                    .contains("successful");
            wanted.awaitState(HAServiceState.ACTIVE);
            assertThat(wanted.jmx().readNumber(ORDERS, "Done")).isEqualTo(1);
            load.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);
            runDocumentedTrial(cluster, setUp);
            checkpoint(cluster, setUp);
            assertStrangersLearnNothingInZooKeeper(cluster);
            assertOnlyAdministratorsSeeJournal(cluster, setUp);
            assertStandInPoolNodeCountsTowardsMajority(cluster, load);
            assertNameNodeRefetchesNamespace(cluster);
            assertJuniorIsRenewedByKeytab(cluster);
            FinalChecks.assertNothingLost(fileSystem, load);
        }
    }

    /** An administrator orders it at the active NameNode, which then calls itself with its own principal. */
    private static void checkpoint(HaCluster cluster, KerberosSetUp setUp) throws Exception {
        ObjectNode order = CheckpointJson.object().put("id", "nightly.7f3a9c12").put("protectData", false);
        order.putArray("nameservices").add("trefoil");
        try (RemoteParticipants plugins =
                new RemoteParticipants(cluster.clientConfiguration(), Duration.ofMinutes(1))) {
            PrivilegedExceptionAction<JsonNode> create = () -> plugins.callActive("trefoil", "create", order);
            assertThatThrownBy(() -> setUp.createUser("nobody").doAs(create))
                    .hasMessageContaining("nobody@")
                    .hasMessageContaining("Not listed in dfs.cluster.administrators");
            assertThat(setUp.createUser("another-admin")
                            .doAs(create)
                            .path("outcome")
                            .asText())
                    .isEqualTo("COMPLETE");
        }
    }

    /** With the page's NameNode active: by a user without the right, by the operator, and without a ticket. */
    private static void runDocumentedTrial(HaCluster cluster, KerberosSetUp setUp) throws Exception {
        cluster.failOverTo(cluster.nameNode(1));
        cluster.nameNode(2).awaitReadyToBecomeActive();
        List<String> refusals = List.of(
                setUp.page().requireQuoted("may not use the journals of this cluster"),
                setUp.page().requireQuoted("Not listed in dfs.cluster.administrators"));
        for (ToolResult result : setUp.runTrialCommandsAs(cluster, "eve")) {
            assertThat(result.exitCode()).as(result.output()).isNotZero();
            assertThat(refusals).as(result.output()).anyMatch(result.output()::contains);
            assertThat(result.output()).as("no trace of a server").doesNotContain("\tat ");
        }
        cluster.nameNode(1).awaitState(HAServiceState.ACTIVE);
        setUp.runTrialCommandsAs(cluster, "operator").forEach(ToolResult::expectSuccess);
        cluster.nameNode(2).awaitState(HAServiceState.ACTIVE);
        assertThat(cluster.hdfsAs(MISSING_TICKET_CACHE, "trefoil", "journal", "status")
                        .output())
                .contains(setUp.page().requireQuoted("No valid credentials provided"));
    }

    private static void assertOnlyAdministratorsSeeJournal(HaCluster cluster, KerberosSetUp setUp) throws Exception {
        assertThat(cluster.hdfsAs(setUp.loginOf("reader"), "trefoil", "journal", "status")
                        .expectSuccess()
                        .output())
                .contains(
                        cluster.nameNode(1).address("pool"), cluster.nameNode(3).address("pool"));
    }

    /** The node is caught up and acknowledges, from a process with a login of its own. */
    private static void assertStandInPoolNodeCountsTowardsMajority(HaCluster cluster, RunningLoad load)
            throws Exception {
        List<NameNodeServer> standbys = cluster.nameNodesExcept(cluster.awaitActive());
        standbys.get(0).stop();
        load.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);
        try (Server alone = cluster.poolNodeOf(standbys.get(0))) {
            alone.start();
            standbys.get(0).awaitListening("pool");
            standbys.get(1).stop();
            load.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);
            assertThat(alone.log().contains("that authenticate by mechanism=GSSAPI"))
                    .isTrue();
            standbys.get(1).start();
            standbys.get(1).awaitState(HAServiceState.STANDBY);
        }
    }

    private static void assertNameNodeRefetchesNamespace(HaCluster cluster) throws Exception {
        NameNodeServer standby = cluster.nameNodesExcept(cluster.awaitActive()).get(0);
        standby.stop();
        FileUtil.fullyDelete(standby.imageDirectory().getParent().toFile());
        standby.bootstrapStandby();
        standby.start();
        standby.awaitState(HAServiceState.STANDBY);
    }

    /** As our systemd unit does before it starts a NameNode: no user types a password there. */
    private static void assertJuniorIsRenewedByKeytab(HaCluster cluster) {
        NameNodeServer junior = cluster.nameNodesExcept(cluster.awaitActive()).get(1);
        junior.stop();
        FileUtil.fullyDelete(junior.imageDirectory().getParent().toFile());
        assertThat(junior.trefoilAs(MISSING_TICKET_CACHE, "renew")
                        .expectSuccess()
                        .output())
                .contains(" from ", "Pinned: ");
        junior.start();
        junior.awaitState(HAServiceState.STANDBY);
    }

    private static void assertStrangersLearnNothingInZooKeeper(HaCluster cluster) throws Exception {
        CountDownLatch connected = new CountDownLatch(1);
        try (ZooKeeper stranger =
                new ZooKeeper(cluster.zooKeeper().address("client"), 60_000, event -> connected.countDown())) {
            connected.await();
            for (String path : new String[] {"/trefoil", "/trefoil/trefoil", "/trefoil/trefoil/members"}) {
                assertThatThrownBy(() -> stranger.getChildren(path, false))
                        .isInstanceOf(KeeperException.NoAuthException.class);
            }
            assertThatThrownBy(() -> stranger.getData("/trefoil/trefoil/lock", false, null))
                    .isInstanceOf(KeeperException.NoAuthException.class);
        }
    }

    /** What {@code hdfs haadmin -failover} tells a user. */
    private static String runHaadmin(
            HaCluster cluster, UserGroupInformation user, NameNodeServer from, NameNodeServer to) throws Exception {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        user.doAs((PrivilegedExceptionAction<Integer>) () -> {
            CapturingAdmin admin = new CapturingAdmin(new PrintStream(said, true, StandardCharsets.UTF_8));
            admin.setConf(cluster.clientConfiguration());
            return admin.run(new String[] {"-failover", from.name(), to.name()});
        });
        return said.toString(StandardCharsets.UTF_8);
    }

    /** Passes its output to the test. */
    private static final class CapturingAdmin extends DFSHAAdmin {
        CapturingAdmin(PrintStream to) {
            this.out = to;
            this.errOut = to;
        }
    }
}

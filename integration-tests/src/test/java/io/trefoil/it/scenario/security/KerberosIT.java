/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trefoil.checkpoint.hdfs.RemoteParticipants;
import io.trefoil.checkpoint.json.Documents;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.cluster.server.Server;
import io.trefoil.it.load.RunningLoad;
import io.trefoil.it.load.Workload;
import io.trefoil.it.process.ToolResult;
import io.trefoil.it.scenario.Reckoning;
import io.trefoil.journal.TestKdc;
import io.trefoil.journal.TestPorts;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.conf.Configuration;
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
 * Stock NameNodes with Kerberos, by a KDC in this process, from their first format on: pool nodes in them and alone, commands with
 * tickets and without, and a ZooKeeper in which only the NameNodes may read and write.
 */
class KerberosIT {
    private static final int CHANGES_BETWEEN = 300;
    private static final String ORDERS = "Hadoop:service=NameNode,name=Orders-Failover";

    @TempDir
    private Path directory;

    @Test
    void aKilledActiveIsReplacedAndOnlyAdministratorsMoveTheRole() throws Exception {
        try (TestKdc kdc = new TestKdc(directory)) {
            String keytab = kdc.keytab("nn/localhost", "HTTP/localhost", "HTTP/127.0.0.1");
            kdc.login(new Configuration(false), "nn/localhost", keytab);
            HaCluster.builder("kerberos")
                    .withAutomaticFailover()
                    .nameNodePlugin("io.trefoil.checkpoint.hdfs.CheckpointPlugin")
                    .property("trefoil.checkpoint.port.trefoil.nn1", Integer.toString(TestPorts.free()))
                    .property("trefoil.checkpoint.port.trefoil.nn2", Integer.toString(TestPorts.free()))
                    .property("trefoil.checkpoint.port.trefoil.nn3", Integer.toString(TestPorts.free()))
                    .jvmOption(kdc.jvmOption())
                    .property("hadoop.security.authentication", "kerberos")
                    .property("hadoop.security.authorization", "true")
                    .property("hadoop.security.auth_to_local", "DEFAULT")
                    .property("hadoop.rpc.protection", "privacy")
                    .property("hadoop.security.service.user.name.key", kdc.principal("nn/_HOST"))
                    .property("dfs.namenode.kerberos.principal", kdc.principal("nn/_HOST"))
                    .property("dfs.namenode.keytab.file", keytab)
                    .property("dfs.web.authentication.kerberos.principal", kdc.principal("HTTP/localhost"))
                    .property("dfs.web.authentication.kerberos.keytab", keytab)
                    .property("dfs.block.access.token.enable", "true")
                    .property("dfs.cluster.administrators", "operator,admin,reader")
                    .jvmOption("-Djava.security.auth.login.config=" + jaas(kdc, keytab))
                    .jvmOption("-Dzookeeper.authProvider.1=org.apache.zookeeper.server.auth.SASLAuthenticationProvider")
                    .jvmOption("-Dzookeeper.kerberos.removeHostFromPrincipal=true")
                    .jvmOption("-Dzookeeper.kerberos.removeRealmFromPrincipal=true")
                    .property("ha.zookeeper.acl", "sasl:nn:cdrwa")
                    .run(cluster -> failOver(cluster, kdc));
        }
    }

    /** By which ZooKeeper and the NameNodes show each other who they are. */
    private Path jaas(TestKdc kdc, String keytab) throws Exception {
        String login = "%s { com.sun.security.auth.module.Krb5LoginModule required useKeyTab=true storeKey=true"
                + " useTicketCache=false keyTab=\"%s\" principal=\"%s\"; };\n";
        return Files.writeString(
                directory.resolve("jaas.conf"),
                String.format(
                                Locale.ROOT,
                                login,
                                "Server",
                                kdc.keytab("zookeeper/localhost"),
                                kdc.principal("zookeeper/localhost"))
                        + String.format(Locale.ROOT, login, "Client", keytab, kdc.principal("nn/localhost")));
    }

    private static void failOver(HaCluster cluster, TestKdc kdc) throws Exception {
        FileSystem fileSystem = cluster.newFileSystem();
        try (RunningLoad load = Workload.on(fileSystem).threads(8).start()) {
            load.awaitMore(CHANGES_BETWEEN, Reckoning.LIMIT);
            NameNodeServer killed = cluster.awaitActive();
            killed.kill9();
            load.awaitMore(CHANGES_BETWEEN, Reckoning.LIMIT);
            killed.awaitState(HAServiceState.STANDBY);

            NameNodeServer active = cluster.awaitActive();
            NameNodeServer wanted = cluster.nameNodesBut(active).get(0);
            wanted.awaitState(HAServiceState.STANDBY);
            assertThat(haadmin(cluster, kdc.user("stranger"), active, wanted))
                    .contains("stranger@")
                    .contains("Not listed in dfs.cluster.administrators");
            assertThat(cluster.active()).contains(active);
            assertThat(wanted.jmx().number(ORDERS, "Refused")).isEqualTo(1);
            assertThat(wanted.log()
                            .contains("audit: order=failover object=\"NameNode " + wanted.name()
                                    + " of trefoil\" caller=\"stranger@EXAMPLE.COM (auth:KERBEROS)\" address=127.0.0.1"
                                    + " outcome=refused"))
                    .isTrue();

            assertThat(haadmin(cluster, kdc.user("operator"), active, wanted)).contains("successful");
            assertThat(cluster.active()).contains(wanted);
            assertThat(wanted.jmx().number(ORDERS, "Done")).isEqualTo(1);
            load.awaitMore(CHANGES_BETWEEN, Reckoning.LIMIT);
            checkpoint(cluster, kdc);
            strangersLearnNothingInZooKeeper(cluster);
            onlyAdministratorsSeeTheJournal(cluster, kdc);
            aPoolNodeWithoutItsNameNodeIsOneOfTheMajority(cluster, load);
            oneFetchesItsNamespaceAgain(cluster);
            Reckoning.nothingIsLost(fileSystem, load);
        }
    }

    /** Ordered by an administrator, at the NameNode that is active, which speaks to itself by its own principal then. */
    private static void checkpoint(HaCluster cluster, TestKdc kdc) throws Exception {
        ObjectNode order = Documents.object().put("id", "nightly.7f3a9c12").put("protectData", false);
        order.putArray("nameservices").add("trefoil");
        try (RemoteParticipants plugins =
                new RemoteParticipants(cluster.clientConfiguration(), Duration.ofMinutes(1))) {
            PrivilegedExceptionAction<JsonNode> create = () -> plugins.askActive("trefoil", "create", order);
            assertThatThrownBy(() -> kdc.user("nobody").doAs(create))
                    .hasMessageContaining("nobody@")
                    .hasMessageContaining("Not listed in dfs.cluster.administrators");
            assertThat(kdc.user("admin").doAs(create).path("outcome").asText()).isEqualTo("COMPLETE");
        }
    }

    private static void onlyAdministratorsSeeTheJournal(HaCluster cluster, TestKdc kdc) throws Exception {
        assertThat(journalStatus(cluster, loginOf(kdc, "reader"))
                        .expectSuccess()
                        .output())
                .contains(
                        cluster.nameNode(1).address("pool"), cluster.nameNode(3).address("pool"));
        assertThat(journalStatus(cluster, loginOf(kdc, "dn/localhost")).output())
                .contains("dn/localhost@EXAMPLE.COM may not use the journals of this cluster");
        assertThat(journalStatus(cluster, Map.of("KRB5CCNAME", "/nowhere")).output())
                .contains("No valid credentials provided");
    }

    private static ToolResult journalStatus(HaCluster cluster, Map<String, String> login) {
        return cluster.trefoilAs(login, "journal", "status");
    }

    /** Hadoop logs a process in by these. */
    private static Map<String, String> loginOf(TestKdc kdc, String name) throws Exception {
        return Map.of("KRB5PRINCIPAL", kdc.principal(name), "KRB5KEYTAB", kdc.keytab(name));
    }

    /** It is caught up and acknowledges, from a process that has logged in by itself. */
    private static void aPoolNodeWithoutItsNameNodeIsOneOfTheMajority(HaCluster cluster, RunningLoad load)
            throws Exception {
        List<NameNodeServer> standbys = cluster.nameNodesBut(cluster.awaitActive());
        standbys.get(0).stop();
        load.awaitMore(CHANGES_BETWEEN, Reckoning.LIMIT);
        try (Server alone = cluster.poolNodeOf(standbys.get(0))) {
            alone.start();
            standbys.get(0).awaitListening("pool");
            standbys.get(1).stop();
            load.awaitMore(CHANGES_BETWEEN, Reckoning.LIMIT);
            assertThat(alone.log().contains("who prove by GSSAPI who they are")).isTrue();
            standbys.get(1).start();
            standbys.get(1).awaitState(HAServiceState.STANDBY);
        }
    }

    private static void oneFetchesItsNamespaceAgain(HaCluster cluster) throws Exception {
        NameNodeServer standby = cluster.nameNodesBut(cluster.awaitActive()).get(0);
        standby.stop();
        FileUtil.fullyDelete(standby.imageDirectory().getParent().toFile());
        standby.bootstrapStandby();
        standby.start();
        standby.awaitState(HAServiceState.STANDBY);
    }

    private static void strangersLearnNothingInZooKeeper(HaCluster cluster) throws Exception {
        CountDownLatch connected = new CountDownLatch(1);
        try (ZooKeeper stranger =
                new ZooKeeper(cluster.zooKeeper().address("client"), 5_000, event -> connected.countDown())) {
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
    private static String haadmin(HaCluster cluster, UserGroupInformation user, NameNodeServer from, NameNodeServer to)
            throws Exception {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        user.doAs((PrivilegedExceptionAction<Integer>) () -> {
            Heard admin = new Heard(new PrintStream(said, true, StandardCharsets.UTF_8));
            admin.setConf(cluster.clientConfiguration());
            return admin.run(new String[] {"-failover", from.name(), to.name()});
        });
        return said.toString(StandardCharsets.UTF_8);
    }

    /** Says to a test what it says. */
    private static final class Heard extends DFSHAAdmin {
        Heard(PrintStream to) {
            this.out = to;
            this.errOut = to;
        }
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trefoil.foundation.AuditLog;
import io.trefoil.foundation.TestPorts;
import io.trefoil.foundation.hdfs.OrderAccess;
import io.trefoil.foundation.hdfs.TestKdc;
import io.trefoil.ha.run.FailoverRequests;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.net.SocketFactory;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ha.ZKFCProtocol;
import org.apache.hadoop.ha.protocolPB.ZKFCProtocolClientSideTranslatorPB;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.HDFSPolicyProvider;
import org.apache.hadoop.hdfs.tools.DFSHAAdmin;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.ServiceAuthorizationManager;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Asked by the client that {@code haadmin -failover} uses. */
class ZkfcServiceTest {
    private static final InetSocketAddress NAME_NODE = new InetSocketAddress(InetAddress.getLoopbackAddress(), 8020);
    private static final int CLIENT_TIMEOUT_MILLIS = 30_000;

    @TempDir
    private Path directory;

    private final Configuration conf = new Configuration(false);
    private final AuditLog audit = new AuditLog();
    private final ServiceAuthorizationManager lists = new ServiceAuthorizationManager();
    private final Member member = new Member();

    @BeforeEach
    void useEphemeralPort() {
        conf.set(DFSConfigKeys.DFS_HA_ZKFC_PORT_KEY, "0");
    }

    @Test
    void nameNodeUserMayRequestFailover() throws Exception {
        try (ZkfcService service = service(Duration.ofSeconds(30))) {
            ZKFCProtocol client = connect(service);

            client.gracefulFailover();
            client.cedeActive(2_000);
            // What a ZKFC takes for the end of the former request, and stays active if it is.
            client.cedeActive(0);
            client.cedeActive(-1);

            assertThat(member.asked).containsExactly("lead", "cede for PT2S", "rejoin", "rejoin");
        }
    }

    @Test
    void onlyClusterAdministratorsMayRequestFailover() throws Exception {
        conf.set(DFSConfigKeys.DFS_ADMIN, "operator");
        try (ZkfcService service = service(Duration.ofSeconds(30))) {
            runAs("operator", () -> {
                connect(service).gracefulFailover();
                return null;
            });
            assertThat(member.asked).containsExactly("lead");

            for (PrivilegedExceptionAction<Void> forbidden : List.<PrivilegedExceptionAction<Void>>of(
                    () -> {
                        connect(service).gracefulFailover();
                        return null;
                    },
                    () -> {
                        connect(service).cedeActive(1_000);
                        return null;
                    })) {
                assertThatThrownBy(() -> runAs("stranger", forbidden))
                        .satisfies(refusal -> assertThat(((RemoteException) refusal).unwrapRemoteException())
                                .isInstanceOf(AccessControlException.class))
                        .hasMessageContaining("stranger")
                        .hasMessageContaining("Not listed in " + DFSConfigKeys.DFS_ADMIN);
            }
            assertThat(member.asked).as("what reached the member").containsExactly("lead");
            assertThat(audit.countDone()).isEqualTo(1);
            assertThat(audit.countRefused()).isEqualTo(2);
        }
    }

    @Test
    void hdfsSuperusersMayRequestFailover() throws Exception {
        conf.set(DFSConfigKeys.DFS_PERMISSIONS_SUPERUSERGROUP_KEY, "supers");
        try (ZkfcService service = service(Duration.ofSeconds(30))) {
            UserGroupInformation.createUserForTesting("deputy", new String[] {"supers"})
                    .doAs((PrivilegedExceptionAction<Void>) () -> {
                        connect(service).gracefulFailover();
                        return null;
                    });
            assertThat(member.asked).containsExactly("lead");
        }
    }

    @Test
    void refreshedZkfcAccessListApplies() throws Exception {
        conf.setBoolean("hadoop.security.authorization", true);
        conf.set(DFSConfigKeys.DFS_ADMIN, "operator");
        refreshAcl("somebody");
        try (ZkfcService service = service(Duration.ofSeconds(30))) {
            PrivilegedExceptionAction<Void> failover = () -> {
                connect(service).gracefulFailover();
                return null;
            };
            assertThatThrownBy(() -> runAs("operator", failover))
                    .hasMessageContaining("operator")
                    .hasMessageContaining("not authorized for protocol interface org.apache.hadoop.ha.ZKFCProtocol");
            assertThat(member.asked).isEmpty();
            assertThat(audit.countRefused()).isEqualTo(1);

            refreshAcl("operator");
            runAs("operator", failover);
            assertThat(member.asked).containsExactly("lead");
        }
    }

    /** What {@code dfsadmin -refreshServiceAcl} has the NameNode do with its {@code hadoop-policy.xml}. */
    private void refreshAcl(String users) {
        Configuration policy = new Configuration(false);
        policy.set("security.zkfc.protocol.acl", users);
        lists.refreshWithLoadedConfiguration(policy, new HDFSPolicyProvider());
    }

    @Test
    void haadminAllowsOnlyAdministratorsWithKerberos() throws Exception {
        try (TestKdc kdc = new TestKdc(directory)) {
            int port = TestPorts.free();
            conf.setInt(DFSConfigKeys.DFS_HA_ZKFC_PORT_KEY, port);
            conf.set(DFSConfigKeys.DFS_ADMIN, "operator");
            conf.set(DFSConfigKeys.DFS_NAMENODE_KERBEROS_PRINCIPAL_KEY, kdc.principal("nn/_HOST"));
            conf.set("dfs.nameservices", "one");
            conf.set("dfs.ha.namenodes.one", "nn1,nn2");
            conf.set("dfs.namenode.rpc-address.one.nn1", "localhost:8020");
            conf.set("dfs.namenode.rpc-address.one.nn2", "localhost:8021");
            conf.setBoolean(DFSConfigKeys.DFS_HA_AUTO_FAILOVER_ENABLED_KEY, true);
            kdc.login(conf, "nn/localhost");
            try (ZkfcService service = service(Duration.ofSeconds(30))) {
                assertThat(service.boundAddress().getPort()).isEqualTo(port);
                assertThat(runHaadmin(kdc.user("operator")))
                        .contains("Failover to NameNode")
                        .contains("successful");
                assertThat(member.asked).containsExactly("lead");

                assertThat(runHaadmin(kdc.user("stranger")))
                        .contains("stranger@")
                        .contains("Not listed in " + DFSConfigKeys.DFS_ADMIN);
                assertThat(member.asked).as("what reached the member").containsExactly("lead");
                assertThat(audit.countDone()).isEqualTo(1);
                assertThat(audit.countRefused()).isEqualTo(1);
            }
        }
    }

    /** What {@code hdfs haadmin -failover nn1 nn2} tells a user. */
    private String runHaadmin(UserGroupInformation user) throws Exception {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        user.doAs((PrivilegedExceptionAction<Integer>) () -> {
            CapturingAdmin admin = new CapturingAdmin(new PrintStream(said, true, StandardCharsets.UTF_8));
            admin.setConf(new Configuration(conf));
            return admin.run(new String[] {"-failover", "nn1", "nn2"});
        });
        return said.toString(StandardCharsets.UTF_8);
    }

    /** Says what it says to a test. */
    private static final class CapturingAdmin extends DFSHAAdmin {
        CapturingAdmin(PrintStream to) {
            this.out = to;
            this.errOut = to;
        }
    }

    @Test
    void reportsReasonWhenPortIsUnavailable() throws Exception {
        member.answer = CompletableFuture.completedFuture("It is a junior, 5000 transactions behind.");
        try (ZkfcService service = service(Duration.ofSeconds(30))) {
            assertThatThrownBy(() -> connect(service).gracefulFailover())
                    .hasMessageContaining("Unable to become active. It is a junior, 5000 transactions behind.");
        }
    }

    @Test
    void timedOutRequestReportsMemberStage() throws Exception {
        member.answer = new CompletableFuture<>();
        try (ZkfcService service = service(Duration.ofMillis(50))) {
            assertThatThrownBy(() -> connect(service).cedeActive(1_000))
                    .hasMessageContaining("Unable to stop being active within 50 ms; stage ACQUIRING_EPOCH");
        }
    }

    @Test
    void portInUseNamesSettingAndLikelyCause() throws Exception {
        try (ServerSocket zkfc = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            conf.set(DFSConfigKeys.DFS_HA_ZKFC_PORT_KEY, Integer.toString(zkfc.getLocalPort()));

            assertThatThrownBy(() -> service(Duration.ofSeconds(1)).close())
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(DFSConfigKeys.DFS_HA_ZKFC_PORT_KEY)
                    .hasMessageContaining("a ZKFC must not run beside this NameNode");
        }
    }

    @Test
    void closeReleasesPort() throws Exception {
        // Not one of those that the system gives to connections: one may have it in the next moment.
        conf.setInt(DFSConfigKeys.DFS_HA_ZKFC_PORT_KEY, TestPorts.free());
        InetSocketAddress address;
        try (ZkfcService service = service(Duration.ofSeconds(1))) {
            address = service.boundAddress();
        }
        // Hadoop's server is told to stop, and the thread that listens closes its socket when it hears of it.
        await().untilAsserted(
                        () -> assertThatCode(() -> new ServerSocket(address.getPort(), 1, address.getAddress()).close())
                                .doesNotThrowAnyException());
    }

    private OrderAccess access() {
        return OrderAccess.forOwnPort(conf, audit, lists, ZKFCProtocol.class);
    }

    private ZkfcService service(Duration timeout) throws IOException {
        return new ZkfcService(conf, NAME_NODE, access(), member, timeout);
    }

    private ZKFCProtocol connect(ZkfcService service) throws IOException {
        return new ZKFCProtocolClientSideTranslatorPB(
                service.boundAddress(), conf, SocketFactory.getDefault(), CLIENT_TIMEOUT_MILLIS);
    }

    private static void runAs(String user, PrivilegedExceptionAction<Void> action) throws Exception {
        UserGroupInformation.createRemoteUser(user).doAs(action);
    }

    private static final class Member implements FailoverRequests {
        private final List<String> asked = new ArrayList<>();
        private CompletableFuture<String> answer = CompletableFuture.completedFuture("");

        @Override
        public CompletableFuture<String> takeOver() {
            asked.add("lead");
            return answer;
        }

        @Override
        public CompletableFuture<String> stepDown(Duration holdBack) {
            asked.add("cede for " + holdBack);
            return answer;
        }

        @Override
        public CompletableFuture<String> rejoin() {
            asked.add("rejoin");
            return answer;
        }

        @Override
        public String describe() {
            return "stage ACQUIRING_EPOCH";
        }
    }
}

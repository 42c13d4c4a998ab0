/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.trefoil.checkpoint.CheckpointJson;
import io.trefoil.foundation.AuditLog;
import io.trefoil.foundation.OrderRefusedException;
import io.trefoil.foundation.TestPorts;
import io.trefoil.foundation.hdfs.OrderAccess;
import io.trefoil.foundation.hdfs.TestKdc;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.HDFSPolicyProvider;
import org.apache.hadoop.ipc.GenericRefreshProtocol;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.ServiceAuthorizationManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The port of checkpoints, asked by those who may and those who may not, with and without Kerberos. */
class PluginServiceTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final String LIST = "security.refresh.generic.protocol.acl";

    @TempDir
    private Path directory;

    private final Configuration conf = new Configuration(false);
    private final AuditLog audit = new AuditLog();
    private final ServiceAuthorizationManager lists = new ServiceAuthorizationManager();
    /** What reached those who carry it out. */
    private final List<String> carriedOut = new CopyOnWriteArrayList<>();

    private InetSocketAddress address;
    private PluginService service;

    @BeforeEach
    void findPort() throws IOException {
        address = new InetSocketAddress("localhost", TestPorts.free());
        conf.setInt("trefoil.checkpoint.port", address.getPort());
    }

    @AfterEach
    void stop() {
        service.close();
    }

    private void serve() throws IOException {
        InetSocketAddress nameNode = new InetSocketAddress(InetAddress.getByName("localhost"), 8020);
        service = new PluginService(
                conf,
                nameNode,
                OrderAccess.forOwnPort(conf, audit, lists, GenericRefreshProtocol.class),
                this::carryOut);
    }

    private JsonNode carryOut(String order, JsonNode arguments) throws IOException {
        carriedOut.add(order);
        if (arguments.has("refuse")) {
            throw new OrderRefusedException(arguments.path("refuse").asText());
        }
        return CheckpointJson.object().put("done", order);
    }

    private JsonNode send(String order, JsonNode arguments) throws IOException {
        try (PluginClient client = new PluginClient(conf, address, TIMEOUT)) {
            return client.request(order, arguments);
        }
    }

    private JsonNode create() throws IOException {
        return send("create", CheckpointJson.object().put("id", "nightly.7f3a9c12"));
    }

    private JsonNode createAsUser(UserGroupInformation user) throws Exception {
        return user.doAs((PrivilegedExceptionAction<JsonNode>) this::create);
    }

    private static UserGroupInformation user(String name, String... groups) {
        return UserGroupInformation.createUserForTesting(name, groups);
    }

    @Test
    void onlyHdfsAdministratorsMayOrderCheckpoints() throws Exception {
        conf.set(DFSConfigKeys.DFS_ADMIN, "operator");
        conf.set(DFSConfigKeys.DFS_PERMISSIONS_SUPERUSERGROUP_KEY, "supers");
        serve();
        create();
        createAsUser(user("operator"));
        createAsUser(user("deputy", "supers"));
        assertThat(carriedOut).hasSize(3);

        assertThatThrownBy(() -> createAsUser(user("stranger", "others")))
                .hasMessageContaining("stranger")
                .hasMessageContaining("to create")
                .hasMessageContaining("Not listed in " + DFSConfigKeys.DFS_ADMIN)
                .as("one line for who typed it, without the trace of the server")
                .isInstanceOf(AccessControlException.class)
                .hasMessageNotContaining("\n");

        assertThat(carriedOut).as("what reached the plugin").hasSize(3);
        assertThat(audit.countDone()).isEqualTo(3);
        assertThat(audit.countRefused()).isEqualTo(1);
    }

    @Test
    void queriesRequireAuthorizationButAreNotAuditedAsOrders() throws Exception {
        serve();
        send("status", CheckpointJson.object());
        assertThat(audit.countDone()).isZero();

        assertThatThrownBy(() -> user("stranger")
                        .doAs((PrivilegedExceptionAction<JsonNode>) () -> send("status", CheckpointJson.object())))
                .hasMessageContaining("stranger");
        assertThat(audit.countRefused()).isEqualTo(1);
    }

    @Test
    void auditsOrdersRefusedByPlugin() throws Exception {
        serve();
        assertThatThrownBy(() -> send("freeze", CheckpointJson.object().put("refuse", "not active")))
                .isInstanceOf(OrderRefusedException.class)
                .hasMessage("not active");
        assertThat(audit.countRefused()).isEqualTo(1);
    }

    @Test
    void refreshedServiceAclApplies() throws Exception {
        conf.setBoolean("hadoop.security.authorization", true);
        conf.set(DFSConfigKeys.DFS_ADMIN, "operator,deputy");
        refreshAcl("operator");
        serve();
        createAsUser(user("operator"));
        assertThatThrownBy(() -> createAsUser(user("deputy")))
                .hasMessageContaining("deputy")
                .hasMessageContaining("is not authorized for protocol");
        assertThat(carriedOut).hasSize(1);
        assertThat(audit.countRefused()).isEqualTo(1);

        refreshAcl("deputy");
        createAsUser(user("deputy"));
        assertThatThrownBy(() -> createAsUser(user("operator"))).hasMessageContaining("is not authorized for protocol");
        assertThat(carriedOut).hasSize(2);
    }

    /** What {@code dfsadmin -refreshServiceAcl} has the NameNode do with its {@code hadoop-policy.xml}. */
    private void refreshAcl(String users) {
        Configuration policy = new Configuration(false);
        policy.set(LIST, users);
        lists.refreshWithLoadedConfiguration(policy, new HDFSPolicyProvider());
    }

    @Test
    void onlyNameNodesAndAdministratorsAreAuthorizedWithKerberos() throws Exception {
        try (TestKdc kdc = new TestKdc(directory)) {
            conf.set("dfs.nameservices", "one,other");
            conf.set("dfs.namenode.rpc-address.one", "localhost:8020");
            conf.set("dfs.namenode.rpc-address.other", "localhost:8021");
            conf.set(DFSConfigKeys.DFS_NAMENODE_KERBEROS_PRINCIPAL_KEY, kdc.principal("nn/_HOST"));
            conf.set(DFSConfigKeys.DFS_NAMENODE_KERBEROS_PRINCIPAL_KEY + ".other", kdc.principal("elsewhere/_HOST"));
            conf.set(DFSConfigKeys.DFS_ADMIN, "operator");
            kdc.login(conf, "nn/localhost");
            serve();
            create();
            createAsUser(kdc.user("elsewhere/localhost"));
            createAsUser(kdc.user("operator"));
            assertThat(carriedOut).hasSize(3);

            assertThatThrownBy(() -> createAsUser(kdc.user("elsewhere/foreign")))
                    .hasMessageContaining("elsewhere/foreign");
            assertThatThrownBy(() -> createAsUser(kdc.user("stranger")))
                    .hasMessageContaining("stranger@")
                    .hasMessageContaining("Not listed in " + DFSConfigKeys.DFS_ADMIN);
            assertThat(audit.countRefused()).isEqualTo(2);

            assertThatThrownBy(() -> createAsUser(UserGroupInformation.createRemoteUser("nn")))
                    .hasMessageContaining("authenticate");
            assertThat(answerToUnauthenticatedClient()).contains("SIMPLE authentication is not enabled");
            assertThat(carriedOut).as("what reached the plugin").hasSize(3);
        }
    }

    @Test
    void rejectsServerWithUnexpectedPrincipal() throws Exception {
        try (TestKdc kdc = new TestKdc(directory)) {
            conf.set(DFSConfigKeys.DFS_NAMENODE_KERBEROS_PRINCIPAL_KEY, kdc.principal("nn/_HOST"));
            kdc.login(conf, "impostor/localhost");
            serve();
            assertThatThrownBy(this::create).hasMessageContaining("invalid Kerberos principal");
            assertThat(carriedOut).isEmpty();

            conf.set(DFSConfigKeys.DFS_NAMENODE_KERBEROS_PRINCIPAL_KEY + ".pattern", "impostor/*@*");
            create();
            assertThat(carriedOut).as("where the principal fits the pattern").hasSize(1);
        }
    }

    @Test
    void rejectsServerWithoutAuthentication() throws Exception {
        try (TestKdc kdc = new TestKdc(directory)) {
            conf.set(DFSConfigKeys.DFS_NAMENODE_KERBEROS_PRINCIPAL_KEY, kdc.principal("nn/_HOST"));
            kdc.login(conf, "nn/localhost");
            conf.set("hadoop.security.authentication", "simple");
            serve();
            conf.set("hadoop.security.authentication", "kerberos");
            // For copies from old clusters; our orders must not be given to any server because of it.
            conf.setBoolean("ipc.client.fallback-to-simple-auth-allowed", true);

            assertThatThrownBy(this::create).hasMessageContaining("fall back to SIMPLE auth");

            assertThat(carriedOut).isEmpty();
        }
    }

    /** As a client of Hadoop's begins that has no Kerberos and says only what it is called. */
    private String answerToUnauthenticatedClient() throws IOException {
        try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
            socket.setSoTimeout((int) TIMEOUT.toMillis());
            socket.getOutputStream().write(new byte[] {'h', 'r', 'p', 'c', 9, 0, 0});
            // The context of a connection, of no length, for which the server need not wait.
            socket.getOutputStream().write(new byte[] {0, 0, 0, 0});
            socket.getOutputStream().flush();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.HAUtilClient;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenIdentifier;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.minikdc.MiniKdc;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.SecretManager;
import org.apache.hadoop.security.token.Token;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A client and NameNodes that show each other who they are, with a KDC in this process. The active is a NameNode that is
 * not configured: the client hears of it from one that is, over a connection that is authenticated.
 */
@Timeout(120)
class KerberosClientTest {
    private final Tokens tokens = new Tokens();
    private MiniKdc kdc;
    private FakeGroup group;
    private Configuration conf;

    @TempDir
    private Path directory;

    @BeforeEach
    void begin() throws Exception {
        kdc = new MiniKdc(MiniKdc.createConf(), directory.toFile());
        kdc.start();
        Configuration secure = new Configuration(false);
        secure(secure);
        UserGroupInformation.reset();
        UserGroupInformation.setConfiguration(secure);
        UserGroupInformation.loginUserFromKeytab("nn/localhost@" + kdc.getRealm(), keytab("nn/localhost"));
        group = new FakeGroup(3, secure, tokens);
        conf = group.configuration();
        secure(conf);
        conf.set("dfs.namenode.kerberos.principal", "nn/_HOST@" + kdc.getRealm());
        FakeGroup.isolate(conf);
        // Kerberos' classes may take long on a busy machine.
        conf.set("dfs.client.failover.namenode.ha-state.probe.timeout", "30s");
        conf.set("trefoil.client.failover.timeout", "60s");
        conf.set("dfs.ha.namenodes.group", "nn1");
        group.nameNode(1)
                .setMembers(
                        List.of(group.nameNode(1).address(), group.nameNode(3).address()));
        group.makeActive(3);
    }

    private static void secure(Configuration conf) {
        conf.set("hadoop.security.authentication", "kerberos");
        // Not DEFAULT: what the JDK takes for the default realm may be from before this test.
        conf.set("hadoop.security.auth_to_local", "RULE:[1:$1] RULE:[2:$1]");
    }

    private String keytab(String principal) throws Exception {
        File file = directory.resolve(principal.replace('/', '-') + ".keytab").toFile();
        kdc.createPrincipal(file, principal);
        return file.getPath();
    }

    @AfterEach
    void end() {
        group.close();
        kdc.stop();
        System.clearProperty("java.security.krb5.conf");
        UserGroupInformation.reset();
        UserGroupInformation.setConfiguration(new Configuration(false));
    }

    private boolean mkdirsAs(UserGroupInformation user) throws Exception {
        return user.doAs((PrivilegedExceptionAction<Boolean>)
                () -> group.client(conf).mkdirs("/a", FsPermission.getDirDefault(), true));
    }

    @Test
    void callsMemberNamedByAuthenticatedNameNodeWithTicket() throws Exception {
        UserGroupInformation alice =
                UserGroupInformation.loginUserFromKeytabAndReturnUGI("alice@" + kdc.getRealm(), keytab("alice"));

        assertThat(mkdirsAs(alice)).isTrue();

        assertThat(group.nameNode(3).executedMethods()).containsExactly("mkdirs");
        assertThat(group.nameNode(1).roleQueryCount()).as("asked for its role").isPositive();
    }

    @Test
    void callsNamedMemberWithDelegationTokenOfNameservice() throws Exception {
        UserGroupInformation task = UserGroupInformation.createRemoteUser("alice");
        Token<DelegationTokenIdentifier> token = new Token<>(
                new DelegationTokenIdentifier(new Text("alice"), new Text("yarn"), new Text("alice")), tokens);
        token.setService(
                HAUtilClient.buildTokenServiceForLogicalUri(FakeGroup.URI_OF_GROUP, HdfsConstants.HDFS_URI_SCHEME));
        task.addToken(token);

        assertThat(mkdirsAs(task)).isTrue();

        assertThat(group.nameNode(3).executedMethods()).containsExactly("mkdirs");
    }

    /** The same password for all tokens, as the NameNodes of a group have the same keys. */
    private static final class Tokens extends SecretManager<DelegationTokenIdentifier> {
        @Override
        protected byte[] createPassword(DelegationTokenIdentifier identifier) {
            return new byte[] {1, 2, 3};
        }

        @Override
        public byte[] retrievePassword(DelegationTokenIdentifier identifier) {
            return new byte[] {1, 2, 3};
        }

        @Override
        public DelegationTokenIdentifier createIdentifier() {
            return new DelegationTokenIdentifier();
        }
    }
}

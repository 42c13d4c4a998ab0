/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.foundation.AuditLog;
import io.trefoil.foundation.AuditedOrder;
import io.trefoil.journal.TestKdc;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.SaslRpcServer.AuthMethod;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OrderAccessTest {
    @TempDir
    Path directory;

    private final AuditLog audit = new AuditLog();

    @Test
    void withKerberosADataNodeTakesOrdersFromNameNodesAndAdministratorsWithATicket() throws Exception {
        try (TestKdc kdc = new TestKdc(directory)) {
            Configuration conf = new Configuration(false);
            kdc.login(conf, "dn/localhost");
            conf.set("dfs.nameservices", "sales");
            conf.set("dfs.namenode.rpc-address.sales", "localhost:8020");
            conf.set("dfs.namenode.kerberos.principal", kdc.principal("nn/localhost"));
            conf.set("dfs.cluster.administrators", "operator");
            OrderAccess access = OrderAccess.atDataNodesPort(conf, audit);

            assertThat(ask(access, kdc.principal("nn/localhost"), AuthMethod.KERBEROS)
                            .order())
                    .isEqualTo("link");
            ask(access, kdc.principal("operator"), AuthMethod.KERBEROS);

            assertThatThrownBy(() -> ask(access, kdc.principal("operator"), AuthMethod.TOKEN))
                    .isInstanceOf(AccessControlException.class)
                    .hasMessageContaining("no Kerberos ticket");
            assertThatThrownBy(() -> ask(access, kdc.principal("nn/localhost"), AuthMethod.TOKEN))
                    .hasMessageContaining("no Kerberos ticket");
            // Its own principal: another DataNode, or whoever took one over.
            assertThatThrownBy(() -> ask(access, kdc.principal("dn/localhost"), AuthMethod.KERBEROS))
                    .hasMessageContaining("Disallowed RPC access");
            assertThat(audit.countRefused()).isEqualTo(3);
        }
    }

    @Test
    void withoutKerberosADataNodeTakesOrdersFromItsOwnUser() throws Exception {
        OrderAccess access = OrderAccess.atDataNodesPort(new Configuration(false), audit);

        access.admit("link", "sales stock");

        assertThatThrownBy(() -> ask(access, "stranger", AuthMethod.SIMPLE)).hasMessageContaining("stranger");
    }

    private static AuditedOrder ask(OrderAccess access, String user, AuthMethod method) throws Exception {
        return UserGroupInformation.createRemoteUser(user, method)
                .doAs((PrivilegedExceptionAction<AuditedOrder>) () -> access.admit("link", "sales stock"));
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.foundation.AuditLog;
import io.trefoil.foundation.AuditedOrder;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.SaslRpcServer.AuthMethod;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.util.KerberosName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OrderAccessTest {
    @TempDir
    Path directory;

    private final AuditLog audit = new AuditLog();

    @Test
    void kerberosDataNodeTakesOrdersFromNameNodesAndAdministrators() throws Exception {
        try (TestKdc kdc = new TestKdc(directory)) {
            Configuration conf = new Configuration(false);
            kdc.login(conf, "dn/localhost");
            conf.set("dfs.nameservices", "sales");
            conf.set("dfs.namenode.rpc-address.sales", "localhost:8020");
            conf.set("dfs.namenode.kerberos.principal", kdc.principal("nn/localhost"));
            conf.set("dfs.cluster.administrators", "operator");
            OrderAccess access = OrderAccess.forDataNodePort(conf, audit);

            assertThat(requestOrder(access, kdc.principal("nn/localhost"), AuthMethod.KERBEROS)
                            .order())
                    .isEqualTo("link");
            requestOrder(access, kdc.principal("operator"), AuthMethod.KERBEROS);

            assertThatThrownBy(() -> requestOrder(access, kdc.principal("operator"), AuthMethod.TOKEN))
                    .isInstanceOf(AccessControlException.class)
                    .hasMessageContaining("no Kerberos ticket");
            assertThatThrownBy(() -> requestOrder(access, kdc.principal("nn/localhost"), AuthMethod.TOKEN))
                    .hasMessageContaining("no Kerberos ticket");
            // Its own principal: another DataNode, or an attacker who took one over.
            assertThatThrownBy(() -> requestOrder(access, kdc.principal("dn/localhost"), AuthMethod.KERBEROS))
                    .hasMessageContaining("Disallowed RPC access");
            assertThat(audit.countRefused()).isEqualTo(3);
        }
    }

    @Test
    void dataNodesRejectOrdersFromEachOtherDespiteAdministratorRights() throws Exception {
        try (TestKdc kdc = new TestKdc(directory)) {
            Configuration conf = new Configuration(false);
            kdc.login(conf, "dn/localhost");
            // As secure clusters often have it: all daemons are the superuser, who is an administrator.
            KerberosName.setRules("RULE:[2:$1](nn|dn)s/.*/hdfs/\nDEFAULT");
            conf.set("dfs.nameservices", "sales");
            conf.set("dfs.namenode.rpc-address.sales", "localhost:8020");
            conf.set("dfs.namenode.kerberos.principal", kdc.principal("nn/_HOST"));
            conf.set("dfs.datanode.kerberos.principal", kdc.principal("dn/_HOST"));
            conf.set("dfs.cluster.administrators", "hdfs");
            OrderAccess access = OrderAccess.forDataNodePort(conf, audit);

            requestOrder(access, kdc.principal("nn/localhost"), AuthMethod.KERBEROS);
            requestOrder(access, kdc.principal("hdfs"), AuthMethod.KERBEROS);
            for (String host : new String[] {"localhost", "dn2.example.com"}) {
                assertThatThrownBy(() -> requestOrder(access, kdc.principal("dn/" + host), AuthMethod.KERBEROS))
                        .isInstanceOf(AccessControlException.class)
                        .hasMessageContaining("dn/" + host)
                        .hasMessageContaining("DataNodes take no orders from each other");
            }
            // An administrator for whom a DataNode speaks.
            UserGroupInformation other =
                    UserGroupInformation.createRemoteUser(kdc.principal("dn/dn2.example.com"), AuthMethod.KERBEROS);
            assertThatThrownBy(() -> requestOrder(access, UserGroupInformation.createProxyUser("hdfs", other)))
                    .hasMessageContaining("DataNodes take no orders from each other");

            conf.set("dfs.datanode.kerberos.principal", kdc.principal("nn/_HOST"));
            requestOrder(access, kdc.principal("nn/localhost"), AuthMethod.KERBEROS);
            assertThatThrownBy(() -> requestOrder(access, kdc.principal("nn/dn2.example.com"), AuthMethod.KERBEROS))
                    .as("a DataNode that has the NameNodes' principal but for the host")
                    .hasMessageContaining("DataNodes take no orders from each other");
        }
    }

    @Test
    void sharedPrincipalCountsAsDataNodeOutsideNameNodeHosts() throws Exception {
        try (TestKdc kdc = new TestKdc(directory)) {
            Configuration conf = new Configuration(false);
            kdc.login(conf, "hdfs/localhost");
            conf.set("dfs.nameservices", "sales");
            conf.set("dfs.namenode.rpc-address.sales", "localhost:8020");
            conf.set("dfs.namenode.kerberos.principal", kdc.principal("hdfs/_HOST"));
            conf.set("dfs.datanode.kerberos.principal", kdc.principal("hdfs/_HOST"));
            conf.set("dfs.cluster.administrators", "hdfs");
            OrderAccess access = OrderAccess.forDataNodePort(conf, audit);

            assertThatThrownBy(() -> requestOrder(access, kdc.principal("hdfs/admin.example.com"), AuthMethod.KERBEROS))
                    .as("an operator")
                    .isInstanceOf(AccessControlException.class)
                    .hasMessageContaining("is a DataNode's principal");
            // A NameNode, or the DataNode beside it.
            requestOrder(access, kdc.principal("hdfs/localhost"), AuthMethod.KERBEROS);
            requestOrder(access, kdc.principal("hdfs"), AuthMethod.KERBEROS);
        }
    }

    @Test
    void unsecuredDataNodeTakesOrdersFromItsOwnUser() throws Exception {
        OrderAccess access = OrderAccess.forDataNodePort(new Configuration(false), audit);

        access.admit("link", "sales stock");

        assertThatThrownBy(() -> requestOrder(access, "stranger", AuthMethod.SIMPLE))
                .hasMessageContaining("stranger");
    }

    private static AuditedOrder requestOrder(OrderAccess access, String user, AuthMethod method) throws Exception {
        return requestOrder(access, UserGroupInformation.createRemoteUser(user, method));
    }

    private static AuditedOrder requestOrder(OrderAccess access, UserGroupInformation caller) throws Exception {
        return caller.doAs((PrivilegedExceptionAction<AuditedOrder>) () -> access.admit("link", "sales stock"));
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client of a secure cluster that meets servers which do not show who they are; it has no ticket itself. */
@Timeout(120)
class SecureClientTest {
    private FakeGroup group;
    private Configuration conf;

    @BeforeEach
    void begin() throws IOException {
        group = new FakeGroup(3);
        System.setProperty("java.security.krb5.realm", "NOWHERE");
        System.setProperty("java.security.krb5.kdc", "localhost");
        conf = group.configuration();
        conf.set("hadoop.security.authentication", "kerberos");
        conf.set("hadoop.security.auth_to_local", "DEFAULT");
        FakeGroup.isolate(conf);
        UserGroupInformation.setConfiguration(conf);
    }

    @AfterEach
    void end() {
        group.close();
        UserGroupInformation.setConfiguration(new Configuration(false));
        System.clearProperty("java.security.krb5.realm");
        System.clearProperty("java.security.krb5.kdc");
    }

    private boolean mkdirs(Class<?> provider) throws IOException, InterruptedException {
        conf.set("dfs.client.failover.proxy.provider.group", provider.getName());
        return UserGroupInformation.createRemoteUser("somebody").doAs((PrivilegedExceptionAction<Boolean>)
                () -> group.client(conf).mkdirs("/a", FsPermission.getDirDefault(), true));
    }

    private Throwable failureOf(Class<?> provider) {
        try {
            mkdirs(provider);
            throw new AssertionError("the call was answered");
        } catch (IOException | InterruptedException e) {
            return e;
        }
    }

    @Test
    void failsImmediatelyLikeStockWhenSimpleAuthIsForbidden() {
        group.makeActive(1);
        Throwable stock = failureOf(ConfiguredFailoverProxyProvider.class);
        conf.set("trefoil.client.failover.timeout", "50s");
        long began = System.nanoTime();
        Throwable ours = failureOf(SmartFailoverProxyProvider.class);
        assertThat(ours).hasSameClassAs(stock).hasMessageContaining("fall back to SIMPLE auth");
        assertThat(System.nanoTime() - began).isLessThan(TimeUnit.SECONDS.toNanos(40));
    }

    @Test
    void ignoresMembersNamedByUnauthenticatedServer() throws Exception {
        conf.set("dfs.ha.namenodes.group", "nn1");
        conf.setBoolean("ipc.client.fallback-to-simple-auth-allowed", true);
        // Kerberos' classes may take as long on a busy machine.
        conf.set("dfs.client.failover.namenode.ha-state.probe.timeout", "30s");
        conf.set("trefoil.client.failover.timeout", "60s");
        group.nameNode(1)
                .setMembers(
                        List.of(group.nameNode(1).address(), group.nameNode(3).address()));
        group.makeActive(3);
        CompletableFuture<Boolean> call = CompletableFuture.supplyAsync(() -> {
            try {
                return mkdirs(SmartFailoverProxyProvider.class);
            } catch (IOException | InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        await().atMost(Duration.ofSeconds(50)).until(() -> group.nameNode(1).roleQueryCount() >= 5);
        group.makeActive(1);
        assertThat(call.get()).isTrue();
        assertThat(group.nameNode(3).requestCount()).isZero();
    }
}

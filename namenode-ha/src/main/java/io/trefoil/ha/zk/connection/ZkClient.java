/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.zk.connection;

import io.trefoil.foundation.names.HostResolver;
import java.nio.charset.StandardCharsets;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;

/** Creates ZooKeeper clients. */
public final class ZkClient {

    private static final int RETRY_MILLIS = 50;

    private static final String CONFIG = "org.apache.zookeeper.client.ZKClientConfig";

    /** Whether ZooKeeper's client lets its users provide the list of servers, as it does since 3.5; Hadoop 3.2 ships 3.4. */
    private static final boolean REMEMBERS =
            ZkClient.class.getClassLoader().getResource(CONFIG.replace('.', '/') + ".class") != null;

    private ZkClient() {}

    /** Creates a client without starting it. */
    public static CuratorFramework of(ZkSettings settings) {
        int timeoutMillis = (int) settings.sessionTimeout().toMillis();
        CuratorFrameworkFactory.Builder builder = CuratorFrameworkFactory.builder()
                .connectString(settings.quorum())
                .sessionTimeoutMs(timeoutMillis)
                .connectionTimeoutMs(timeoutMillis)
                // A failed request is repeated when the view shows that it had no effect.
                .retryPolicy(new RetryOneTime(RETRY_MILLIS))
                .aclProvider(ZkAcls.parse(settings.acl()));
        if (settings.tls().isOn()) {
            requireTls(builder);
            // It would follow what ZooKeeper reports about its own servers, which is their ports without TLS.
            builder.ensembleTracker(false);
        }
        if (REMEMBERS) {
            builder.zookeeperFactory(new CachedServerAddresses(
                    HostResolver.ofProcess(), settings.tls().properties()));
        }
        for (ZkSettings.Auth auth : settings.auths()) {
            builder.authorization(auth.scheme(), auth.secret().getBytes(StandardCharsets.UTF_8));
        }
        return builder.build();
    }

    private static void requireTls(CuratorFrameworkFactory.Builder builder) {
        try {
            builder.getClass().getMethod("zkClientConfig", Class.forName(CONFIG));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(
                    "TLS to ZooKeeper needs Curator 5, which Hadoop brings since 3.3.5; this one is from "
                            + CuratorFramework.class.getProtectionDomain().getCodeSource(),
                    e);
        }
    }
}

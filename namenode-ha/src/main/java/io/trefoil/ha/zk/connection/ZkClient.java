/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.zk.connection;

import io.trefoil.foundation.names.HostFinder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.client.ZKClientConfig;

/** Creates ZooKeeper clients. */
public final class ZkClient {

    private static final int RETRY_MILLIS = 50;

    private ZkClient() {}

    /** A client that has not been started. */
    public static CuratorFramework of(ZkSettings settings) {
        int timeoutMillis = (int) settings.sessionTimeout().toMillis();
        CuratorFrameworkFactory.Builder builder = CuratorFrameworkFactory.builder()
                .connectString(settings.quorum())
                .sessionTimeoutMs(timeoutMillis)
                .connectionTimeoutMs(timeoutMillis)
                // A failed request is repeated when the view shows that it had no effect.
                .retryPolicy(new RetryOneTime(RETRY_MILLIS))
                .aclProvider(ZkAcls.parse(settings.acl()));
        Optional<ZKClientConfig> config = Optional.empty();
        if (settings.tls().isOn()) {
            requireTls(builder);
            ZKClientConfig keys = new ZKClientConfig();
            settings.tls().properties().forEach(keys::setProperty);
            config = Optional.of(keys);
            // It would follow what ZooKeeper reports about its own servers, which is their ports without TLS.
            builder.ensembleTracker(false);
        }
        builder.zookeeperFactory(new RememberedServers(HostFinder.ofProcess(), config));
        for (ZkSettings.Auth auth : settings.auths()) {
            builder.authorization(auth.scheme(), auth.secret().getBytes(StandardCharsets.UTF_8));
        }
        return builder.build();
    }

    private static void requireTls(CuratorFrameworkFactory.Builder builder) {
        try {
            builder.getClass().getMethod("zkClientConfig", ZKClientConfig.class);
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(
                    "TLS to ZooKeeper needs Curator 5, which Hadoop brings since 3.3.5; this one is from "
                            + CuratorFramework.class.getProtectionDomain().getCodeSource(),
                    e);
        }
    }
}

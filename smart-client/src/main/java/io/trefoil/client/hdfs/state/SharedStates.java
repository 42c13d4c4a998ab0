/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client.hdfs.state;

import java.lang.ref.WeakReference;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.server.namenode.ha.ObserverReadProxyProvider;
import org.apache.hadoop.ipc.AlignmentContext;

/**
 * Finds the state shared by the clients of one file system. A file system that replaces its clients, while streams and
 * calls still use the old ones, gives all of them one configuration; each provider finds there what it shares with
 * others of the same nameservice. Thread-safe.
 *
 * <p>HDFS builds each provider separately and gives it nothing but a configuration, so what is shared is static, for as long as one of
 * the clients exists.
 *
 * <p>Uses {@code HdfsClientConfigKeys.Failover.PROXY_PROVIDER_KEY_PREFIX}, {@code ObserverReadProxyProvider}.
 */
public final class SharedStates {

    /** The configuration key of the file system to which a client belongs. */
    private static final String OWNER = "io.trefoil.client.shared-state";

    private static final String PROVIDERS = HdfsClientConfigKeys.Failover.PROXY_PROVIDER_KEY_PREFIX + ".";

    // Guarded by itself.
    private static final Map<String, WeakReference<SeenState>> STATES = new HashMap<>();

    private SharedStates() {}

    /**
     * A configuration for all clients of one file system; Hadoop's provider that reads from observers is replaced by one that shares its
     * state.
     */
    public static Configuration configurationForFileSystem(Configuration conf) {
        Configuration shared = new Configuration(conf);
        shared.set(OWNER, UUID.randomUUID().toString());
        conf.getPropsWithPrefix(PROVIDERS).forEach((nameservice, provider) -> {
            if (provider.equals(ObserverReadProxyProvider.class.getName())) {
                shared.set(PROVIDERS + nameservice, SharedStateObserverReadProxyProvider.class.getName());
            }
        });
        return shared;
    }

    /**
     * The context for the connections of a client.
     *
     * @param ownContext what the client itself was told; the result if it shares nothing
     */
    public static AlignmentContext contextFor(Configuration conf, URI nameservice, AlignmentContext ownContext) {
        String owner = conf.get(OWNER);
        return owner == null
                ? ownContext
                : state(owner + " " + nameservice.getHost()).contextFor(ownContext);
    }

    private static SeenState state(String key) {
        synchronized (STATES) {
            WeakReference<SeenState> known = STATES.get(key);
            SeenState state = known == null ? null : known.get();
            if (state == null) {
                STATES.values().removeIf(reference -> reference.get() == null);
                state = new SeenState();
                STATES.put(key, new WeakReference<>(state));
            }
            return state;
        }
    }
}

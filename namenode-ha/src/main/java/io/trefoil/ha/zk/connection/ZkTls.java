/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.zk.connection;

import com.google.auto.value.AutoValue;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/** The settings of encrypted connections to ZooKeeper: how, and with which certificates. Immutable. */
@AutoValue
public abstract class ZkTls {

    /** Returns settings without encryption. */
    public static ZkTls none() {
        return new AutoValue_ZkTls(Collections.emptyMap());
    }

    /** Creates settings with certificates on both sides, as for a ZKFC. */
    public static ZkTls of(Store ownKey, Store trusted) {
        Map<String, String> properties = new TreeMap<>();
        properties.put("zookeeper.client.secure", "true");
        // The only one of ZooKeeper's implementations that supports TLS.
        properties.put("zookeeper.clientCnxnSocket", "org.apache.zookeeper.ClientCnxnSocketNetty");
        properties.put("zookeeper.ssl.keyStore.location", ownKey.location());
        properties.put("zookeeper.ssl.keyStore.password", ownKey.password());
        properties.put("zookeeper.ssl.trustStore.location", trusted.location());
        properties.put("zookeeper.ssl.trustStore.password", trusted.password());
        return new AutoValue_ZkTls(Collections.unmodifiableMap(properties));
    }

    /** The settings of ZooKeeper's client, by its own names. */
    abstract Map<String, String> properties();

    final boolean isOn() {
        return !properties().isEmpty();
    }

    @Override
    public final String toString() {
        return isOn() ? "TLS with " + properties().get("zookeeper.ssl.keyStore.location") : "no TLS";
    }

    /** A file with a key or with certificates. Immutable. */
    @AutoValue
    public abstract static class Store {

        public static Store of(String location, String password) {
            return new AutoValue_ZkTls_Store(location, password);
        }

        public abstract String location();

        public abstract String password();

        @Override
        public final String toString() {
            return location();
        }
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.zk.connection;

import com.google.auto.value.AutoValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The settings for reaching ZooKeeper, and what to use there. Immutable. */
@AutoValue
public abstract class ZkSettings {

    public static Builder builder() {
        return new AutoValue_ZkSettings.Builder()
                .sessionTimeout(Duration.ofSeconds(5))
                .acl("world:anyone:rwcda")
                .tls(ZkTls.none())
                .auths(Collections.<Auth>emptyList());
    }

    /** The servers, as {@code host:port,host:port}. */
    public abstract String quorum();

    /** The directory of the group. */
    public abstract String path();

    public abstract Duration sessionTimeout();

    /** The ZooKeeper ACL: {@code scheme:id:permissions}, separated by commas. */
    public abstract String acl();

    public abstract List<Auth> auths();

    public abstract ZkTls tls();

    /**
     * Whether the ACL lets any client write, and so take part in elections.
     *
     * @throws IllegalArgumentException if it is not an access list
     */
    public final boolean isWorldWritable() {
        return ZkAcls.parse(acl()).isWorldWritable();
    }

    /** An identity that this process presents to ZooKeeper. Immutable. */
    @AutoValue
    public abstract static class Auth {

        public static Auth of(String scheme, String secret) {
            return new AutoValue_ZkSettings_Auth(scheme, secret);
        }

        abstract String scheme();

        abstract String secret();

        @Override
        public final String toString() {
            return scheme() + ":...";
        }
    }

    /** Collects settings. */
    @AutoValue.Builder
    public abstract static class Builder {

        public abstract Builder quorum(String quorum);

        public abstract Builder path(String path);

        public abstract Builder sessionTimeout(Duration timeout);

        public abstract Builder acl(String acl);

        public abstract Builder auths(List<Auth> auths);

        public abstract Builder tls(ZkTls tls);

        abstract List<Auth> auths();

        abstract ZkSettings autoBuild();

        public final ZkSettings build() {
            auths(Collections.unmodifiableList(new ArrayList<>(auths())));
            return autoBuild();
        }
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.config;

import com.google.auto.value.AutoValue;
import io.trefoil.foundation.hdfs.ConfigKey;
import io.trefoil.foundation.hdfs.SuffixedConfiguration;
import io.trefoil.ha.zk.connection.ZkSettings;
import io.trefoil.ha.zk.connection.ZkTls;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.ProviderUtils;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.ZKUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything that automatic failover reads from Hadoop's configuration, read once and validated. Immutable.
 *
 * <p>Uses {@code ZKUtil.resolveConfIndirection}, {@code ZKUtil.ZKAuthInfo}, {@code SecurityUtil.getZKAuthInfos}: access
 * to ZooKeeper is configured as for the ZKFC.
 */
@AutoValue
public abstract class MamsSettings {

    private static final Logger LOG = LoggerFactory.getLogger(MamsSettings.class);

    private static final String ACL_KEY = "ha.zookeeper.acl";
    private static final String AUTH_KEY = "ha.zookeeper.auth";
    /** The ZKFC's default for an ACL that is set but empty. */
    private static final String CREATOR_ONLY = "auth::rwcda";

    /**
     * Reads the settings of the NameNode's plugin.
     *
     * @throws IllegalArgumentException if something is missing or wrong; the text names the property
     */
    public static MamsSettings read(Configuration conf) throws IOException {
        if (!conf.getBoolean(DFSConfigKeys.DFS_HA_AUTO_FAILOVER_ENABLED_KEY, false)) {
            throw new IllegalArgumentException(DFSConfigKeys.DFS_HA_AUTO_FAILOVER_ENABLED_KEY
                    + " is not true: HDFS would refuse every change of role that this plugin asks for");
        }
        SuffixedConfiguration suffixedConf = SuffixedConfiguration.ofNameNode(conf);
        String nameservice = required(conf, DFSConfigKeys.DFS_NAMESERVICE_ID);
        String nameNode = required(conf, DFSConfigKeys.DFS_HA_NAMENODE_ID_KEY);
        return new AutoValue_MamsSettings(
                nameservice,
                nameNode,
                zooKeeper(conf, suffixedConf, nameservice),
                heldCalls(conf),
                MamsKeys.DISK_TIMEOUT.get(suffixedConf),
                standbysServeReads(conf, suffixedConf),
                electable(conf, suffixedConf),
                MamsKeys.PRIORITY.get(suffixedConf),
                MamsKeys.SITE.find(suffixedConf).orElse(""),
                readCommitted(conf, suffixedConf),
                forwardCalls(conf, suffixedConf),
                nearReads(conf, suffixedConf));
    }

    /** The number of calls that may be held, half of the handlers; the other half is for DataNodes and operators. */
    private static int heldCalls(Configuration conf) {
        int handlers = conf.getInt(
                DFSConfigKeys.DFS_NAMENODE_HANDLER_COUNT_KEY, DFSConfigKeys.DFS_NAMENODE_HANDLER_COUNT_DEFAULT);
        return Math.max(1, handlers / 2);
    }

    private static boolean readCommitted(Configuration conf, SuffixedConfiguration suffixedConf) {
        boolean enabled = MamsKeys.READ_COMMITTED.get(suffixedConf);
        if (enabled) {
            requireTrue(
                    conf,
                    MamsKeys.READ_COMMITTED,
                    true,
                    DFSConfigKeys.DFS_NAMENODE_EDITS_ASYNC_LOGGING,
                    DFSConfigKeys.DFS_NAMENODE_EDITS_ASYNC_LOGGING_DEFAULT,
                    "HDFS would keep edits that no call waits for in memory until the next edit, and readers would wait"
                            + " as long");
        }
        return enabled;
    }

    private static boolean forwardCalls(Configuration conf, SuffixedConfiguration suffixedConf) {
        boolean enabled = MamsKeys.FORWARD_CALLS.get(suffixedConf);
        if (enabled) {
            requireTrue(
                    conf,
                    MamsKeys.FORWARD_CALLS,
                    true,
                    DFSConfigKeys.DFS_HA_TAILEDITS_INPROGRESS_KEY,
                    DFSConfigKeys.DFS_HA_TAILEDITS_INPROGRESS_DEFAULT,
                    "a NameNode that forwards a call would apply its result, and answer, only when a segment is "
                            + "finished");
            requireTrue(
                    conf,
                    MamsKeys.FORWARD_CALLS,
                    true,
                    DFSConfigKeys.DFS_NAMENODE_EDITS_ASYNC_LOGGING,
                    DFSConfigKeys.DFS_NAMENODE_EDITS_ASYNC_LOGGING_DEFAULT,
                    "HDFS would keep edits that no call waits for in memory until the next edit, and a "
                            + "NameNode that forwards calls would wait for them");
        }
        return enabled;
    }

    private static boolean nearReads(Configuration conf, SuffixedConfiguration suffixedConf) {
        boolean enabled = MamsKeys.NEAR_READS.get(suffixedConf);
        if (enabled && !MamsKeys.READ_COMMITTED.get(suffixedConf)) {
            throw new IllegalArgumentException(
                    MamsKeys.NEAR_READS.name() + " is true and " + MamsKeys.READ_COMMITTED.name()
                            + " is not: the active would tell clients what observers do not have yet; set the latter to true, or the"
                            + " former to false");
        }
        if (enabled) {
            requireTrue(
                    conf,
                    MamsKeys.NEAR_READS,
                    true,
                    DFSConfigKeys.DFS_HA_TAILEDITS_INPROGRESS_KEY,
                    DFSConfigKeys.DFS_HA_TAILEDITS_INPROGRESS_DEFAULT,
                    "an observer would have applied what its pool node has only when a segment is finished");
        }
        return enabled;
    }

    private static boolean standbysServeReads(Configuration conf, SuffixedConfiguration suffixedConf) {
        boolean enabled = MamsKeys.READ_STANDBYS.get(suffixedConf);
        if (enabled) {
            requireObservers(conf, MamsKeys.READ_STANDBYS, enabled);
        }
        return enabled;
    }

    private static boolean electable(Configuration conf, SuffixedConfiguration suffixedConf) {
        boolean electable = MamsKeys.ELECTABLE.get(suffixedConf);
        if (!electable) {
            requireObservers(conf, MamsKeys.ELECTABLE, electable);
        }
        return electable;
    }

    /** Checks the settings that HDFS's observers need. */
    private static void requireObservers(Configuration conf, ConfigKey<Boolean> key, boolean value) {
        requireTrue(
                conf,
                key,
                value,
                DFSConfigKeys.DFS_NAMENODE_STATE_CONTEXT_ENABLED_KEY,
                DFSConfigKeys.DFS_NAMENODE_STATE_CONTEXT_ENABLED_DEFAULT,
                "a client could not tell an observer what it has seen, and would read stale data");
        requireTrue(
                conf,
                key,
                value,
                DFSConfigKeys.DFS_HA_TAILEDITS_INPROGRESS_KEY,
                DFSConfigKeys.DFS_HA_TAILEDITS_INPROGRESS_DEFAULT,
                "an observer would apply a segment only when it is finished");
    }

    private static void requireTrue(
            Configuration conf,
            ConfigKey<Boolean> dependentKey,
            boolean value,
            String key,
            boolean byDefault,
            String message) {
        if (!conf.getBoolean(key, byDefault)) {
            throw new IllegalArgumentException(dependentKey.name() + " is " + value + " and " + key + " is not true: "
                    + message + "; set the latter to true, or the former to " + !value);
        }
    }

    /** The settings of ZooKeeper for the znodes of one nameservice, regardless of the identity used. */
    static ZkSettings zooKeeper(Configuration conf, SuffixedConfiguration suffixedConf, String nameservice)
            throws IOException {
        String quorum = MamsKeys.ZOOKEEPER_QUORUM
                .find(suffixedConf)
                .orElseThrow(() -> new IllegalArgumentException(MamsKeys.ZOOKEEPER_QUORUM.name()
                        + " is not set: it says where ZooKeeper is, as host:port,host:port"));
        ZkSettings.Builder settings = ZkSettings.builder()
                .quorum(quorum)
                .path(MamsKeys.ZOOKEEPER_ROOT.get(suffixedConf) + "/" + nameservice)
                .sessionTimeout(MamsKeys.SESSION_TIMEOUT.get(suffixedConf));
        String acl = ZKUtil.resolveConfIndirection(conf.getTrimmed(ACL_KEY));
        if (acl != null) {
            settings.acl(acl.trim().isEmpty() ? CREATOR_ONLY : acl.trim());
        }
        // Without the key providers in HDFS, which this NameNode does not serve yet.
        Configuration passwords =
                ProviderUtils.excludeIncompatibleCredentialProviders(conf, DistributedFileSystem.class);
        List<ZkSettings.Auth> auths = new ArrayList<>();
        for (ZKUtil.ZKAuthInfo auth : SecurityUtil.getZKAuthInfos(passwords, AUTH_KEY)) {
            auths.add(ZkSettings.Auth.of(auth.getScheme(), new String(auth.getAuth(), StandardCharsets.UTF_8)));
        }
        ZkSettings read = settings.auths(auths).tls(tls(passwords)).build();
        requireAccessList(read);
        return read;
    }

    private static void requireAccessList(ZkSettings settings) {
        boolean open;
        try {
            open = settings.isWorldWritable();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(ACL_KEY + ": " + e.getMessage(), e);
        }
        if (open && UserGroupInformation.isSecurityEnabled()) {
            LOG.warn(
                    "This cluster uses Kerberos, and acl={} lets every client change the NameNodes' znodes: any host that"
                            + " reaches ZooKeeper can keep NameNodes from becoming active. Set it, and {} or a JAAS file, as"
                            + " docs/operating/security.md says",
                    ACL_KEY,
                    AUTH_KEY);
        }
    }

    /** Reads the TLS settings from the ZKFC's keys, and like a ZKFC requires both stores. */
    private static ZkTls tls(Configuration conf) throws IOException {
        if (!conf.getBoolean(
                CommonConfigurationKeys.ZK_CLIENT_SSL_ENABLED,
                conf.getBoolean(DFSConfigKeys.ZK_CLIENT_SSL_ENABLED, DFSConfigKeys.DEFAULT_ZK_CLIENT_SSL_ENABLED))) {
            return ZkTls.none();
        }
        return ZkTls.of(
                store(
                        conf,
                        CommonConfigurationKeys.ZK_SSL_KEYSTORE_LOCATION,
                        CommonConfigurationKeys.ZK_SSL_KEYSTORE_PASSWORD),
                store(
                        conf,
                        CommonConfigurationKeys.ZK_SSL_TRUSTSTORE_LOCATION,
                        CommonConfigurationKeys.ZK_SSL_TRUSTSTORE_PASSWORD));
    }

    private static ZkTls.Store store(Configuration conf, String locationKey, String passwordKey) throws IOException {
        String location = conf.getTrimmed(locationKey, "");
        char[] password = conf.getPassword(passwordKey);
        if (location.isEmpty() || password == null || password.length == 0) {
            throw new IllegalArgumentException(CommonConfigurationKeys.ZK_CLIENT_SSL_ENABLED + " is true: that needs "
                    + locationKey + " and " + passwordKey);
        }
        return ZkTls.Store.of(location, new String(password));
    }

    private static String required(Configuration conf, String key) {
        String value = conf.getTrimmed(key);
        if (value == null || value.isEmpty()) {
            throw new IllegalArgumentException(
                    key + " is not known: this NameNode is not one of several in a nameservice");
        }
        return value;
    }

    public abstract String nameservice();

    public abstract String nameNode();

    public abstract ZkSettings zooKeeper();

    /** Returns the number of clients that may wait for this NameNode to become active. */
    public abstract int heldCalls();

    public abstract Duration diskTimeout();

    public abstract boolean standbysServeReads();

    public abstract boolean electable();

    public abstract int priority();

    /** The site of this NameNode; empty if none is configured. */
    public abstract String site();

    public abstract boolean readCommitted();

    /** Whether the NameNode forwards calls that need the active, and accepts calls that others forward. */
    public abstract boolean forwardCalls();

    /** Whether the NameNode answers reads under leases as an observer, and grants leases as the active. */
    public abstract boolean nearReads();

    /**
     * The names of the enabled features that need HDFS to give an edit its transaction id before it releases the lock under which the edit
     * was made: an answer is held, or waits at the NameNode that forwarded its call, for the last id that it may reveal.
     */
    public List<String> featuresNeedingEarlyTxIds() {
        List<String> names = new ArrayList<>();
        if (readCommitted()) {
            names.add(MamsKeys.READ_COMMITTED.name());
        }
        if (forwardCalls()) {
            names.add(MamsKeys.FORWARD_CALLS.name());
        }
        return names;
    }
}

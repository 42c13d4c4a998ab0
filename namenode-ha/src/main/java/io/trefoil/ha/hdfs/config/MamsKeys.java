/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.config;

import io.trefoil.foundation.hdfs.ConfigKey;
import io.trefoil.foundation.hdfs.SettingsSection;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All settings of automatic failover; {@code docs/reference/failover-settings.md} is generated from them. */
public final class MamsKeys implements SettingsSection {

    static final ConfigKey<String> ZOOKEEPER_QUORUM = ConfigKey.text("ha.zookeeper.quorum")
            .withDoc("Where ZooKeeper is, `host:port,host:port`: the key that the ZKFC reads. There is no default.");

    static final ConfigKey<String> ZOOKEEPER_ROOT = ConfigKey.text("trefoil.ha.zookeeper.root")
            .withDefault("/trefoil")
            .withBound("a path such as `/trefoil`", path -> path.startsWith("/") && !path.endsWith("/"))
            .withDoc("The root node in ZooKeeper; each nameservice has a node of its own below it.");

    static final ConfigKey<Duration> SESSION_TIMEOUT = ConfigKey.duration("trefoil.ha.zookeeper.session.timeout")
            .withDefault("5s")
            .withBound("at least 1s", timeout -> timeout.toMillis() >= 1_000)
            .withDoc("How long a member may be silent before ZooKeeper drops it from the view. A failover does not "
                    + "wait for this: the pool notices when the active fails.");

    static final ConfigKey<Duration> DISK_TIMEOUT = ConfigKey.duration("trefoil.ha.journal.disk.timeout")
            .withDefault("30s")
            .withBound("at least 1s", timeout -> timeout.toMillis() >= 1_000)
            .withDoc("How long the disk of the NameNode's own replica of the journal may leave a request "
                    + "unanswered before the NameNode counts as unhealthy and leaves the role to "
                    + "another. Nothing waits for that disk meanwhile: commits go on with the other "
                    + "nodes, so a controller's reset is not worth a failover. Set it to a few seconds "
                    + "if HDFS's logs or name directories, for which HDFS does wait, are on the same "
                    + "disk.");

    static final ConfigKey<Boolean> READ_STANDBYS = ConfigKey.flag("trefoil.ha.read-standbys")
            .withDefault("false")
            .withDoc("Whether all standbys but one answer reads, as HDFS's observers do, for clients with a "
                    + "reading provider such as `ObserverReadProxyProvider`. The remaining one makes "
                    + "the images and takes over first; roles change by themselves when a NameNode "
                    + "fails. Requires `dfs.namenode.state.context.enabled` and "
                    + "`dfs.ha.tail-edits.in-progress` to be true.");

    static final ConfigKey<Boolean> ELECTABLE = ConfigKey.flag("trefoil.ha.electable")
            .withDefault("true")
            .withDoc("Whether this NameNode may become active. With `false` it takes no part in elections, is "
                    + "refused as the target of a failover, and becomes an observer as soon as it has "
                    + "caught up: for a NameNode at another site, for reports, or for backups. At least "
                    + "two NameNodes of a nameservice should be electable. Requires the same two "
                    + "properties as `trefoil.ha.read-standbys`.");

    static final ConfigKey<Integer> PRIORITY = ConfigKey.count("trefoil.ha.priority")
            .withDefault("0")
            .withBound("at least 0", priority -> priority >= 0)
            .withDoc("Of several standbys that could take over, the one with the highest priority does: give the "
                    + "NameNodes of the preferred site the higher one. It only decides elections: an "
                    + "active is not replaced because one with a higher priority is up; `hdfs haadmin "
                    + "-failover` does that. A standby with a low priority takes over before a junior "
                    + "with a high one.");

    static final ConfigKey<String> SITE = ConfigKey.text("trefoil.ha.site")
            .withBound("one word of letters, digits, hyphens and underscores", ConfiguredSites::isName)
            .withDoc("The site of this NameNode and of the pool node in its process: a room, a data centre, an "
                    + "availability zone, whatever can be lost as a whole. Set it for each NameNode, as "
                    + "`trefoil.ha.site.ns1.nn1`. `hdfs trefoil status` says which site the journal "
                    + "cannot lose, and clients with `trefoil.client.site` read from observers at their "
                    + "own site. There is no default.");

    static final ConfigKey<Map<String, String>> POOL_SITES = ConfigKey.of(
                    "trefoil.ha.pool.sites", "host:port=site,host:port=site", ConfiguredSites::parse)
            .withDoc(
                    "The sites of pool nodes that are in no NameNode's process, by their addresses in the journal's URI.");

    static final ConfigKey<Boolean> READ_COMMITTED = ConfigKey.flag("trefoil.ha.read-committed")
            .withDefault("true")
            .withDoc("Whether clients are answered only when a majority of the pool has everything that the "
                    + "answer reveals, and no other NameNode can have become active before. Stock HDFS "
                    + "shows changes before they are in the journal, and a failover loses those; and an "
                    + "active that was paused, or is cut off, answers from a namespace that others have "
                    + "changed since. While edits are written, a reader waits for the rest of a commit; "
                    + "without a majority, readers wait as writers do. Requires "
                    + "`dfs.namenode.edits.asynclogging` to be true, as it is by default.");

    static final ConfigKey<Boolean> FORWARD_CALLS = ConfigKey.flag("trefoil.ha.forward-calls")
            .withDefault("false")
            .withDoc("Whether a standby or an observer forwards to the active the calls that HDFS would refuse "
                    + "there, and answers the client when it has applied the result itself: any "
                    + "NameNode then takes any call, and keeps it through a failover. For clients that know only one address; for others "
                    + "it is a detour. Takes effect between NameNodes that both have it set. Requires "
                    + "`dfs.ha.tail-edits.in-progress` and `dfs.namenode.edits.asynclogging` to be "
                    + "true. An active without a pool node in its process receives none of these calls.");

    static final ConfigKey<Boolean> NEAR_READS = ConfigKey.flag("trefoil.ha.near-reads")
            .withDefault("false")
            .withDoc(
                    "Whether an observer answers reads that miss nothing that any client was told before, without asking the active,"
                            + " and sends them to the active while it may not. While it does, a write is answered when the"
                            + " observer's pool node has it as well: one round trip to it, and once up to 1.5 s when it is lost. Set it at all"
                            + " NameNodes. Requires `trefoil.ha.read-committed` and `dfs.ha.tail-edits.in-progress` to be true, and a"
                            + " pool node in the NameNode's process.");

    private static final List<ConfigKey<?>> ALL = Collections.unmodifiableList(Arrays.<ConfigKey<?>>asList(
            ZOOKEEPER_QUORUM,
            ZOOKEEPER_ROOT,
            SESSION_TIMEOUT,
            DISK_TIMEOUT,
            READ_STANDBYS,
            ELECTABLE,
            PRIORITY,
            SITE,
            POOL_SITES,
            READ_COMMITTED,
            FORWARD_CALLS,
            NEAR_READS));

    private static final Map<String, String> REMOVED = Collections.unmodifiableMap(removedNames());

    private static Map<String, String> removedNames() {
        Map<String, String> removed = new LinkedHashMap<>();
        removed.put("trefoil.ha.standby.max-lag.txns", "a standby is at most 10000 transactions behind");
        removed.put("trefoil.ha.takeover.timeout", "it is trefoil.journal.lease and 10 s");
        removed.put("trefoil.ha.takeover.hold", "a call waits at most 2 s for the next active");
        removed.put("trefoil.ha.step-down.timeout", "it is 10 s without a thread at work on it");
        removed.put("trefoil.ha.health.interval", "health is checked once a second");
        removed.put("trefoil.ha.health.timeout", "it is 30 s without a thread at work on it");
        removed.put("trefoil.ha.retry-window.txns", "set dfs.namenode.retrycache.expirytime.millis, which limits it");
        removed.put("trefoil.ha.held-answers.calls", "the limit is 10000 answers");
        removed.put("trefoil.ha.held-answers.size", "the limit is 64 MiB");
        removed.put("trefoil.ha.held-answers.timeout", "an answer waits at most 30 s");
        removed.put("trefoil.ha.forwarded-answers.size", "the limit is 64 MiB");
        removed.put("trefoil.ha.keep-quota-counts", "standbys always keep what quotas have counted");
        return removed;
    }

    /** Creates the list for {@code ServiceLoader}. */
    public MamsKeys() {}

    @Override
    public String section() {
        return "ha";
    }

    @Override
    public List<ConfigKey<?>> keys() {
        return ALL;
    }

    @Override
    public Map<String, String> removedSettings() {
        return REMOVED;
    }

    /** All keys, in the order of the reference page. */
    static List<ConfigKey<?>> all() {
        return ALL;
    }
}

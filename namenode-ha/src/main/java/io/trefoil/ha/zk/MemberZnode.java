/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.zk;

import io.trefoil.ha.model.MemberRecord;
import io.trefoil.ha.model.View;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.data.Stat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The ephemeral node by which the other members see this one. One thread writes it; any thread may set what to show. */
final class MemberZnode {

    private static final Logger LOG = LoggerFactory.getLogger(MemberZnode.class);

    private final CuratorFramework client;
    private final GroupPaths paths;
    private final ViewReader reader;
    /** The processes with this member's name whose znode this process has deleted. */
    private final Set<String> replaced = new HashSet<>();

    private volatile Optional<MemberRecord> shown = Optional.empty();
    private boolean staysOut;

    MemberZnode(CuratorFramework client, GroupPaths paths, ViewReader reader) {
        this.client = client;
        this.paths = paths;
        this.reader = reader;
    }

    /** Sets the record that the next {@link #write} publishes. */
    void setRecord(MemberRecord record) {
        shown = Optional.of(record);
    }

    /** Whether the other members see something else, or nothing. */
    boolean isMissingIn(View view) {
        return shown.isPresent()
                && !view.member(shown.get().name()).filter(shown.get()::equals).isPresent();
    }

    /** Writes the newest record in the current session. */
    void write() throws Exception {
        String path = paths.member(shown.get().name());
        byte[] bytes = RecordFormat.write(shown.get());
        Stat stat = new Stat();
        Optional<byte[]> found = read(path, stat);
        if (found.isPresent() && stat.getEphemeralOwner() == reader.session().id()) {
            // A write is requested twice if an older view was read meanwhile; all members read each change.
            if (!Arrays.equals(found.get(), bytes)) {
                client.setData().forPath(path, bytes);
            }
            return;
        }
        boolean mayShow = !found.isPresent() || mayReplace(found.get());
        if (mayShow == staysOut) {
            staysOut = !mayShow;
            logDuplicate(path);
        }
        if (!mayShow) {
            return;
        }
        if (found.isPresent()) {
            client.delete().forPath(path);
        }
        client.create().withMode(CreateMode.EPHEMERAL).forPath(path, bytes);
    }

    private Optional<byte[]> read(String path, Stat stat) throws Exception {
        try {
            return Optional.of(client.getData().storingStatIn(stat).forPath(path));
        } catch (KeeperException.NoNodeException e) {
            return Optional.empty();
        }
    }

    /**
     * Whether a node with this name may be deleted: once for each process, as that may be an earlier process of this
     * NameNode whose session has not ended yet. A process that shows itself again is alive, and the two would evict
     * each other forever.
     */
    private boolean mayReplace(byte[] bytes) {
        MemberRecord other;
        try {
            other = RecordFormat.parseMember(bytes);
        } catch (IOException noRecord) {
            return true;
        }
        return other.instance().equals(shown.get().instance()) || replaced.add(other.instance());
    }

    private void logDuplicate(String path) {
        if (staysOut) {
            LOG.error(
                    "Another process takes part in the group as member={}. This process stays out of the group until "
                            + "that one exits: two NameNodes must not have the same id. {} shows where it runs"
                            + "; do: stop the one that should not run",
                    shown.get().name(),
                    path);
        } else {
            LOG.info(
                    "The other process that took part in the group as member={} is gone",
                    shown.get().name());
        }
    }
}

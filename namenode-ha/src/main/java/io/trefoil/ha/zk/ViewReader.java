/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.zk;

import io.trefoil.ha.model.Ballot;
import io.trefoil.ha.model.LockRecord;
import io.trefoil.ha.model.MemberRecord;
import io.trefoil.ha.model.Session;
import io.trefoil.ha.model.View;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.CuratorWatcher;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.data.Stat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the view as a whole. Not from a cache: a cache learns of the lock and of the ballot one after the other, and
 * between the two an active would see that it has lost its lock. Not for use by several threads.
 */
final class ViewReader {

    private static final Logger LOG = LoggerFactory.getLogger(ViewReader.class);

    private final CuratorFramework client;
    private final GroupPaths paths;
    private final CuratorWatcher watcher;

    /** @param watcher is told once, when something of what was read has changed since */
    ViewReader(CuratorFramework client, GroupPaths paths, CuratorWatcher watcher) {
        this.client = client;
        this.paths = paths;
        this.watcher = watcher;
    }

    /**
     * The view as of now: ballot and lock as of one moment.
     *
     * @throws Exception whatever Curator throws
     */
    View read() throws Exception {
        while (true) {
            Session session = session();
            Ballot ballot = ballot();
            Optional<LockRecord> lock = lock();
            List<MemberRecord> members = members();
            if (ballot.equals(ballot()) && session.equals(session())) {
                return View.of(session, ballot, lock, members);
            }
        }
    }

    Session session() throws Exception {
        return Session.of(client.getZookeeperClient().getZooKeeper().getSessionId());
    }

    private Ballot ballot() throws Exception {
        Stat stat = client.checkExists().usingWatcher(watcher).forPath(paths.election());
        return stat == null ? Ballot.NONE : Ballot.of(stat.getVersion());
    }

    Optional<LockRecord> lock() throws Exception {
        if (client.checkExists().usingWatcher(watcher).forPath(paths.lock()) == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(Records.lock(client.getData().forPath(paths.lock())));
        } catch (KeeperException.NoNodeException e) {
            return Optional.empty();
        }
    }

    private List<MemberRecord> members() throws Exception {
        List<String> names =
                new ArrayList<>(client.getChildren().usingWatcher(watcher).forPath(paths.members()));
        Collections.sort(names);
        List<MemberRecord> members = new ArrayList<>();
        for (String name : names) {
            try {
                members.add(
                        Records.member(client.getData().usingWatcher(watcher).forPath(paths.member(name))));
            } catch (KeeperException.NoNodeException e) {
                LOG.debug("Member {} has just gone", name);
            } catch (IOException e) {
                LOG.warn("Member {} shows what cannot be read, it counts as absent: {}", name, e.toString());
            }
        }
        return members;
    }
}

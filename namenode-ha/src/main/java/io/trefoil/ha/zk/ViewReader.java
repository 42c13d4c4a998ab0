/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.zk;

import io.trefoil.ha.model.Ballot;
import io.trefoil.ha.model.LockRecord;
import io.trefoil.ha.model.MemberRecord;
import io.trefoil.ha.model.StandingOrders;
import io.trefoil.ha.model.View;
import io.trefoil.ha.model.ZkSession;
import io.trefoil.ha.zk.PipelinedReads.NodeData;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the view as a whole. It reads lock and ballot each time, because a cache learns of them one after the other,
 * and in between an active would believe that it has lost its lock. It rereads a member's record only when its watch
 * has fired. Otherwise, whenever all members publish, a group would send ZooKeeper as many requests as the square of
 * its size. Two round trips, whatever the size. Not for use by several threads.
 */
final class ViewReader {

    private static final Logger LOG = LoggerFactory.getLogger(ViewReader.class);

    /** The limit of members: each costs a watch, memory, and a place in every view, and HDFS is run with three to five NameNodes. */
    static final int MAX_MEMBERS = 100;

    private final CuratorFramework client;
    private final GroupPaths paths;
    private final Function<ZooKeeper, PipelinedReads> reading;
    private final Watcher watcher;
    /** The version of a node that does not exist. */
    static final int ABSENT = -1;

    private int ordersVersion = ABSENT;
    private ElectionNode last = new ElectionNode(Ballot.NONE, -1);
    private boolean lockUnreadable;
    /** The nodes that could not be read, by path, with the reasons, so that each is reported once. */
    private final Map<String, String> unreadable = new HashMap<>();
    /** Members whose records have not changed since they were read. ZooKeeper's thread removes those that have changed. */
    private final Set<String> unchanged = ConcurrentHashMap.newKeySet();
    /** The readable records. */
    private final Map<String, MemberRecord> records = new TreeMap<>();

    private ZkSession recordsReadIn = ZkSession.NONE;

    /** The last ballot, and the version of the node that holds it. */
    static final class ElectionNode {
        final Ballot ballot;
        final int version;

        ElectionNode(Ballot ballot, int version) {
            this.ballot = ballot;
            this.version = version;
        }

        private boolean hasSameVersion(ElectionNode other) {
            return ballot.equals(other.ballot) && version == other.version;
        }
    }

    /** @param onChange is run by ZooKeeper's thread when anything has changed since it was read */
    ViewReader(CuratorFramework client, GroupPaths paths, Runnable onChange) {
        this(client, paths, onChange, PipelinedReads::new);
    }

    ViewReader(
            CuratorFramework client, GroupPaths paths, Runnable onChange, Function<ZooKeeper, PipelinedReads> reading) {
        this.reading = reading;
        this.client = client;
        this.paths = paths;
        this.watcher = event -> {
            handle(event);
            onChange.run();
        };
    }

    private void handle(WatchedEvent event) {
        if (event.getType() == Watcher.Event.EventType.None) {
            unchanged.clear();
        } else {
            unchanged.removeIf(name -> paths.member(name).equals(event.getPath()));
        }
    }

    /**
     * The current view, with ballot and lock from one moment.
     *
     * @throws KeeperException.NoNodeException if the directories are missing
     * @throws Exception whatever Curator throws
     */
    View read() throws Exception {
        while (true) {
            ZooKeeper zooKeeper = zooKeeper();
            ZkSession session = ZkSession.of(zooKeeper.getSessionId());
            PipelinedReads reads = reading.apply(zooKeeper);
            CompletableFuture<NodeData> electionRead = reads.readData(paths.election(), watcher);
            CompletableFuture<Optional<NodeData>> lockRead = reads.readDataIfPresent(paths.lock(), watcher);
            CompletableFuture<List<String>> names = reads.readChildren(paths.members(), watcher);
            CompletableFuture<Optional<NodeData>> ordersRead = reads.readDataIfPresent(paths.orders(), watcher);

            ElectionNode election = election(PipelinedReads.await(electionRead));
            Optional<LockRecord> lock = lock(PipelinedReads.await(lockRead));
            StandingOrders orders = orders(PipelinedReads.await(ordersRead));
            Map<String, CompletableFuture<NodeData>> changedNodes =
                    requestChanged(reads, session, PipelinedReads.await(names));
            CompletableFuture<NodeData> electionAfter = reads.readData(paths.election(), watcher);
            List<MemberRecord> members = members(changedNodes);
            if (election.hasSameVersion(election(PipelinedReads.await(electionAfter))) && session.equals(session())) {
                last = election;
                return View.of(session, election.ballot, lock, members, orders);
            }
        }
    }

    /** The election in the last view. */
    ElectionNode lastElection() {
        return last;
    }

    ZkSession session() throws Exception {
        return ZkSession.of(zooKeeper().getSessionId());
    }

    private ZooKeeper zooKeeper() throws Exception {
        return client.getZookeeperClient().getZooKeeper();
    }

    /** Records the ballot of this member's own successful bid, as the last reading is older. */
    void recordWonBallot(Ballot ballot) {
        last = new ElectionNode(ballot, last.version + 1);
    }

    /**
     * The current election. The ballot is not ZooKeeper's version of the node, because that restarts when the node is
     * lost, and falls back when an old copy is restored. An active from before would then mistake every later election
     * for an earlier one.
     */
    ElectionNode election() throws Exception {
        return election(PipelinedReads.await(reading.apply(zooKeeper()).readData(paths.election(), watcher)));
    }

    private static ElectionNode election(NodeData read) throws IOException {
        return new ElectionNode(RecordFormat.parseElection(read.bytes()), read.version());
    }

    /**
     * The current lock. An unreadable one counts as absent, like one that was deleted: its holder cannot be known, and
     * a group that waited for it would never elect a member again.
     */
    private Optional<LockRecord> lock(Optional<NodeData> read) {
        lockUnreadable = false;
        if (!read.isPresent()) {
            return Optional.empty();
        }
        try {
            return Optional.of(RecordFormat.parseLock(read.get().bytes()));
        } catch (IOException e) {
            lockUnreadable = true;
            logOnce(paths.lock(), "the lock counts as free", e);
            return Optional.empty();
        }
    }

    /** Whether the lock's node existed at the last reading, but was unreadable: a member that takes the lock must delete it first. */
    boolean isLockUnreadable() {
        return lockUnreadable;
    }

    private void logOnce(String path, String consequence, IOException e) {
        if (!e.toString().equals(unreadable.put(path, e.toString()))) {
            LOG.warn(
                    "znode={} cannot be read, so {}: {}; do: run the same release on all NameNodes, or see what wrote it: zkCli.sh"
                            + " get",
                    path,
                    consequence,
                    e.toString());
        }
    }

    /** Logs an unreadable record, once until it is readable again: a member of a later release rewrites its record repeatedly. */
    private void logUnreadableMember(String name, IOException e) {
        if (unreadable.put(paths.member(name), "") == null) {
            LOG.warn(
                    "The record of member={} cannot be read and counts as absent: {}; do: run the same "
                            + "release on all NameNodes",
                    name,
                    e.toString());
        }
    }

    private StandingOrders orders(Optional<NodeData> read) {
        ordersVersion = read.map(NodeData::version).orElse(ABSENT);
        if (!read.isPresent()) {
            return StandingOrders.NONE;
        }
        try {
            return RecordFormat.parseOrders(read.get().bytes());
        } catch (IOException e) {
            logOnce(paths.orders(), "there are no orders of operators", e);
            return StandingOrders.NONE;
        }
    }

    /** The version of the orders' node in the last view; {@link #ABSENT} if there was none. */
    int ordersVersion() {
        return ordersVersion;
    }

    /** Requests the records that must be read again. */
    private Map<String, CompletableFuture<NodeData>> requestChanged(
            PipelinedReads reads, ZkSession session, List<String> children) {
        if (!session.equals(recordsReadIn)) {
            // Its watches ended with the session.
            unchanged.clear();
            recordsReadIn = session;
        }
        List<String> names = new ArrayList<>(children);
        Collections.sort(names);
        if (names.size() > MAX_MEMBERS) {
            LOG.warn(
                    "members={} found in znode={}, but only the first {} count; do: delete those that do "
                            + "not belong to this group",
                    names.size(),
                    paths.members(),
                    MAX_MEMBERS);
            names = names.subList(0, MAX_MEMBERS);
        }
        unchanged.retainAll(names);
        records.keySet().retainAll(names);
        Map<String, CompletableFuture<NodeData>> changedNodes = new LinkedHashMap<>();
        for (String name : names) {
            // Added before it is read: if it changes then, it is removed again.
            if (unchanged.add(name)) {
                records.remove(name);
                changedNodes.put(name, reads.readData(paths.member(name), watcher));
            }
        }
        return changedNodes;
    }

    /** All members' records, by name. */
    private List<MemberRecord> members(Map<String, CompletableFuture<NodeData>> changedNodes) throws Exception {
        Set<String> unread = new HashSet<>(changedNodes.keySet());
        try {
            for (Map.Entry<String, CompletableFuture<NodeData>> each : changedNodes.entrySet()) {
                if (readMember(each.getKey(), each.getValue())) {
                    unread.remove(each.getKey());
                }
            }
        } finally {
            unchanged.removeAll(unread);
        }
        return new ArrayList<>(records.values());
    }

    /** Returns whether the record was read, so that a watch reports its next change. */
    private boolean readMember(String name, CompletableFuture<NodeData> nodeData) throws Exception {
        try {
            NodeData read = PipelinedReads.await(nodeData);
            try {
                records.put(name, RecordFormat.parseMember(read.bytes()));
                unreadable.remove(paths.member(name));
            } catch (IOException e) {
                logUnreadableMember(name, e);
            }
            return true;
        } catch (KeeperException.NoNodeException e) {
            LOG.debug("member={} has just left", name);
        } catch (KeeperException.NoAuthException e) {
            // Its access list is one that this member is not configured for yet: it must not hide all other members.
            LOG.warn(
                    "The record of member={} is not readable by this NameNode and counts as absent: {}; do: "
                            + "give all NameNodes the same ha.zookeeper.auth",
                    name,
                    e.toString());
        }
        return false;
    }
}

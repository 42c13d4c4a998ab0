/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.server;

import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.pool.disk.DiskStallLogger;
import io.trefoil.journal.pool.disk.DiskThreads;
import io.trefoil.journal.pool.replica.JournalReplica;
import io.trefoil.journal.pool.replica.UnappliedEdit;
import io.trefoil.journal.replica.ReplicaTrace;
import io.trefoil.journal.storage.StorageDevice;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiPredicate;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The replicas of a pool node, one per journal: opened for the first caller, forgotten if no user keeps them.
 * Thread-safe; its monitor is held briefly, never during disk I/O.
 */
final class HostedReplicas {

    private static final Logger LOG = LoggerFactory.getLogger(HostedReplicas.class);

    /**
     * The limit on journals without storage here that callers may name at the same time, for example for a format. Any
     * caller can make up a name, and each takes memory and threads.
     */
    static final int MAX_NEW_JOURNALS = 64;

    private final NodeAddress address;
    private final Function<JournalId, StorageDevice> devices;
    private final Function<JournalId, UnappliedEdit> notes;
    private final Function<JournalId, ReplicaTrace> traces;
    private final PoolObserver observer;
    private final BiPredicate<JournalId, Incarnation> mayEnter;
    private final Map<JournalId, HostedReplica> replicas = new HashMap<>();
    private volatile boolean closed;

    /**
     * @param notes where it is noted what a NameNode here could not apply
     * @param traces told what the rules of each replica see and what is done for them
     * @param observer told of each replica that is kept here
     * @param mayEnter which incarnations of a journal its replica may change to
     */
    HostedReplicas(
            NodeAddress address,
            Function<JournalId, StorageDevice> devices,
            Function<JournalId, UnappliedEdit> notes,
            Function<JournalId, ReplicaTrace> traces,
            PoolObserver observer,
            BiPredicate<JournalId, Incarnation> mayEnter) {
        this.address = address;
        this.devices = devices;
        this.notes = notes;
        this.traces = traces;
        this.observer = observer;
        this.mayEnter = mayEnter;
    }

    /** Returns a replica that this process keeps for good from now on; see {@link PoolNode#replica}. */
    JournalReplica keep(JournalId journal) {
        HostedReplica hosted;
        synchronized (this) {
            hosted = replicas.get(journal);
            if (hosted == null) {
                if (closed) {
                    throw new IllegalStateException(
                            "Pool node " + address + " is closed, it does not open journal " + journal);
                }
                hosted = open(journal);
                replicas.put(journal, hosted);
            }
            hosted.markKept();
        }
        hosted.awaitOpened();
        report(hosted);
        return hosted.replica();
    }

    /**
     * Returns the replica that a caller named; empty if callers name too many journals not kept here, or if the node is closed
     * and has none.
     */
    synchronized Optional<HostedReplica> findOrOpen(JournalId journal) {
        if (closed) {
            return Optional.ofNullable(replicas.get(journal));
        }
        if (!replicas.containsKey(journal)) {
            closeUnused();
            long unknown =
                    replicas.values().stream().filter(HostedReplica::isUnknown).count();
            if (unknown >= MAX_NEW_JOURNALS) {
                return Optional.empty();
            }
        }
        return Optional.of(replicas.computeIfAbsent(journal, this::open));
    }

    /** Closes replicas that were only named by callers and are no longer in use. */
    private void closeUnused() {
        for (Iterator<HostedReplica> all = replicas.values().iterator(); all.hasNext(); ) {
            HostedReplica hosted = all.next();
            if (hosted.isUnused()) {
                all.remove();
                close(hosted.replica());
            }
        }
    }

    /** Finds a replica as {@link #findOrOpen} does, and keeps it until {@link #endSession}. */
    synchronized Optional<HostedReplica> beginSession(JournalId journal) {
        Optional<HostedReplica> hosted = findOrOpen(journal);
        hosted.ifPresent(HostedReplica::sessionBegan);
        return hosted;
    }

    synchronized void endSession(HostedReplica hosted) {
        hosted.sessionEnded();
    }

    private HostedReplica open(JournalId journal) {
        JournalReplica replica = new JournalReplica(
                address + "/" + journal,
                devices.apply(journal),
                System::nanoTime,
                () -> NodeId.of(UUID.randomUUID().toString()),
                this::isFromEarlierProcess,
                new DiskThreads(journal.text()),
                traces.apply(journal));
        replica.setUnappliedEdit(notes.apply(journal));
        replica.restrictIncarnations(incarnation -> mayEnter.test(journal, incarnation));
        DiskStallLogger alarm = new DiskStallLogger(address + "/" + journal);
        return new HostedReplica(journal, replica, replica.open(), alarm);
    }

    /**
     * Whether a writer ran in an earlier process of this node: it is dead, since this process holds the directory's
     * lock.
     */
    private boolean isFromEarlierProcess(WriterId writer) {
        return writer.text().endsWith("@" + address);
    }

    /** Exposes metrics of journals kept here, but not of names that a caller made up. */
    void report(HostedReplica hosted) {
        if (hosted.claimFirstReport()) {
            JournalReplica replica = hosted.replica();
            replica.setObserver(observer.replicaOpened(address, hosted.journal(), replica::replicaStatus));
        }
    }

    /** The hosts of the members of all journals kept here, as recorded in the logs at present. */
    Set<String> memberHosts() {
        Set<String> hosts = new LinkedHashSet<>();
        for (HostedReplica hosted : allReplicas()) {
            for (Member member : hosted.replica().members().list()) {
                hosts.add(member.address().host());
            }
        }
        return hosts;
    }

    /** Reports each disk that hangs, without waiting for any of them. */
    void checkDisks() {
        allReplicas().forEach(HostedReplica::checkDisk);
    }

    private synchronized List<HostedReplica> allReplicas() {
        return new ArrayList<>(replicas.values());
    }

    boolean isClosed() {
        return closed;
    }

    /**
     * Opens no further replicas from now on. Existing ones stay known, so that no caller is given a second replica on
     * the same files.
     *
     * @return the replicas to close now
     */
    synchronized List<HostedReplica> beginClose() {
        List<HostedReplica> open = closed ? Collections.<HostedReplica>emptyList() : allReplicas();
        closed = true;
        return open;
    }

    /** Closes a replica; a failure does not keep others from being closed. */
    static void close(JournalReplica replica) {
        try {
            replica.close();
        } catch (IOException e) {
            LOG.warn("Cannot close replica={}: {}; no action needed", replica, e.toString());
        }
    }
}

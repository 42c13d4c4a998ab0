/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.server;

import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.pool.disk.DiskAlarm;
import io.trefoil.journal.pool.disk.DiskThreads;
import io.trefoil.journal.pool.replica.JournalReplica;
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
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The replicas that a pool node has, each of another journal: opened for who asks first, forgotten again if nobody keeps
 * them. Thread-safe; its monitor is held for moments, never over a disk.
 */
final class HostedReplicas {

    private static final Logger LOG = LoggerFactory.getLogger(HostedReplicas.class);

    /**
     * Journals that a node has no storage of and that callers name all the same, as for a format: at once, so many. Names are
     * nobody's property, and each takes memory and threads.
     */
    static final int MAX_NEW_JOURNALS = 64;

    private final NodeAddress address;
    private final Function<JournalId, StorageDevice> devices;
    private final PoolObserver observer;
    private final Map<JournalId, HostedReplica> replicas = new HashMap<>();
    private volatile boolean closed;

    /** @param observer told of each replica that is kept here */
    HostedReplicas(NodeAddress address, Function<JournalId, StorageDevice> devices, PoolObserver observer) {
        this.address = address;
        this.devices = devices;
        this.observer = observer;
    }

    /** One that somebody in this process has for good from now on; see {@link PoolNode#replica}. */
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
            hosted.keep();
        }
        hosted.awaitOpened();
        show(hosted);
        return hosted.replica();
    }

    /** The replica that a caller named; empty if too many name journals that are not kept here, or nothing is opened any more. */
    synchronized Optional<HostedReplica> named(JournalId journal) {
        if (closed) {
            return Optional.ofNullable(replicas.get(journal));
        }
        if (!replicas.containsKey(journal)) {
            forgetTheUnknown();
            long unknown =
                    replicas.values().stream().filter(HostedReplica::isUnknown).count();
            if (unknown >= MAX_NEW_JOURNALS) {
                return Optional.empty();
            }
        }
        return Optional.of(replicas.computeIfAbsent(journal, this::open));
    }

    /** What was named only, and nobody asks for any more. */
    private void forgetTheUnknown() {
        for (Iterator<HostedReplica> all = replicas.values().iterator(); all.hasNext(); ) {
            HostedReplica hosted = all.next();
            if (hosted.isForgettable()) {
                all.remove();
                close(hosted.replica());
            }
        }
    }

    /** As {@link #named}; it is not forgotten before {@link #endSession}. */
    synchronized Optional<HostedReplica> beginSession(JournalId journal) {
        Optional<HostedReplica> hosted = named(journal);
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
                this::wasInThisProcessBefore,
                new DiskThreads(journal.text()));
        DiskAlarm alarm = new DiskAlarm(address + "/" + journal);
        return new HostedReplica(journal, replica, replica.open(), alarm);
    }

    /** The directory's lock is held by this process, so a writer that lived beside this node before is gone. */
    private boolean wasInThisProcessBefore(WriterId writer) {
        return writer.text().endsWith("@" + address);
    }

    /** Of a journal that is kept here, metrics are shown; not of one that somebody made up. */
    void show(HostedReplica hosted) {
        if (hosted.isToBeShown()) {
            JournalReplica replica = hosted.replica();
            replica.observedBy(observer.replicaOpened(address, hosted.journal(), replica::replicaStatus));
        }
    }

    /** The hosts of the members of all journals that are kept here, as the log has them at present. */
    Set<String> memberHosts() {
        Set<String> hosts = new LinkedHashSet<>();
        for (HostedReplica hosted : all()) {
            for (Member member : hosted.replica().members().list()) {
                hosts.add(member.address().host());
            }
        }
        return hosts;
    }

    /** Has each disk that hangs reported; waits for none. */
    void lookAtDisks() {
        all().forEach(HostedReplica::look);
    }

    private synchronized List<HostedReplica> all() {
        return new ArrayList<>(replicas.values());
    }

    boolean isClosed() {
        return closed;
    }

    /**
     * No other replica is opened from now on. Those that there are stay known: who asks for one is not given another on
     * its files.
     *
     * @return those that are to be closed now
     */
    synchronized List<HostedReplica> closing() {
        List<HostedReplica> open = closed ? Collections.<HostedReplica>emptyList() : all();
        closed = true;
        return open;
    }

    /** One that cannot be closed keeps none of the others open. */
    static void close(JournalReplica replica) {
        try {
            replica.close();
        } catch (IOException e) {
            LOG.warn("A replica was not closed: {}", e.toString());
        }
    }
}

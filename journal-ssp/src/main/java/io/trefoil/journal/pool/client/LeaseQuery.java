/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.client;

import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.StatusReply;
import io.trefoil.journal.protocol.StatusRequest;
import io.trefoil.journal.transport.Transport;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Runs one {@link PoolLeaseStatus}. Ends as soon as a majority is free, because the silent node is often the very reason
 * for asking; otherwise when every node has answered or appears to be down, or the time is up.
 */
public final class LeaseQuery {

    /** A node that is up answers sooner than this; the others are probed to see whether anything listens there. */
    private static final long PROBE_AFTER_MILLIS = 20;

    private final Optional<NodeAddress> ownNode;
    private final Optional<Epoch> term;
    private final PoolClients clients;
    private final Transport transport;
    private final Map<NodeAddress, PoolReply> replies = new LinkedHashMap<>();
    private final Set<NodeAddress> asked = new LinkedHashSet<>();
    private final Set<NodeAddress> done = new LinkedHashSet<>();
    private final Set<NodeAddress> dead = new LinkedHashSet<>();
    private final Set<NodeAddress> listening = new LinkedHashSet<>();
    /** Connections that only this survey uses. */
    private final List<NodeClient> besides = new ArrayList<>();

    private boolean over;

    /**
     * @param ownNode the address of the node in this process
     * @param term the epoch in which this process writes, if it does
     */
    public LeaseQuery(Optional<NodeAddress> ownNode, Optional<Epoch> term, PoolClients clients, Transport transport) {
        this.ownNode = ownNode;
        this.term = term;
        this.clients = clients;
        this.transport = transport;
    }

    /** Asks all nodes, and waits for the answers. */
    public PoolLeaseStatus run(Optional<PoolReply> ownReply, Collection<NodeAddress> otherNodes, Duration timeout)
            throws InterruptedIOException {
        long begunNanos = System.nanoTime();
        if (ownNode.isPresent() && ownReply.isPresent()) {
            recordAnswer(ownNode.get(), ownReply.get());
        }
        otherNodes.forEach(this::query);
        try {
            if (!await(begunNanos, Math.min(PROBE_AFTER_MILLIS, timeout.toMillis()))) {
                Duration left = timeout.minusMillis(PROBE_AFTER_MILLIS);
                silentNodes().forEach(address -> transport.probe(address, left, probe -> recordProbe(address, probe)));
                await(begunNanos, timeout.toMillis());
            }
            synchronized (this) {
                return status();
            }
        } finally {
            end();
        }
    }

    private void end() {
        List<NodeClient> toClose;
        synchronized (this) {
            over = true;
            toClose = new ArrayList<>(besides);
        }
        toClose.forEach(NodeClient::close);
    }

    private void query(NodeAddress address) {
        synchronized (this) {
            if (!asked.add(address)) {
                return;
            }
        }
        query(address, clients.clientFor(address));
    }

    private void query(NodeAddress address, NodeClient client) {
        client.query(StatusRequest.create()).whenComplete((reply, failure) -> {
            if (reply != null) {
                recordAnswer(address, reply);
            }
        });
    }

    private void recordAnswer(NodeAddress address, PoolReply reply) {
        Set<NodeAddress> met = new LinkedHashSet<>();
        synchronized (this) {
            asked.add(address);
            done.add(address);
            replies.put(address, reply);
            if (reply instanceof StatusReply) {
                for (Member member : ((StatusReply) reply).end().members().list()) {
                    met.add(member.address());
                }
                ownNode.ifPresent(met::remove);
            }
            notifyAll();
        }
        met.forEach(this::query);
    }

    private void recordProbe(NodeAddress address, Transport.Probe probe) {
        synchronized (this) {
            if (over || done.contains(address)) {
                return;
            }
            if (probe == Transport.Probe.REFUSED) {
                dead.add(address);
                done.add(address);
                notifyAll();
                return;
            }
            if (probe == Transport.Probe.ACCEPTED) {
                listening.add(address);
            }
        }
        if (probe == Transport.Probe.ACCEPTED) {
            queryOnNewConnection(address);
        }
    }

    /**
     * Asks over a separate connection: the node is reachable, so the connection used before may have stalled in a network that dropped
     * packets for a while, or may be waiting for its next attempt.
     */
    private void queryOnNewConnection(NodeAddress address) {
        NodeClient beside = clients.openClient(address);
        synchronized (this) {
            if (over) {
                beside.close();
                return;
            }
            besides.add(beside);
        }
        query(address, beside);
    }

    private synchronized Set<NodeAddress> silentNodes() {
        Set<NodeAddress> silent = new LinkedHashSet<>(asked);
        silent.removeAll(done);
        return silent;
    }

    private boolean isKnownToBeFree() {
        PoolLeaseStatus known = status();
        return known.leaseFree() && !known.incarnationUncertain();
    }

    private PoolLeaseStatus status() {
        return PoolLeaseStatus.of(ownNode, term, asked, replies, dead, listening);
    }

    /** Waits; returns whether nothing is left to wait for. */
    private synchronized boolean await(long begunNanos, long millis) throws InterruptedIOException {
        try {
            while (true) {
                if (done.containsAll(asked) || isKnownToBeFree()) {
                    return true;
                }
                long left = millis - (System.nanoTime() - begunNanos) / 1_000_000L;
                if (left <= 0) {
                    return false;
                }
                wait(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("Interrupted while asking pool nodes for the writer's lease");
        }
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool;

import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.protocol.NotFormattedReply;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.StatusReply;
import io.trefoil.journal.protocol.StatusRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The nodes to ask about a journal. The URI only names the places to ask first; the members are those of the highest
 * log seen so far. Thread-safe.
 */
final class PoolMembers {
    private final PoolSettings settings;
    private final LocalNode localNode;
    private final Supplier<Optional<LogSummary>> writtenLog;
    /** The last status that each node reported. */
    private final Map<NodeAddress, PoolReply> lastShown = new LinkedHashMap<>();

    private volatile LogSummary newest = LogSummary.ORIGIN;

    /** @param writtenLog the end of the log of this process's writer, if there was one */
    PoolMembers(PoolSettings settings, LocalNode localNode, Supplier<Optional<LogSummary>> writtenLog) {
        this.settings = settings;
        this.localNode = localNode;
        this.writtenLog = writtenLog;
    }

    /** The addresses of the URI, and the members that it does not name, according to the highest log. */
    Set<NodeAddress> allAddresses() {
        writtenLog.get().ifPresent(this::learn);
        Set<NodeAddress> everybody = new LinkedHashSet<>(settings.addresses());
        for (Member member : newest.members().list()) {
            everybody.add(member.address());
        }
        return everybody;
    }

    /** All of them except the node in this process. */
    List<NodeAddress> otherAddresses() {
        List<NodeAddress> others = new ArrayList<>(allAddresses());
        localNode.address().ifPresent(others::remove);
        return others;
    }

    /** The end of the highest log seen so far. */
    LogSummary newestLog() {
        return newest;
    }

    private synchronized void learn(LogSummary end) {
        if (end.isAheadOf(newest)) {
            newest = end;
        }
    }

    /**
     * Learns from the nodes' answers; the newest log so far may turn out not to be in force (rule R11), even when the node that reported it
     * no longer answers.
     */
    synchronized void learn(Map<NodeAddress, PoolReply> replies) {
        replies.forEach((address, reply) -> {
            boolean isStatus = reply instanceof StatusReply && isSameNamespace(((StatusReply) reply).namespace());
            if (isStatus || reply instanceof NotFormattedReply) {
                lastShown.put(address, reply);
            } else if (reply instanceof StatusReply) {
                lastShown.remove(address);
            }
        });
        LogSummary inForce = StatusReply.endInForce(lastShown);
        boolean isOutlasted = lastShown.values().stream()
                .anyMatch(reply -> reply instanceof StatusReply
                        && ((StatusReply) reply).end().hasSameIncarnation(newest)
                        && newest.incarnation().isAbove(inForce.incarnation()));
        if (isOutlasted) {
            newest = inForce;
        } else {
            learn(inForce);
        }
    }

    private boolean isSameNamespace(NamespaceId namespace) {
        return !settings.namespace().isKnown() || namespace.equals(settings.namespace());
    }

    /** Learns from the replica in this process; waits for no disk. */
    void learnFromLocal() {
        localNode
                .replica()
                .flatMap(replica -> replica.perform(StatusRequest.create()))
                .ifPresent(reply ->
                        learn(Collections.singletonMap(localNode.address().get(), reply)));
    }
}

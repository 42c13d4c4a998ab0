/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.format;

import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.StorageRecord;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.protocol.DoneReply;
import io.trefoil.journal.protocol.FailedReply;
import io.trefoil.journal.protocol.FormatRequest;
import io.trefoil.journal.protocol.NotFormattedReply;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.protocol.StatusReply;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates a new journal. All nodes that answer begin with the same two entries, which name them as the voters; a node
 * that is not up yet joins by itself later. {@code namenode -format} therefore works even if the other NameNodes, and
 * the pool nodes inside them, have never run (rule R7: growing is safe, guessing which nodes will join is not).
 */
public final class JournalFormatter {

    private static final Logger LOG = LoggerFactory.getLogger(JournalFormatter.class);

    private final JournalId journal;
    private final NamespaceId namespace;
    private final StorageRecord.Version version;
    private final boolean force;
    private final Members inherited;

    /** @param inherited what the list of members says of earlier incarnations; it names no members */
    public JournalFormatter(
            JournalId journal, NamespaceId namespace, StorageRecord.Version version, boolean force, Members inherited) {
        this.journal = journal;
        this.namespace = namespace;
        this.version = version;
        this.force = force;
        this.inherited = inherited;
    }

    /** Sends a request to one node. */
    public interface NodeQuery {
        PoolReply query(NodeAddress node, PoolRequest request) throws IOException;
    }

    /** Learns which incarnation begins before any node has it. */
    public interface BeginningListener {
        /** @throws IOException if nothing must be formatted */
        void beforeBeginning(Incarnation incarnation) throws IOException;
    }

    /**
     * Formats the nodes that answered with their status; {@code ownAddress}, if present, must be among them.
     *
     * @return the incarnation that begins
     */
    public Incarnation run(
            Map<NodeAddress, PoolReply> statuses,
            Optional<NodeAddress> ownAddress,
            NodeQuery query,
            BeginningListener listener)
            throws IOException {
        if (statuses.isEmpty() || (ownAddress.isPresent() && !statuses.containsKey(ownAddress.get()))) {
            throw new IOException("Journal " + journal + " cannot be formatted: "
                    + (ownAddress.isPresent()
                            ? "the pool node of this process does not answer"
                            : "no pool node answers"));
        }
        Map<NodeAddress, NodeId> ids = new LinkedHashMap<>();
        for (Map.Entry<NodeAddress, PoolReply> status : statuses.entrySet()) {
            ids.put(status.getKey(), nodeIdFor(status.getKey(), status.getValue()));
        }
        List<Entry> first = firstEntries(ids);
        Incarnation incarnation = nextIncarnation(statuses.values());
        warnOfOldStorage(statuses, incarnation);
        listener.beforeBeginning(incarnation);
        for (Map.Entry<NodeAddress, NodeId> node : ids.entrySet()) {
            FormatRequest request =
                    FormatRequest.of(namespace, node.getValue(), LogSummary.ORIGIN.with(incarnation), first, force);
            PoolReply reply = query.query(node.getKey(), request);
            if (!(reply instanceof DoneReply)) {
                throw new IOException("Journal " + journal + " cannot be formatted: pool node " + node.getKey() + ": "
                        + refusalReason(reply) + "; repair that, or stop the node, and format again");
            }
        }
        LOG.info("Formatted journal={} namespace={} incarnation={} nodes={}", journal, namespace, incarnation, ids);
        return incarnation;
    }

    /**
     * Returns an incarnation higher than any that it replaces, or that a reachable node knows of. Based on the clock, so it is also higher than that
     * of an unreachable node, which was formatted earlier.
     */
    private Incarnation nextIncarnation(Collection<PoolReply> statuses) {
        long number = System.currentTimeMillis();
        for (Incarnation replaced : inherited.replacedIncarnations()) {
            number = Math.max(number, replaced.number() + 1);
        }
        for (PoolReply reply : statuses) {
            if (reply instanceof StatusReply) {
                number = Math.max(
                        number, ((StatusReply) reply).end().incarnation().number() + 1);
            }
        }
        return Incarnation.ofFormat(number, new SecureRandom().nextLong());
    }

    /** Warns of members of the old journal that did not answer and will return with its incarnation. */
    private void warnOfOldStorage(Map<NodeAddress, PoolReply> statuses, Incarnation incarnation) {
        LogSummary before = LogSummary.ORIGIN;
        for (PoolReply reply : statuses.values()) {
            if (reply instanceof StatusReply && ((StatusReply) reply).end().isAheadOf(before)) {
                before = ((StatusReply) reply).end();
            }
        }
        Set<NodeAddress> left = new LinkedHashSet<>();
        int voters = 0;
        for (Member member : before.members().list()) {
            if (!statuses.containsKey(member.address())) {
                left.add(member.address());
                voters += member.isVoter() ? 1 : 0;
            }
        }
        if (!left.isEmpty()) {
            LOG.warn(
                    "journal={}: nodes={} did not answer and still have incarnation={}, which nodes of "
                            + "incarnation={} reject; do: run 'hdfs trefoil journal repair --execute' once they are up, so "
                            + "that they join{}",
                    journal,
                    left,
                    before.incarnation(),
                    incarnation,
                    voters >= before.members().majority()
                            ? "; they are a majority of the previous voters: start none of them before one of the "
                                    + "other nodes is running"
                            : "");
        }
    }

    private NodeId nodeIdFor(NodeAddress address, PoolReply status) throws IOException {
        if (status instanceof NotFormattedReply) {
            return ((NotFormattedReply) status).node();
        }
        if (!force) {
            throw new IOException("Journal " + journal + " cannot be formatted: pool node " + address + ": "
                    + refusalReason(status) + "; format with -force to move that aside");
        }
        // New storage is a new node (rule R8).
        return NodeId.of(UUID.randomUUID().toString());
    }

    /** Returns why a node was not formatted, or cannot be without force. */
    private static String refusalReason(PoolReply reply) {
        if (reply instanceof FailedReply) {
            return "it failed: " + ((FailedReply) reply).reason();
        }
        if (reply instanceof StatusReply) {
            StatusReply status = (StatusReply) reply;
            return "it holds data of the journal up to transaction "
                    + status.end().lastTxId() + ", of " + status.namespace();
        }
        return "it answered something else, " + reply.getClass().getSimpleName();
    }

    private List<Entry> firstEntries(Map<NodeAddress, NodeId> ids) {
        Members members = inherited;
        for (Map.Entry<NodeAddress, NodeId> node : ids.entrySet()) {
            members = members.with(Member.voter(node.getValue(), node.getKey()));
        }
        Bytes storage = StorageRecord.ofFormat(version).toPayload();
        return Arrays.asList(
                Entry.of(LogPosition.of(Epoch.FORMAT, 1), EntryKind.MEMBERS, TxRange.NONE, members.toPayload()),
                Entry.of(LogPosition.of(Epoch.FORMAT, 2), EntryKind.STORAGE, TxRange.NONE, storage));
    }
}

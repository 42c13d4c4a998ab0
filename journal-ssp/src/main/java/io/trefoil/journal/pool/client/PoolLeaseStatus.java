/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.client;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogReport;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.VoidRange;
import io.trefoil.journal.protocol.NotFormattedReply;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.StatusReply;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The writer's lease as the nodes report it (protocol page, "Lease"): whether a term could begin now, and whether another process could
 * have one. The survey costs a serving writer nothing, whereas asking for a promise too early costs it a voter (D-11). Immutable.
 */
@AutoValue
public abstract class PoolLeaseStatus {

    /**
     * Counts answers by the members of the highest log among them, as a new writer does.
     *
     * @param ownAddress the address of the node in this process
     * @param term the epoch in which this process writes, if it does
     * @param askedNodes all nodes that were asked
     * @param replies what the nodes answered
     * @param deadNodes the nodes where nothing listens
     * @param listening those that take connections
     */
    static PoolLeaseStatus of(
            Optional<NodeAddress> ownAddress,
            Optional<Epoch> term,
            Set<NodeAddress> askedNodes,
            Map<NodeAddress, PoolReply> replies,
            Set<NodeAddress> deadNodes,
            Set<NodeAddress> listening) {
        // Of an older incarnation of the journal only if that is in force, however long its log is (rule R11).
        LogSummary highest = StatusReply.endInForce(replies);
        Epoch promisedEpoch = Epoch.NONE;
        Map<NodeId, StatusReply> known = new HashMap<>();
        for (PoolReply reply : replies.values()) {
            if (reply instanceof StatusReply) {
                StatusReply status = (StatusReply) reply;
                promisedEpoch = status.promise().epoch().isAbove(promisedEpoch)
                        ? status.promise().epoch()
                        : promisedEpoch;
            }
        }
        Members members = highest.members();
        replies.forEach((address, reply) -> {
            if (reply instanceof StatusReply
                    && !isForeign(reply, highest)
                    && !members.isAddressOfOtherMember(address, ((StatusReply) reply).node())) {
                known.put(((StatusReply) reply).node(), (StatusReply) reply);
            }
        });
        int free = 0;
        int rivals = 0;
        int unheard = 0;
        for (Member member : members.list()) {
            if (member.isVoter()) {
                free += isFree(known.get(member.id())) ? 1 : 0;
                boolean isOwn = ownAddress.isPresent() && ownAddress.get().equals(member.address());
                boolean isHarmless =
                        isOwn || deadNodes.contains(member.address()) || isUnpromised(known.get(member.id()), term);
                boolean isHeardSoon = listening.contains(member.address()) && !known.containsKey(member.id());
                rivals += isHarmless ? 0 : 1;
                unheard += isHarmless || isHeardSoon ? 0 : 1;
            }
        }
        boolean isKnown = members.voterCount() > 0;
        return new AutoValue_PoolLeaseStatus(
                isKnown && free >= members.majority(),
                !isKnown || rivals >= members.majority(),
                term.isPresent() && rivals >= members.majority() && unheard < members.majority(),
                promisedEpoch,
                highest.lastTxId(),
                highest.incarnation(),
                members.lostRanges(),
                ownAddress
                        .map(replies::get)
                        .filter(reply -> isForeign(reply, highest))
                        .isPresent(),
                LogReport.mayBeSuperseded(StatusReply.toLogReports(replies), unstated(askedNodes, replies, deadNodes)),
                Collections.unmodifiableSet(new LinkedHashSet<>(deadNodes)));
    }

    /** Creates the status of a journal whose store has one log for all, so that no node can have another. */
    public static PoolLeaseStatus ofSingleLog(
            boolean leaseFree, boolean rivalTermPossible, Epoch promisedEpoch, LogSummary end) {
        return new AutoValue_PoolLeaseStatus(
                leaseFree,
                rivalTermPossible,
                false,
                promisedEpoch,
                end.lastTxId(),
                end.incarnation(),
                end.members().lostRanges(),
                false,
                false,
                Collections.emptySet());
    }

    private static boolean isFree(StatusReply status) {
        return status != null && status.completeness() == LogCompleteness.COMPLETE && status.leaseHeldMillis() == 0;
    }

    private static boolean isForeign(PoolReply reply, LogSummary inForce) {
        return reply instanceof StatusReply && !((StatusReply) reply).end().hasSameIncarnation(inForce);
    }

    /** The nodes that may be alive and have not reported their holdings: a refusal says nothing about that, nor does a failure. */
    private static Set<NodeAddress> unstated(
            Set<NodeAddress> askedNodes, Map<NodeAddress, PoolReply> replies, Set<NodeAddress> deadNodes) {
        Set<NodeAddress> unstated = new LinkedHashSet<>(askedNodes);
        unstated.removeAll(deadNodes);
        replies.forEach((address, reply) -> {
            if (reply instanceof StatusReply || reply instanceof NotFormattedReply) {
                unstated.remove(address);
            }
        });
        return unstated;
    }

    /** Whether a node reports no promise above this process's own term. */
    private static boolean isUnpromised(StatusReply status, Optional<Epoch> term) {
        return status != null && term.isPresent() && !status.promise().epoch().isAbove(term.get());
    }

    /** Whether a majority of the voters considers no writer alive, so that a term can begin. */
    public abstract boolean leaseFree();

    /**
     * Whether another process may have a term: a majority of the voters may be alive without the node of this process,
     * and none of that majority has said that it promised nothing above this process's own term.
     */
    public abstract boolean rivalTermPossible();

    /**
     * Whether this process has a term, and a rival is possible only because answers are still pending: enough of the nodes that have not
     * answered accept connections. They are slow, or their machine is.
     */
    public abstract boolean decisionPending();

    /** The highest epoch that any node reports to have promised. */
    public abstract Epoch promisedEpoch();

    /** The last transaction of the highest log, whether committed or not. */
    public abstract long lastTxId();

    /** The incarnation of the highest log: that of the journal, according to the nodes that answered. */
    public abstract Incarnation incarnation();

    /** The transactions that were lost on the way to that incarnation. */
    public abstract List<VoidRange> lostRanges();

    /**
     * Whether the replica in this process is of an incarnation other than that one, so that its log and its promises are no part of the
     * journal.
     */
    public abstract boolean ownReplicaForeign();

    /** Whether nodes without a report may hold another incarnation, which would be in force. */
    public abstract boolean incarnationUncertain();

    /** The nodes whose host answers but where nothing listens. */
    public abstract Set<NodeAddress> deadNodes();
}

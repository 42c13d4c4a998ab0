/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.client;

import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.SegmentsReply;
import io.trefoil.journal.protocol.StatusReply;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Decides which answer a reader trusts after asking every reachable node (rule R6). Immutable.
 *
 * <p>A node that missed the end of the log still shows as committed what was discarded there (DISCARD, ROLLBACK). In
 * any majority, at least one node knows better, and its log is the furthest.
 */
public final class ReadQuorum {

    private final LogSummary highestLog;
    private final Members members;
    private final int voters;
    private final Optional<NodeAddress> mostAdvancedNode;

    private ReadQuorum(LogSummary highestLog, int voters, Optional<NodeAddress> mostAdvancedNode) {
        this.highestLog = highestLog;
        this.members = highestLog.members();
        this.voters = voters;
        this.mostAdvancedNode = mostAdvancedNode;
    }

    /**
     * Evaluates the answers.
     *
     * @param statuses the nodes' statuses from before they were asked for segments: the voters to count are those at
     *     the time when the reader began
     * @param segments the nodes' answers about segments, which may include other replies
     */
    public static ReadQuorum of(Map<NodeAddress, PoolReply> statuses, Map<NodeAddress, PoolReply> segments) {
        LogSummary highestLog = highestLog(statuses);
        Members members = highestLog.members();
        Set<NodeId> voters = new HashSet<>();
        Optional<NodeAddress> mostAdvancedNode = Optional.empty();
        for (Map.Entry<NodeAddress, PoolReply> answer : segments.entrySet()) {
            if (answer.getValue() instanceof SegmentsReply) {
                SegmentsReply reply = (SegmentsReply) answer.getValue();
                Optional<StatusReply> status = statusOf(reply.node(), statuses.get(answer.getKey()));
                if (!status.isPresent() || !isEligible(answer.getKey(), status.get(), highestLog)) {
                    continue;
                }
                if (!mostAdvancedNode.isPresent()
                        || committedSn(segments.get(mostAdvancedNode.get())) < reply.committedSn()) {
                    mostAdvancedNode = Optional.of(answer.getKey());
                }
                if (isVote(status.get(), members)
                        && reply.committedSn()
                                >= status.get().committedSummary().position().sn()) {
                    voters.add(reply.node());
                }
            }
        }
        return new ReadQuorum(highestLog, voters.size(), mostAdvancedNode);
    }

    /**
     * Whether {@link #of} can find a majority among the nodes that have reported their status: further statuses are then welcome, but need
     * not be waited for.
     */
    public static boolean isPossible(Map<NodeAddress, PoolReply> statuses) {
        LogSummary highestLog = highestLog(statuses);
        Members members = highestLog.members();
        Set<NodeId> voters = new HashSet<>();
        statuses.forEach((address, reply) -> {
            if (reply instanceof StatusReply) {
                StatusReply status = (StatusReply) reply;
                if (isEligible(address, status, highestLog) && isVote(status, members)) {
                    voters.add(status.node());
                }
            }
        });
        return members.voterCount() > 0 && voters.size() >= members.majority();
    }

    /**
     * The highest log decides the members, as for a new writer: a node may not know yet that its newest members are
     * committed, and the members before them are too few.
     */
    private static LogSummary highestLog(Map<NodeAddress, PoolReply> statuses) {
        return StatusReply.endInForce(statuses);
    }

    /** The status that the same storage reported a moment ago at the same address. */
    private static Optional<StatusReply> statusOf(NodeId node, PoolReply reply) {
        return Optional.ofNullable(reply)
                .filter(StatusReply.class::isInstance)
                .map(StatusReply.class::cast)
                .filter(status -> status.node().equals(node));
    }

    private static long committedSn(PoolReply reply) {
        return ((SegmentsReply) reply).committedSn();
    }

    /**
     * Whether a node shows this journal: it may have an older incarnation of it (rule R11), or be a node at another
     * member's address (R12).
     */
    private static boolean isEligible(NodeAddress address, StatusReply status, LogSummary highestLog) {
        return status.end().hasSameIncarnation(highestLog)
                && !highestLog.members().isAddressOfOtherMember(address, status.node());
    }

    /**
     * Whether a reply is the vote of a voter. A node that lost entries to damage (rule R9) has none: it may have lost
     * what it knew to be committed.
     */
    private static boolean isVote(StatusReply status, Members members) {
        return members.isVoter(status.node()) && status.completeness() == LogCompleteness.COMPLETE;
    }

    /** The incarnation of the nodes that count; {@link Incarnation#NONE} if no node reported one. */
    public Incarnation incarnation() {
        return highestLog.incarnation();
    }

    /** The node that shows the longest log; empty if no node shows anything. */
    public Optional<NodeAddress> mostAdvanced() {
        return mostAdvancedNode;
    }

    /** Whether enough voters answered that the most advanced one knows everything that was known to be committed before. */
    public boolean hasMajority() {
        return members.voterCount() > 0 && voters >= members.majority();
    }

    /** Returns how many voters are needed, and how many there are. */
    @Override
    public String toString() {
        return members.majority() + " of its voters answer, now there are " + voters + " of " + members.list();
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.model;

import com.google.auto.value.AutoValue;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A node's report of its holdings of a journal, with the rule that tells which incarnation is in force if nodes hold
 * several (rule R11). Immutable.
 *
 * <p>The highest incarnation is the one wanted last, unless the host that formatted it did not know of the one it
 * replaces, because it had lost its disk, or was cut off. Such an incarnation names no earlier one as replaced, and few
 * nodes hold it. If a majority of the voters of a lower one may still hold that, with data, the lower one is in force;
 * until that majority answers, neither is read or written.
 */
@AutoValue
public abstract class LogReport {

    /** @param end the end of its log, committed or not */
    public static LogReport of(NodeAddress address, NodeId node, LogSummary end) {
        return new AutoValue_LogReport(address, node, end);
    }

    /** Returns the report of a node that holds nothing of the journal. */
    public static LogReport empty(NodeAddress address, NodeId node) {
        return of(address, node, LogSummary.ORIGIN);
    }

    abstract NodeAddress address();

    abstract NodeId node();

    abstract LogSummary end();

    /** The end of the highest log of the incarnation in force; {@link LogSummary#ORIGIN} if no node holds anything. */
    public static LogSummary endInForce(Collection<LogReport> logs) {
        TreeMap<Incarnation, LogSummary> ends = new TreeMap<>(Collections.reverseOrder());
        for (LogReport log : logs) {
            ends.merge(log.end().incarnation(), log.end(), (one, other) -> other.isAheadOf(one) ? other : one);
        }
        LogSummary inForce = LogSummary.ORIGIN;
        for (Map.Entry<Incarnation, LogSummary> each : ends.entrySet()) {
            LogSummary lowerLog = each.getValue();
            if (inForce.equals(LogSummary.ORIGIN) || staysInForce(lowerLog, inForce, logs)) {
                inForce = lowerLog;
            }
        }
        return inForce;
    }

    /**
     * Whether nodes that have not answered may hold another incarnation, which would be in force: there are more of them outside the
     * members than nodes that hold the one in force so far. A journal that was formatted on one host, by an operator who did not know of
     * any other, is a majority of itself at once.
     */
    public static boolean mayBeSuperseded(Collection<LogReport> logs, Collection<NodeAddress> silentNodes) {
        LogSummary inForce = endInForce(logs);
        long strangers = silentNodes.stream()
                .filter(address -> !inForce.members().findByAddress(address).isPresent())
                .count();
        return !inForce.incarnation().isPromoted() && strangers > countHolders(inForce, logs);
    }

    /** Whether a log stays in force although a log of a higher incarnation exists. */
    private static boolean staysInForce(LogSummary lowerLog, LogSummary higherLog, Collection<LogReport> logs) {
        boolean wasKnown = higherLog.incarnation().isPromoted()
                || higherLog.members().replacedIncarnations().contains(lowerLog.incarnation());
        return !wasKnown
                && lowerLog.lastTxId() > 0
                && countPossibleVotes(lowerLog, logs) >= lowerLog.members().majority()
                && countHolders(higherLog, logs) < lowerLog.members().majority();
    }

    /**
     * Returns the number of voters that hold this log, as far as nodes answered; a voter that is refetching a damaged log counts as holding
     * it.
     */
    private static int countPossibleVotes(LogSummary end, Collection<LogReport> logs) {
        int count = 0;
        for (Member member : end.members().list()) {
            boolean answered = false;
            boolean holds = false;
            for (LogReport log : logs) {
                boolean isIt = log.node().equals(member.id());
                answered |= isIt || log.address().equals(member.address());
                holds |= isIt && log.end().hasSameIncarnation(end);
            }
            count += member.isVoter() && (holds || !answered) ? 1 : 0;
        }
        return count;
    }

    private static int countHolders(LogSummary end, Collection<LogReport> logs) {
        Set<NodeId> holders = new HashSet<>();
        for (LogReport log : logs) {
            if (log.end().hasSameIncarnation(end)) {
                holders.add(log.node());
            }
        }
        return holders.size();
    }
}

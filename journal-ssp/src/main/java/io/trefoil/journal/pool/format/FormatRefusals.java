/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.format;

import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.VoidRange;
import io.trefoil.journal.protocol.NotFormattedReply;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.StatusReply;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The reasons for which a journal must not be formatted: a process may write an earlier incarnation of it, or continue
 * with it without learning of the format (rule R11). What the operator names as void is no reason. A host where nothing
 * is known of an earlier journal formats a new one, however few nodes answer.
 */
public final class FormatRefusals {

    /** The setting by which an operator names them. */
    private static final String VOID = "-D trefoil.journal.format.void=";

    private static final String NOT_FORMATTED = "The journal is not formatted, and nothing was changed: ";

    private final FormatOrder order;
    private final Collection<NodeAddress> configured;
    private final Map<NodeAddress, PoolReply> statuses;
    private final TreeMap<Incarnation, LogSummary> ends = new TreeMap<>();

    /**
     * @param configured the addresses that the URI names
     * @param statuses what the nodes that answer hold
     */
    public FormatRefusals(FormatOrder order, Collection<NodeAddress> configured, Map<NodeAddress, PoolReply> statuses) {
        this.order = order;
        this.configured = configured;
        this.statuses = statuses;
        for (PoolReply reply : statuses.values()) {
            if (reply instanceof StatusReply) {
                LogSummary end = ((StatusReply) reply).end();
                ends.merge(end.incarnation(), end, (one, other) -> other.isAheadOf(one) ? other : one);
            }
        }
    }

    /** Returns how long until no node that answers considers a writer alive, unless a writer is active. */
    public long leaseMillis() {
        long millis = 0;
        for (PoolReply reply : statuses.values()) {
            if (isLeased(reply)) {
                millis = Math.max(millis, ((StatusReply) reply).leaseHeldMillis());
            }
        }
        return millis;
    }

    private boolean isLeased(PoolReply reply) {
        return reply instanceof StatusReply
                && ((StatusReply) reply).leaseHeldMillis() > 0
                && !order.voidedIncarnations()
                        .contains(((StatusReply) reply).end().incarnation());
    }

    /** @throws IOException if there is a reason; it says what is missing and how to continue */
    public void throwIfAny() throws IOException {
        for (Map.Entry<NodeAddress, PoolReply> status : statuses.entrySet()) {
            if (isLeased(status.getValue())) {
                Incarnation used = ((StatusReply) status.getValue()).end().incarnation();
                throw newRefusal(
                        "pool node " + status.getKey() + " believes in a writer of incarnation " + used
                                + ", so a NameNode is active: stop it",
                        used);
            }
        }
        for (LogSummary end : ends.values()) {
            requireMajority(end);
        }
        for (LogSummary end : ends.values()) {
            requireLossClear(end);
        }
        for (Incarnation known : order.knownIncarnations()) {
            requireIncarnationVisible(known);
        }
    }

    private void requireMajority(LogSummary end) throws IOException {
        List<NodeAddress> missing = new ArrayList<>();
        for (Member member : end.members().list()) {
            if (member.isVoter() && !hasReportedHoldings(statuses.get(member.address()))) {
                missing.add(member.address());
            }
        }
        boolean isMajority =
                end.members().voterCount() - missing.size() >= end.members().majority();
        if (end.lastTxId() > 0 && !isMajority && !order.voidedIncarnations().contains(end.incarnation())) {
            throw newRefusal(
                    "a majority of the voters of incarnation " + end.incarnation() + ", which a node here holds, does "
                            + "not answer, and could go on with it: start the pool nodes at " + missing,
                    end.incarnation());
        }
    }

    /** Whether a node has reported its holdings: one whose disk fails may have the journal when that is mended. */
    private static boolean hasReportedHoldings(PoolReply reply) {
        return reply instanceof StatusReply || reply instanceof NotFormattedReply;
    }

    /** The namespace here was made from an incarnation that no node shows: those that do not answer may hold it. */
    private void requireIncarnationVisible(Incarnation known) throws IOException {
        Set<NodeAddress> missing = new LinkedHashSet<>(configured);
        missing.removeIf(address -> hasReportedHoldings(statuses.get(address)));
        boolean isMajority = (configured.size() - missing.size()) * 2 > configured.size();
        if (!isMajority
                && !ends.containsKey(known)
                && !order.voidedIncarnations().contains(known)) {
            throw newRefusal(
                    "the namespace on this host was made from incarnation " + known + ", which no pool node that "
                            + "answers holds, and the others are a majority: start the pool nodes at " + missing,
                    known);
        }
    }

    /** The namespace here may be from before a promotion or a restore: nothing would tell its transactions from later ones. */
    private void requireLossClear(LogSummary end) throws IOException {
        Optional<VoidRange> unclear = order.unclearRange(end);
        if (unclear.isPresent()) {
            throw new IOException(describeUnclearLoss(order, end, unclear.get()));
        }
    }

    /** Says why a journal is not formatted whose end names a range as lost that the namespace may have. */
    public static String describeUnclearLoss(FormatOrder order, LogSummary end, VoidRange unclear) {
        return NOT_FORMATTED + "incarnation " + end.incarnation() + " lost transactions behind "
                + unclear.afterTxId()
                + ", and nothing on this host shows that its namespace is from after that: start its "
                + "NameNode once, or initialize the journal on the host of one that has run"
                + adviceToVoid(order, end.incarnation());
    }

    private IOException newRefusal(String reason, Incarnation named) {
        return new IOException(NOT_FORMATTED + reason + adviceToVoid(order, named));
    }

    /** Says by which setting an operator makes an incarnation void, beside those that the order names. */
    public static String adviceToVoid(FormatOrder order, Incarnation named) {
        Set<Incarnation> all = new TreeSet<>(order.voidedIncarnations());
        all.add(named);
        return ". If that incarnation shall be void on all nodes that hold it, name it: " + VOID
                + all.stream().map(Incarnation::toString).collect(Collectors.joining(","));
    }

    /** The new journal's list of members before it has any; it names the earlier incarnations and their void ranges. */
    public Members inherited() {
        return order.inheritedFrom(ends.values());
    }
}

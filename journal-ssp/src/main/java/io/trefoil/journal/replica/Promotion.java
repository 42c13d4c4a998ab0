/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.replica;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.Promise;
import io.trefoil.journal.model.RetiredStorage;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.model.VoidRange;
import io.trefoil.journal.protocol.FailedReply;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.StatusReply;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The rules by which one surviving node becomes the only voter of a new incarnation, when the majority of the voters is
 * lost for good ({@code docs/design/lost-site.md}). Pure: a driver asks the other nodes and changes the storage.
 */
public final class Promotion {

    private Promotion() {}

    /** The node to be promoted; it is not running. Immutable. */
    @AutoValue
    public abstract static class Survivor {

        /** @param epochs for each epoch in the log, from its base on, the serial number of its first entry */
        public static Survivor of(
                NodeId node,
                Promise promise,
                LogCompleteness completeness,
                LogSummary committed,
                LogSummary end,
                NavigableMap<Long, Epoch> epochs) {
            return new AutoValue_Promotion_Survivor(
                    node,
                    promise,
                    completeness,
                    committed,
                    end,
                    Collections.unmodifiableNavigableMap(new TreeMap<>(epochs)));
        }

        public abstract NodeId node();

        public abstract Promise promise();

        public abstract LogCompleteness completeness();

        /** The part of the log that the node knows to be committed. */
        public abstract LogSummary committedSummary();

        /** The summary of the whole log: all of it continues, since any of it may have been acknowledged. */
        public abstract LogSummary end();

        abstract NavigableMap<Long, Epoch> epochs();

        /** Whether the log has this entry; purged entries count as present. */
        final boolean contains(LogPosition position) {
            Map.Entry<Long, Epoch> epoch = epochs().floorEntry(position.sn());
            return epoch == null
                    || (position.sn() <= end().position().sn()
                            && epoch.getValue().equals(position.epoch()));
        }

        /** The promoted node in the log's newest members; empty if it is not one of them. */
        public final Optional<Member> member() {
            return end().members().find(node());
        }

        /** Whether this node is the result of a promotion: the only voter, in an incarnation that a promotion began. */
        public final boolean isPromoted() {
            return end().incarnation().isPromoted()
                    && end().members().voterCount() == 1
                    && end().members().isVoter(node());
        }
    }

    /** Edits that only raise the counters of the namespace, in a segment of their own. Immutable. */
    @AutoValue
    public abstract static class CounterIncrease {

        /** @param blockId the value to which it raises the ids of plain blocks, above all that were allocated before */
        public static CounterIncrease of(TxRange txIds, Bytes layoutVersion, Bytes edits, long blockId) {
            return new AutoValue_Promotion_CounterIncrease(txIds, layoutVersion, edits, blockId);
        }

        abstract TxRange txIds();

        /** The layout version in the form that the beginning of a segment has. */
        abstract Bytes layoutVersion();

        abstract Bytes edits();

        abstract long blockId();
    }

    /**
     * Returns why the node must not be promoted; empty if it may. If the answers contradict what the operator says about lost
     * members, the promotion is refused.
     *
     * @param answers the replies of the other nodes that answered, by address, whether members or not
     * @param lostNodes members whose storage, the operator vows, never comes back as a voter of this journal
     */
    public static List<String> refusalReasons(
            Survivor ownSurvivor, Map<NodeAddress, PoolReply> answers, Set<NodeAddress> lostNodes) {
        List<String> refusals = new ArrayList<>();
        if (ownSurvivor.end().lastTxId() == 0) {
            refusals.add("The log here holds no transaction");
        }
        if (!ownSurvivor.member().isPresent()) {
            refusals.add(
                    "The storage here, " + ownSurvivor.node() + ", is not a member of the journal: the members are "
                            + ownSurvivor.end().members());
            return refusals;
        }
        Members members = ownSurvivor.end().members();
        int voters = members.isVoter(ownSurvivor.node()) ? 1 : 0;
        for (Member member : members.list()) {
            if (member.id().equals(ownSurvivor.node())) {
                continue;
            }
            Optional<NodeAddress> place = findAddress(ownSurvivor, member, answers);
            boolean isThere = place.isPresent();
            boolean isLost = lostNodes.contains(member.address());
            voters += isThere && member.isVoter() ? 1 : 0;
            if (isThere && isLost) {
                refusals.add(member.address() + " is said to be lost, but "
                        + (place.get().equals(member.address()) ? "" : place.get() + " ")
                        + "answers with its storage");
            } else if (!isThere && !isLost) {
                refusals.add(
                        member.address() + " does not answer with the storage of a member: only if that is lost for"
                                + " good, or will never run again, name it with --lost");
            }
        }
        for (NodeAddress address : lostNodes) {
            if (!members.findByAddress(address)
                    .filter(member -> !member.id().equals(ownSurvivor.node()))
                    .isPresent()) {
                refusals.add(address + " is said to be lost, but is not one of the other members");
            }
        }
        if (voters >= members.majority()) {
            refusals.add(voters + " of " + members.voterCount()
                    + " voters are there, which is a majority: the journal can go on by itself, see 'hdfs "
                    + "trefoil journal status'");
        }
        answers.forEach((address, reply) -> {
            if (isReplyOf(ownSurvivor, ownSurvivor.node(), reply)) {
                refusals.add(address + " answers with the storage that is here, " + ownSurvivor.node()
                        + ": one is a copy of the other; stop that one for good");
            }
            compare(ownSurvivor, address, reply, refusals);
        });
        return refusals;
    }

    /**
     * The address of a node that answered and has, or may have, a member's storage. It can be any address, since storage
     * moves. A node that cannot open its storage now may be able to tomorrow.
     */
    private static Optional<NodeAddress> findAddress(
            Survivor ownSurvivor, Member member, Map<NodeAddress, PoolReply> answers) {
        if (answers.get(member.address()) instanceof FailedReply) {
            return Optional.of(member.address());
        }
        return answers.entrySet().stream()
                .filter(answer -> isReplyOf(ownSurvivor, member.id(), answer.getValue()))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    private static boolean isReplyOf(Survivor ownSurvivor, NodeId id, PoolReply reply) {
        if (reply instanceof FailedReply) {
            return ((FailedReply) reply).node().equals(id);
        }
        return reply instanceof StatusReply
                && ((StatusReply) reply).node().equals(id)
                && ((StatusReply) reply).end().hasSameIncarnation(ownSurvivor.end());
    }

    private static void compare(Survivor ownSurvivor, NodeAddress address, PoolReply reply, List<String> refusals) {
        if (!(reply instanceof StatusReply)) {
            return;
        }
        StatusReply status = (StatusReply) reply;
        Incarnation theirs = status.end().incarnation();
        if (theirs.isAbove(ownSurvivor.end().incarnation())) {
            refusals.add(address + " holds incarnation " + theirs + " of the journal, newer than "
                    + ownSurvivor.end().incarnation()
                    + " here: another node was promoted, or the journal was initialized again");
        } else if (status.end().hasSameIncarnation(ownSurvivor.end())) {
            if (status.end().isAheadOf(ownSurvivor.end())) {
                refusals.add(address + " has a log up to " + status.end().position() + ", further than "
                        + ownSurvivor.end().position() + " here: promote that one");
            }
            if (!ownSurvivor.contains(status.committedSummary().position())) {
                refusals.add(
                        address + " knows entry " + status.committedSummary().position()
                                + " to be committed, which the log here does not have: promote that one; if it refuses "
                                + "because of this one, stop this one and name it with --lost there");
            }
            if (status.leaseHeldMillis() > 0) {
                refusals.add(address + " believes in a writer of epoch "
                        + status.promise().epoch() + ": a NameNode may be active");
            }
        }
    }

    /** An epoch above every one that this node, or a node that answered, has seen. */
    public static Epoch nextEpoch(Survivor ownSurvivor, Iterable<PoolReply> answers) {
        Epoch highest = ownSurvivor.promise().epoch();
        highest = ownSurvivor.end().position().epoch().isAbove(highest)
                ? ownSurvivor.end().position().epoch()
                : highest;
        for (PoolReply reply : answers) {
            Epoch promised = reply instanceof StatusReply
                    ? ((StatusReply) reply).promise().epoch()
                    : Epoch.NONE;
            highest = promised.isAbove(highest) ? promised : highest;
        }
        return highest.next();
    }

    /**
     * The entries that follow the log in its new incarnation, committed like all of it: the end of an open segment, the new
     * node as the only member, and the rise. The old members never become members again (rule R8); lost ones cannot even
     * rejoin with new storage until an operator adds them. An image at a transaction after the old log, with block ids
     * below those of the rise, contains lost transactions.
     */
    public static List<Entry> newEntries(
            Survivor ownSurvivor, Epoch epoch, NodeId successor, Set<NodeAddress> lostNodes, CounterIncrease increase) {
        List<Entry> entries = new ArrayList<>();
        LogSummary end = ownSurvivor.end();
        long sn = end.position().sn();
        if (end.openSegment().isPresent()) {
            long first = end.openSegment().get();
            TxRange segment = TxRange.of(first, Math.max(first - 1, end.lastTxId()));
            entries.add(Entry.of(LogPosition.of(epoch, ++sn), EntryKind.SEGMENT_END, segment, Bytes.EMPTY));
        }
        NodeAddress address = ownSurvivor.member().get().address();
        Members members = end.members();
        for (Member member : end.members().list()) {
            members = members.without(
                    member.id(),
                    lostNodes.contains(member.address())
                            ? RetiredStorage.Cause.REMOVED
                            : RetiredStorage.Cause.REPLACED);
        }
        members = members.with(Member.voter(successor, address))
                .withLostRanges(
                        Collections.singleton(VoidRange.of(end.lastTxId(), Long.MAX_VALUE, 0, increase.blockId())));
        entries.add(Entry.of(LogPosition.of(epoch, ++sn), EntryKind.MEMBERS, TxRange.NONE, members.toPayload()));
        TxRange rising = increase.txIds();
        entries.add(Entry.of(
                LogPosition.of(epoch, ++sn),
                EntryKind.SEGMENT_START,
                TxRange.emptyRangeAt(rising.first()),
                increase.layoutVersion()));
        entries.add(Entry.of(LogPosition.of(epoch, ++sn), EntryKind.EDITS, rising, increase.edits()));
        entries.add(Entry.of(LogPosition.of(epoch, ++sn), EntryKind.SEGMENT_END, rising, Bytes.EMPTY));
        return entries;
    }
}

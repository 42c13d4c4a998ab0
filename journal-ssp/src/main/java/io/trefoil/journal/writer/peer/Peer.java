/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer.peer;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.protocol.PromiseReply;
import java.util.Optional;

/** A writer's knowledge of one node. Immutable; times are by the writer's monotonic clock, in nanoseconds. */
@AutoValue
public abstract class Peer {

    public static Peer unknown(NodeAddress address) {
        return new AutoValue_Peer.Builder()
                .address(address)
                .index(0)
                .connected(false)
                .formatted(false)
                .progress(ProgressState.PROBING)
                .matchedSn(0)
                .sentSn(0)
                .completeness(LogCompleteness.COMPLETE)
                .retired(false)
                .invited(true)
                .misplaced(false)
                .waitingSn(0)
                .probeCount(0)
                .timeouts(TimeoutHistory.NONE)
                .readerLagCheck(ReaderLagCheck.NONE)
                .build();
    }

    public abstract NodeAddress address();

    /** The place of this peer among the {@link Peers} that contain it, from 0, so that they need not search for it. */
    abstract int index();

    /** Whether the writer has a session with the node. */
    public abstract boolean connected();

    /** The id of the node's storage, as the node reported in the newest session. */
    public abstract Optional<NodeId> node();

    public abstract boolean formatted();

    public abstract ProgressState progress();

    /** The serial number up to which the node's log is durable and the same as the writer's. */
    public abstract long matchedSn();

    /** The serial number up to which entries are in transit to the node. */
    public abstract long sentSn();

    public abstract LogCompleteness completeness();

    /** The time since which the node has owed an answer for the entries up to {@link #waitingSn}. */
    public abstract Optional<Long> waitingSinceNanos();

    /** The newest entry that had been sent when the waiting began: an answer for an older one does not end it. */
    public abstract long waitingSn();

    /** Returns how often the node was asked where its log ends since its last answer. */
    public abstract int probeCount();

    /** The history of timeouts: when the node was too slow, and whether it has answered in time since. */
    public abstract TimeoutHistory timeouts();

    /** Whether the node keeps up, if an observer next to it wants to answer reads. */
    public abstract ReaderLagCheck readerLagCheck();

    /** The time at which something was last sent to the node. */
    public abstract Optional<Long> lastSentNanos();

    /** The time at which the newest append that the node acknowledged was sent: this writer measures the node's lease from then on. */
    public abstract Optional<Long> leaseFromNanos();

    /** The higher epoch that the node promised to another writer. */
    public abstract Optional<Epoch> refusedForEpoch();

    /** The incarnation of the node's storage, if it differs from that of the writer's log (rule R11). */
    public abstract Optional<Incarnation> otherIncarnation();

    /** The end of the log of the other incarnation at the node; empty until the node has reported it. */
    public abstract Optional<LogSummary> otherLogEnd();

    /** The time at which reading entries from this node for another one last failed; empty if that never happened in this session. */
    public abstract Optional<Long> unreadableSinceNanos();

    /** Whether the node's storage was a member and never will be again, so that it is sent no entries. */
    public abstract boolean retired();

    /**
     * Whether the journal's URI or an operator named the node's address, rather than only the node itself or a list of NameNodes: a
     * member's storage may then have moved there.
     */
    public abstract boolean invited();

    /**
     * Whether the node claims to be a member that cannot be at its address (rule R12): the writer ignores everything it sends, and sends it
     * no entries.
     */
    public abstract boolean misplaced();

    /** The node's promise for the epoch that this writer asks for. */
    public abstract Optional<PromiseReply> promise();

    public abstract Builder toBuilder();

    final Peer withIndex(int index) {
        return toBuilder().index(index).build();
    }

    public final boolean isServed() {
        return connected()
                && formatted()
                && !retired()
                && !misplaced()
                && !refusedForEpoch().isPresent();
    }

    public final boolean isInSync() {
        return isServed() && progress() == ProgressState.IN_SYNC && completeness() == LogCompleteness.COMPLETE;
    }

    /** Whether a part of what the node lacks is in transit, so that the next part must wait for its answer. */
    public final boolean hasPendingPart() {
        return progress() == ProgressState.CATCHING_UP && waitingSinceNanos().isPresent();
    }

    /** A copy updated with the peer's data in these members. */
    public final Peer withMembers(Members members) {
        boolean nowRetired = node().isPresent() && members.isRetired(node().get());
        boolean nowMisplaced = node().isPresent() && isMisplaced(node().get(), members);
        return nowRetired == retired() && nowMisplaced == misplaced()
                ? this
                : withProbing().toBuilder()
                        .retired(nowRetired)
                        .misplaced(nowMisplaced)
                        .build();
    }

    /** Whether another peer at its address has the same data from the members as this one. */
    final boolean hasSameMembershipAs(Peer otherPeer) {
        return node().equals(otherPeer.node())
                && invited() == otherPeer.invited()
                && retired() == otherPeer.retired()
                && misplaced() == otherPeer.misplaced();
    }

    /**
     * Whether storage is at an address where it may not be: it may move to an address that no other member has, to another
     * host only if another process than the node says so.
     */
    private boolean isMisplaced(NodeId node, Members members) {
        Optional<Member> here = members.findByAddress(address());
        if (here.isPresent()) {
            return !here.get().id().equals(node) && members.find(node).isPresent();
        }
        return !invited()
                && members.find(node)
                        .filter(member ->
                                !member.address().host().equals(address().host()))
                        .isPresent();
    }

    public final Peer withProbing() {
        return toBuilder()
                .progress(ProgressState.PROBING)
                .waitingSinceNanos(Optional.<Long>empty())
                .lastSentNanos(Optional.<Long>empty())
                .probeCount(0)
                .build();
    }

    /**
     * A copy after a message is sent now that puts everything up to {@code sn} in transit: if there was less in transit before, the peer
     * owes an answer for it, unless it already owes an older one.
     */
    public final Peer withSent(long sn, long nowNanos) {
        Builder sent = toBuilder().lastSentNanos(Optional.of(nowNanos)).sentSn(sn);
        if (sn > sentSn() && !waitingSinceNanos().isPresent()) {
            sent.waitingSinceNanos(Optional.of(nowNanos)).waitingSn(sn);
        }
        return sent.build();
    }

    /** A copy that owes an answer for everything up to {@code sn} from now on, unless it already owes an older one. */
    public final Peer withPendingAnswer(long sn, long nowNanos) {
        return waitingSinceNanos().isPresent()
                ? this
                : toBuilder()
                        .waitingSinceNanos(Optional.of(nowNanos))
                        .waitingSn(sn)
                        .build();
    }

    /** Drops everything that was learned about the node's log, but not its id or whether there is a session. */
    public final Peer forgetProgress() {
        return withProbing().toBuilder()
                .matchedSn(0)
                .sentSn(0)
                .completeness(LogCompleteness.COMPLETE)
                .leaseFromNanos(Optional.<Long>empty())
                .refusedForEpoch(Optional.<Epoch>empty())
                .otherIncarnation(Optional.<Incarnation>empty())
                .otherLogEnd(Optional.<LogSummary>empty())
                .promise(Optional.<PromiseReply>empty())
                .build();
    }

    @AutoValue.Builder
    public abstract static class Builder {

        public abstract Builder address(NodeAddress address);

        abstract Builder index(int index);

        public abstract Builder connected(boolean connected);

        public abstract Builder node(NodeId node);

        public abstract Builder formatted(boolean formatted);

        public abstract Builder progress(ProgressState progress);

        public abstract Builder matchedSn(long matchedSn);

        public abstract Builder sentSn(long sentSn);

        public abstract Builder completeness(LogCompleteness completeness);

        public abstract Builder waitingSinceNanos(Optional<Long> waitingSinceNanos);

        public abstract Builder waitingSn(long waitingSn);

        public abstract Builder probeCount(int probeCount);

        public abstract Builder timeouts(TimeoutHistory timeouts);

        public abstract Builder readerLagCheck(ReaderLagCheck lagCheck);

        public abstract Builder lastSentNanos(Optional<Long> lastSentNanos);

        public abstract Builder leaseFromNanos(Optional<Long> leaseFromNanos);

        public abstract Builder refusedForEpoch(Optional<Epoch> refusedForEpoch);

        public abstract Builder otherIncarnation(Optional<Incarnation> otherIncarnation);

        public abstract Builder otherLogEnd(Optional<LogSummary> otherLogEnd);

        public abstract Builder unreadableSinceNanos(Optional<Long> unreadableSinceNanos);

        public abstract Builder retired(boolean retired);

        public abstract Builder invited(boolean invited);

        public abstract Builder misplaced(boolean misplaced);

        public abstract Builder promise(Optional<PromiseReply> promise);

        public abstract Peer build();
    }
}

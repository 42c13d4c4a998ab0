/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.protocol.PromiseReply;
import java.util.Optional;

/** What a writer knows about one node. Immutable; times are by the writer's monotonic clock, in nanoseconds. */
@AutoValue
abstract class Peer {

    static Peer unknown(NodeAddress address) {
        return new AutoValue_Peer.Builder()
                .address(address)
                .up(false)
                .formatted(false)
                .progress(ProgressState.PROBING)
                .matchedSn(0)
                .sentSn(0)
                .completeness(LogCompleteness.COMPLETE)
                .retired(false)
                .waitingSn(0)
                .probeCount(0)
                .timeouts(TimeoutHistory.NONE)
                .build();
    }

    abstract NodeAddress address();

    /** Whether there is a session with it. */
    abstract boolean up();

    /** Its storage, as it said itself in the newest session. */
    abstract Optional<NodeId> node();

    abstract boolean formatted();

    abstract ProgressState progress();

    /** Up to here its log is durable and the same as the writer's. */
    abstract long matchedSn();

    /** Up to here entries are on their way to it. */
    abstract long sentSn();

    abstract LogCompleteness completeness();

    /** Since when it owes an answer for the entries up to {@link #waitingSn}. */
    abstract Optional<Long> waitingSinceNanos();

    /** The newest entry that had been sent when the waiting began: an answer for an older one does not end it. */
    abstract long waitingSn();

    /** How often it was asked where its log ends since it answered last. */
    abstract int probeCount();

    /** When it was too slow, and whether it has been in time since. */
    abstract TimeoutHistory timeouts();

    /** When anything was sent to it. */
    abstract Optional<Long> lastSentNanos();

    /** When the newest append that it acknowledged was sent: from then on it holds the lease for us. */
    abstract Optional<Long> leaseFromNanos();

    /** The epoch above ours that it promised to another writer. */
    abstract Optional<Epoch> refusedFor();

    /** The beginning of the journal that its storage goes back to, if that is not the one of our log (rule R11). */
    abstract Optional<Incarnation> other();

    /** When entries that another node lacks could last not be read there; empty if that never happened in this session. */
    abstract Optional<Long> unreadableSinceNanos();

    /** Whether its storage was a member and never will be again: it is sent no entries. */
    abstract boolean retired();

    /** Its promise for the epoch that we are asking for. */
    abstract Optional<PromiseReply> promise();

    abstract Builder toBuilder();

    final boolean isServed() {
        return up() && formatted() && !retired() && !refusedFor().isPresent();
    }

    final boolean isInSync() {
        return isServed() && progress() == ProgressState.IN_SYNC && completeness() == LogCompleteness.COMPLETE;
    }

    /** Whether a part of what it lacks is under way to it: the next one has to wait for its answer. */
    final boolean owesPart() {
        return progress() == ProgressState.CATCHING_UP && waitingSinceNanos().isPresent();
    }

    /** The same as these members see it. */
    final Peer among(Members members) {
        boolean nowRetired = node().isPresent() && members.isRetired(node().get());
        return nowRetired == retired()
                ? this
                : probing().toBuilder().retired(nowRetired).build();
    }

    final Peer probing() {
        return toBuilder()
                .progress(ProgressState.PROBING)
                .waitingSinceNanos(Optional.<Long>empty())
                .lastSentNanos(Optional.<Long>empty())
                .probeCount(0)
                .build();
    }

    /** It owes an answer for everything up to {@code sn} from now on, unless it owes an older one already. */
    final Peer waitingFor(long sn, long nowNanos) {
        return waitingSinceNanos().isPresent()
                ? this
                : toBuilder()
                        .waitingSinceNanos(Optional.of(nowNanos))
                        .waitingSn(sn)
                        .build();
    }

    /** Nothing that was learnt of its log counts any more; who it is and whether it is there does. */
    final Peer anew() {
        return probing().toBuilder()
                .matchedSn(0)
                .sentSn(0)
                .completeness(LogCompleteness.COMPLETE)
                .leaseFromNanos(Optional.<Long>empty())
                .refusedFor(Optional.<Epoch>empty())
                .other(Optional.<Incarnation>empty())
                .promise(Optional.<PromiseReply>empty())
                .build();
    }

    @AutoValue.Builder
    abstract static class Builder {

        abstract Builder address(NodeAddress address);

        abstract Builder up(boolean up);

        abstract Builder node(NodeId node);

        abstract Builder formatted(boolean formatted);

        abstract Builder progress(ProgressState progress);

        abstract Builder matchedSn(long matchedSn);

        abstract Builder sentSn(long sentSn);

        abstract Builder completeness(LogCompleteness completeness);

        abstract Builder waitingSinceNanos(Optional<Long> waitingSinceNanos);

        abstract Builder waitingSn(long waitingSn);

        abstract Builder probeCount(int probeCount);

        abstract Builder timeouts(TimeoutHistory timeouts);

        abstract Builder lastSentNanos(Optional<Long> lastSentNanos);

        abstract Builder leaseFromNanos(Optional<Long> leaseFromNanos);

        abstract Builder refusedFor(Optional<Epoch> refusedFor);

        abstract Builder other(Optional<Incarnation> other);

        abstract Builder unreadableSinceNanos(Optional<Long> unreadableSinceNanos);

        abstract Builder retired(boolean retired);

        abstract Builder promise(Optional<PromiseReply> promise);

        abstract Peer build();
    }
}

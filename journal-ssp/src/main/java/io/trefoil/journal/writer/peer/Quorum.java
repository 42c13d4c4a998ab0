/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer.peer;

import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.Members;
import java.util.Arrays;
import java.util.Optional;

/** Computes the entries that a majority has or reports (rules R3, R5 and R7), from members and peers. */
public final class Quorum {

    private Quorum() {}

    /** The highest serial number that a majority of the voters has; 0 if there is none. */
    public static long matchedSn(Members members, Peers peers) {
        Voters voters = peers.voters(members);
        long[] matched = new long[voters.count()];
        int count = 0;
        for (int index : voters.indices()) {
            Peer peer = peers.get(index);
            matched[count++] = peer.completeness() == LogCompleteness.COMPLETE ? peer.matchedSn() : 0;
        }
        return valueOfMajority(matched, 0);
    }

    /** The latest time such that a majority of the voters has acknowledged something sent then or later; empty if none. */
    public static Optional<Long> leaseFromNanos(Members members, Peers peers) {
        Voters voters = peers.voters(members);
        long[] from = new long[voters.count()];
        Arrays.fill(from, Long.MIN_VALUE);
        int count = 0;
        for (int index : voters.indices()) {
            from[count++] = peers.get(index).leaseFromNanos().orElse(Long.MIN_VALUE);
        }
        long nanos = valueOfMajority(from, Long.MIN_VALUE);
        return nanos == Long.MIN_VALUE ? Optional.<Long>empty() : Optional.of(nanos);
    }

    /**
     * Whether too many voters have promised a higher epoch, or were formatted with a newer incarnation than {@code ownIncarnation}, for a majority to
     * remain.
     */
    public static boolean isLost(Members members, Peers peers, Incarnation ownIncarnation) {
        int lost = 0;
        for (Member member : members.list()) {
            boolean obeysAnother = peers.findByNode(member.id())
                    .filter(peer -> peer.refusedForEpoch().isPresent())
                    .isPresent();
            lost += member.isVoter() && (obeysAnother || wasReinitialized(member, peers, ownIncarnation)) ? 1 : 0;
        }
        return members.voterCount() > 0 && members.voterCount() - lost < members.majority();
    }

    /** Identifies the member by its address, because a node that is formatted again has another id. */
    private static boolean wasReinitialized(Member member, Peers peers, Incarnation ownIncarnation) {
        boolean speaksYet = peers.findByNode(member.id())
                .filter(peer -> peer.connected() && !peer.otherIncarnation().isPresent())
                .isPresent();
        return !speaksYet
                && peers.findByAddress(member.address())
                        .otherIncarnation()
                        .filter(other -> other.isAbove(ownIncarnation))
                        .isPresent();
    }

    public static int inSyncVoters(Members members, Peers peers, long atLeastSn) {
        int count = 0;
        for (int index : peers.voters(members).indices()) {
            Peer peer = peers.get(index);
            count += peer.isInSync() && peer.matchedSn() >= atLeastSn ? 1 : 0;
        }
        return count;
    }

    /** The highest value that a majority reaches: in ascending order, this value and those after it form a majority. */
    private static long valueOfMajority(long[] values, long defaultValue) {
        if (values.length == 0) {
            return defaultValue;
        }
        Arrays.sort(values);
        int majority = values.length / 2 + 1;
        return values[values.length - majority];
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer.peer;

import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.Members;
import java.util.Arrays;
import java.util.Optional;

/** The places of the peers that have the storage of the voters, so that the commit rule need not compare names. Immutable. */
final class Voters {

    /** The empty set of voters. */
    static final Voters UNKNOWN = new Voters(Optional.<Members>empty(), 0, new int[0]);

    private final Optional<Members> members;
    private final int count;
    private final int[] places;

    private Voters(Optional<Members> members, int count, int[] places) {
        this.members = members;
        this.count = count;
        this.places = places;
    }

    static Voters of(Members members, Peers peers) {
        int[] places = new int[members.list().size()];
        int found = 0;
        int count = 0;
        for (Member member : members.list()) {
            if (member.isVoter()) {
                count++;
                Optional<Peer> peer = peers.findByNode(member.id());
                if (peer.isPresent()) {
                    places[found++] = peer.get().index();
                }
            }
        }
        return new Voters(Optional.of(members), count, Arrays.copyOf(places, found));
    }

    /** Whether these are the voters among the given members. */
    boolean isSameAs(Members otherMembers) {
        return members.isPresent() && members.get().equals(otherMembers);
    }

    /** Returns how many voters there are, whether known to the writer or not. */
    int count() {
        return count;
    }

    /** The places of those that the writer knows; shared, so it must not be written to. */
    int[] indices() {
        return places;
    }
}

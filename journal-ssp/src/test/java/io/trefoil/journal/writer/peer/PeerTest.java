/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer.peer;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.writer.events.AddressSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Who is sent entries, who is waited for, and who speaks for a storage. */
class PeerTest {

    private static final NodeAddress A = NodeAddress.of("a", 1);
    private static final NodeAddress B = NodeAddress.of("b", 1);
    private static final NodeId STORAGE = NodeId.of("storage");
    private static final NodeId OTHER = NodeId.of("other");

    private static Peer.Builder inSync() {
        return Peer.unknown(A).toBuilder()
                .connected(true)
                .formatted(true)
                .node(STORAGE)
                .progress(ProgressState.IN_SYNC);
    }

    @Test
    void servesOnlyPresentPeersFollowingWriterWithCurrentStorage() {
        assertThat(inSync().build().isServed()).isTrue();
        assertThat(inSync().connected(false).build().isServed()).isFalse();
        assertThat(inSync().formatted(false).build().isServed()).isFalse();
        assertThat(inSync().retired(true).build().isServed()).isFalse();
        assertThat(inSync().misplaced(true).build().isServed()).isFalse();
        assertThat(inSync().refusedForEpoch(Optional.of(Epoch.of(9))).build().isServed())
                .isFalse();
    }

    @Test
    void peerIsInSyncWhenServedCurrentAndComplete() {
        assertThat(inSync().build().isInSync()).isTrue();
        assertThat(inSync().connected(false).build().isInSync()).isFalse();
        assertThat(inSync().progress(ProgressState.CATCHING_UP).build().isInSync())
                .isFalse();
        assertThat(inSync().completeness(LogCompleteness.REFETCHING).build().isInSync())
                .isFalse();
    }

    @Test
    void catchingUpPeerIsAwaitedForPartUntilAnswer() {
        Peer behind = inSync().progress(ProgressState.CATCHING_UP).build();

        assertThat(behind.hasPendingPart()).isFalse();
        assertThat(behind.withPendingAnswer(5, 0).hasPendingPart()).isTrue();
        assertThat(inSync().build().withPendingAnswer(5, 0).hasPendingPart()).isFalse();
    }

    @Test
    void keepsOldestAwaitedAnswer() {
        Peer owing = inSync().build().withPendingAnswer(5, 1).withPendingAnswer(9, 2);

        assertThat(owing.waitingSinceNanos()).contains(1L);
        assertThat(owing.waitingSn()).isEqualTo(5);
    }

    /** Rule R12, for the peer at {@link #A}. */
    @Test
    void memberAtForeignAddressIsMisplaced() {
        Peer invited = inSync().invited(true).build();
        Peer uninvited = inSync().invited(false).build();

        assertThat(invited.withMembers(members(STORAGE, A)).misplaced()).isFalse();
        assertThat(invited.withMembers(members(STORAGE, B, OTHER, A)).misplaced())
                .as("where another member is")
                .isTrue();
        assertThat(invited.withMembers(members(OTHER, A)).misplaced())
                .as("no member at all, where one is")
                .isFalse();
        assertThat(invited.withMembers(members(STORAGE, B)).misplaced())
                .as("on another host, as somebody says")
                .isFalse();
        assertThat(uninvited.withMembers(members(STORAGE, B)).misplaced())
                .as("on another host, as it says itself")
                .isTrue();
        assertThat(uninvited
                        .withMembers(members(STORAGE, NodeAddress.of("a", 2)))
                        .misplaced())
                .as("at another port of its host")
                .isFalse();
        assertThat(uninvited.withMembers(members(OTHER, B)).misplaced())
                .as("no member")
                .isFalse();
        assertThat(Peer.unknown(A).withMembers(members(OTHER, A)).misplaced())
                .as("nobody knows yet who it is")
                .isFalse();
    }

    @Test
    void changedPlacementRestartsProbing() {
        Peer peer = inSync().invited(false).build();
        Peer misplaced = peer.withMembers(members(STORAGE, B));

        assertThat(misplaced.progress()).isEqualTo(ProgressState.PROBING);
        assertThat(peer.withMembers(members(STORAGE, A))).isSameAs(peer);
        assertThat(misplaced.withMembers(members(STORAGE, B))).isSameAs(misplaced);
    }

    @Test
    void sendingAwaitsAnswerForNewEntriesOnly() {
        Peer idle = inSync().matchedSn(4).sentSn(4).build();

        assertThat(idle.withSent(4, 1))
                .isEqualTo(idle.toBuilder().lastSentNanos(Optional.of(1L)).build());
        assertThat(idle.withSent(5, 1).waitingSinceNanos()).contains(1L);
        assertThat(idle.withSent(5, 1).waitingSn()).isEqualTo(5);
        assertThat(idle.withSent(5, 1).withSent(9, 2))
                .isEqualTo(idle.withSent(5, 1).toBuilder()
                        .sentSn(9)
                        .lastSentNanos(Optional.of(2L))
                        .build());
    }

    /** Members need not be asked again about a peer that is the same to them; whatever else changes must not be lost. */
    @Test
    void changedPeerIsSameAsRecomputedFromMembers() {
        Members members = members(STORAGE, B, OTHER, A);
        List<Peer> variants = new ArrayList<>();
        for (NodeAddress address : List.of(A, B, NodeAddress.of("c", 1))) {
            for (NodeId node : List.of(STORAGE, OTHER, NodeId.of("nobody"))) {
                for (boolean flag : List.of(true, false)) {
                    Peer.Builder peer = inSync().address(address).node(node).matchedSn(7);
                    variants.add(peer.invited(flag).build());
                    variants.add(peer.misplaced(true).build());
                    variants.add(peer.retired(true).build());
                    variants.add(Peer.unknown(address).toBuilder().invited(flag).build());
                }
            }
        }
        for (Peer before : variants) {
            Peers peers = Peers.create(List.of(A), AddressSource.JOURNAL_URI)
                    .with(before.withMembers(members))
                    .withMembers(members);
            for (Peer changed : variants) {
                Peer placed =
                        changed.withIndex(peers.findByAddress(changed.address()).index());

                assertThat(peers.with(placed, members))
                        .containsExactlyElementsOf(peers.with(placed.withMembers(members)));
            }
        }
    }

    @Test
    void misplacedPeerDoesNotSpeakForStorage() {
        assertThat(speaker(
                        inSync().misplaced(true).build(),
                        inSync().address(B).connected(false).build()))
                .contains(inSync().address(B).index(1).connected(false).build());
    }

    private static Members members(NodeId id, NodeAddress address) {
        return Members.of(List.of(Member.voter(id, address)));
    }

    private static Members members(NodeId id, NodeAddress address, NodeId otherNode, NodeAddress otherAddress) {
        return Members.of(List.of(Member.voter(id, address), Member.voter(otherNode, otherAddress)));
    }

    @Test
    void firstConnectedPeerSpeaksForStorage() {
        Peer at = inSync().build();
        Peer elsewhere = inSync().address(B).index(1).build();
        Peer gone = inSync().connected(false).build();
        Peer goneElsewhere = inSync().address(B).index(1).connected(false).build();

        assertThat(speaker(at, elsewhere)).contains(at);
        assertThat(speaker(gone, elsewhere)).contains(elsewhere);
        assertThat(speaker(at, goneElsewhere)).contains(at);
        assertThat(speaker(gone, goneElsewhere)).contains(gone);
        assertThat(Peers.create(List.of(A, B), AddressSource.JOURNAL_URI).findByNode(STORAGE))
                .isEmpty();
    }

    @Test
    void peersReplacePeerByAddress() {
        Peers peers = Peers.create(List.of(A, B), AddressSource.JOURNAL_URI);
        NodeAddress third = NodeAddress.of("c", 1);
        Peer strayed = Peer.unknown(B).toBuilder().connected(true).build();

        Peers next = peers.with(strayed).with(Peer.unknown(third));

        assertThat(next).extracting(Peer::address).containsExactly(A, B, third);
        assertThat(next).extracting(Peer::index).containsExactly(0, 1, 2);
        assertThat(next).extracting(Peer::connected).containsExactly(false, true, false);
        assertThat(next.current(strayed).index()).isEqualTo(1);
        assertThat(next.current(Peer.unknown(third))).isEqualTo(next.findByAddress(third));
        assertThat(peers.current(next.findByAddress(third))).isEqualTo(Peer.unknown(third));
    }

    private static Optional<Peer> speaker(Peer first, Peer second) {
        return Peers.create(List.of(), AddressSource.JOURNAL_URI)
                .with(first)
                .with(second)
                .findByNode(STORAGE);
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer.peer;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.writer.events.AddressSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

/** What majorities say, against a version that counts on its fingers. */
class QuorumTest {

    /** A node as its writer sees it. */
    record Node(
            Member.Kind role,
            boolean known,
            LogCompleteness completeness,
            ProgressState progress,
            long matchedSn,
            boolean refused) {}

    @Property(tries = 2_000)
    void committedEntryIsHighestOnVoterMajority(@ForAll("groups") List<Node> group) {
        long highest = 0;
        for (long sn = 1; sn <= 20; sn++) {
            long expected = sn;
            long holders = voters(group).stream()
                    .filter(node -> node.known()
                            && node.completeness() == LogCompleteness.COMPLETE
                            && node.matchedSn() >= expected)
                    .count();
            if (2 * holders > voters(group).size()) {
                highest = sn;
            }
        }

        assertThat(Quorum.matchedSn(members(group), peers(group))).isEqualTo(highest);
    }

    @Property(tries = 2_000)
    void writerIsLostWithoutMajorityOfRemainingVoters(@ForAll("groups") List<Node> group) {
        long left = voters(group).stream()
                .filter(node -> !(node.known() && node.refused()))
                .count();

        boolean lost = !voters(group).isEmpty() && 2 * left <= voters(group).size();

        assertThat(Quorum.isLost(members(group), peers(group), Incarnation.NONE))
                .isEqualTo(lost);
    }

    @Property(tries = 2_000)
    void leaseRunsFromLatestTimeReachedByMajority(@ForAll("groups") List<Node> group) {
        Optional<Long> latest = Optional.empty();
        for (long nanos = 1; nanos <= 20; nanos++) {
            long expected = nanos;
            long holders = voters(group).stream()
                    .filter(node -> node.known() && node.matchedSn() >= expected)
                    .count();
            if (2 * holders > voters(group).size()) {
                latest = Optional.of(nanos);
            }
        }

        // In these groups a node acknowledged at the time that its matched serial number is, if above 0.
        assertThat(Quorum.leaseFromNanos(members(group), peers(group))).isEqualTo(latest);
    }

    @Property(tries = 2_000)
    void countsInSyncVotersWithRequestedEntry(
            @ForAll("groups") List<Node> group, @ForAll @LongRange(max = 20) long atLeastSn) {
        long inSync = voters(group).stream()
                .filter(node -> node.known() && !node.refused() && node.completeness() == LogCompleteness.COMPLETE)
                .filter(node -> node.progress() == ProgressState.IN_SYNC && node.matchedSn() >= atLeastSn)
                .count();

        assertThat(Quorum.inSyncVoters(members(group), peers(group), atLeastSn)).isEqualTo((int) inSync);
    }

    @Test
    void emptyGroupHasNoMajority() {
        Peers nobody = Peers.create(List.of(), AddressSource.JOURNAL_URI);

        assertThat(Quorum.matchedSn(Members.NONE, nobody)).isZero();
        assertThat(Quorum.leaseFromNanos(Members.NONE, nobody)).isEmpty();
        assertThat(Quorum.isLost(Members.NONE, nobody, Incarnation.NONE)).isFalse();
    }

    @Test
    void reachableNodeWithNewerIncarnationIsLost() {
        Incarnation own = Incarnation.ofFormat(100, 7);
        Peers peers = Peers.create(List.of(), AddressSource.JOURNAL_URI);
        for (int i = 0; i < 2; i++) {
            peers = peers.with(reachablePeer(i).toBuilder()
                    .otherIncarnation(Optional.of(Incarnation.ofFormat(101, 7)))
                    .build());
        }

        assertThat(Quorum.isLost(threeVoters(), peers, own)).isTrue();
        assertThat(Quorum.isLost(threeVoters(), peers, Incarnation.ofFormat(102, 7)))
                .isFalse();
    }

    @Test
    void movedNodeSpeaksForItselfWhileReachable() {
        Incarnation own = Incarnation.ofFormat(100, 7);
        Peers moved = Peers.create(List.of(), AddressSource.JOURNAL_URI);
        Peers silent = moved;
        for (int i = 0; i < 2; i++) {
            Peer inItsPlace = Peer.unknown(address(i)).toBuilder()
                    .connected(true)
                    .otherIncarnation(Optional.of(Incarnation.ofFormat(101, 7)))
                    .build();
            Peer itself = reachablePeer(i).toBuilder().address(address(7 + i)).build();
            moved = moved.with(inItsPlace).with(itself);
            silent = silent.with(inItsPlace)
                    .with(itself.toBuilder().connected(false).build());
        }

        assertThat(Quorum.isLost(threeVoters(), moved, own)).isFalse();
        assertThat(Quorum.isLost(threeVoters(), silent, own)).isTrue();
    }

    private static Members threeVoters() {
        return Members.of(List.of(
                Member.of(id(0), address(0), Member.Kind.VOTER),
                Member.of(id(1), address(1), Member.Kind.VOTER),
                Member.of(id(2), address(2), Member.Kind.VOTER)));
    }

    private static Peer reachablePeer(int number) {
        return Peer.unknown(address(number)).toBuilder()
                .node(id(number))
                .connected(true)
                .formatted(true)
                .build();
    }

    @Provide
    Arbitrary<List<Node>> groups() {
        return Combinators.combine(
                        Arbitraries.frequency(Tuple.of(4, Member.Kind.VOTER), Tuple.of(1, Member.Kind.LEARNER)),
                        Arbitraries.frequency(Tuple.of(5, true), Tuple.of(1, false)),
                        Arbitraries.frequency(
                                Tuple.of(5, LogCompleteness.COMPLETE), Tuple.of(1, LogCompleteness.REFETCHING)),
                        Arbitraries.frequency(
                                Tuple.of(5, ProgressState.IN_SYNC), Tuple.of(1, ProgressState.CATCHING_UP)),
                        Arbitraries.longs().between(0, 20),
                        Arbitraries.of(true, false))
                .as(Node::new)
                .list()
                .ofMinSize(1)
                .ofMaxSize(7);
    }

    private static List<Node> voters(List<Node> group) {
        return group.stream().filter(node -> node.role() == Member.Kind.VOTER).toList();
    }

    private static Members members(List<Node> group) {
        List<Member> list = new ArrayList<>();
        for (int i = 0; i < group.size(); i++) {
            list.add(Member.of(id(i), address(i), group.get(i).role()));
        }
        return Members.of(list);
    }

    private static Peers peers(List<Node> group) {
        Peers peers = Peers.create(List.of(), AddressSource.JOURNAL_URI);
        for (int i = 0; i < group.size(); i++) {
            Node node = group.get(i);
            if (node.known()) {
                peers = peers.with(Peer.unknown(address(i)).toBuilder()
                        .node(id(i))
                        .connected(true)
                        .formatted(true)
                        .completeness(node.completeness())
                        .progress(node.progress())
                        .matchedSn(node.matchedSn())
                        .leaseFromNanos(Optional.of(node.matchedSn()).filter(nanos -> nanos > 0))
                        .refusedForEpoch(node.refused() ? Optional.of(Epoch.of(9)) : Optional.empty())
                        .build());
            }
        }
        return peers;
    }

    private static NodeId id(int number) {
        return NodeId.of("storage" + number);
    }

    private static NodeAddress address(int number) {
        return NodeAddress.of("node" + number, 8485);
    }
}

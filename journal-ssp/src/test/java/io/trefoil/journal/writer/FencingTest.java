/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer;

import static io.trefoil.journal.writer.Bench.end;
import static io.trefoil.journal.writer.Bench.id;
import static io.trefoil.journal.writer.Bench.members;
import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.Promise;
import io.trefoil.journal.protocol.AppendRequest;
import io.trefoil.journal.protocol.OtherIncarnationReply;
import io.trefoil.journal.protocol.StaleEpochReply;
import io.trefoil.journal.protocol.StatusReply;
import io.trefoil.journal.protocol.StatusRequest;
import io.trefoil.journal.writer.events.WriterEvent;
import io.trefoil.journal.writer.events.WriterStage;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** When so many voters are lost to another writer, or to a newer journal, that the term is over (protocol page, rules R1 and R11). */
class FencingTest {

    private static final NodeAddress A = NodeAddress.of("a", 1);
    private static final NodeAddress B = NodeAddress.of("b", 1);
    private static final NodeAddress C = NodeAddress.of("c", 1);
    private static final NodeAddress D = NodeAddress.of("d", 1);
    private static final Incarnation OURS = Incarnation.of(5, 1);
    private static final Incarnation EARLIER = Incarnation.ofFormat(4, 1);
    private static final Incarnation LATER = Incarnation.ofFormat(5, 1);
    private static final Incarnation NEWER = Incarnation.of(6, 1);

    @Test
    void rejectionWithoutHigherEpochDoesNotFence() {
        Bench bench = Bench.writing(A, B, C);

        bench.reply(A, StaleEpochReply.of(id(A), Epoch.of(4))).reply(B, StaleEpochReply.of(id(B), Epoch.of(3)));

        assertThat(bench.state.stage()).isEqualTo(WriterStage.WRITING);
        assertThat(bench.state.inSyncVoters()).isEqualTo(3);
    }

    @Test
    void fencedWriterStaysFenced() {
        Bench bench = Bench.writing(A, B, C);
        bench.reply(B, StaleEpochReply.of(id(B), Epoch.of(9))).reply(C, StaleEpochReply.of(id(C), Epoch.of(9)));
        assertThat(bench.state.stage()).isEqualTo(WriterStage.FENCED);

        bench.step(WriterEvent.stepDownRequested());

        assertThat(bench.words).isEmpty();
        assertThat(bench.state.stage()).isEqualTo(WriterStage.FENCED);
    }

    @Test
    void writerEndsWhenMajorityHoldsNewerJournal() {
        Bench bench = writingAs(OURS);

        bench.reply(B, OtherIncarnationReply.of(NodeId.of("again-b"), NEWER));
        assertThat(bench.state.stage()).as("one of three").isEqualTo(WriterStage.WRITING);
        bench.reply(C, OtherIncarnationReply.of(NodeId.of("again-c"), NEWER));

        assertThat(bench.words).containsExactly("began anew as " + NEWER);
        assertThat(bench.state.stage()).isEqualTo(WriterStage.FENCED);
    }

    @Test
    void higherEpochAndNewerIncarnationTogetherFenceWriter() {
        Bench bench = writingAs(OURS);

        bench.reply(B, StaleEpochReply.of(id(B), Epoch.of(9)));
        bench.reply(C, OtherIncarnationReply.of(NodeId.of("again-c"), NEWER));

        assertThat(bench.state.stage()).isEqualTo(WriterStage.FENCED);
    }

    /** Its storage was lost and is formatted later, perhaps for a newer journal: no other node tells a writer that waits for it. */
    @Test
    void reprobesNodeReturningEmptyUnderNewId() {
        Bench bench = writingAs(OURS);
        bench.step(WriterEvent.peerDisconnected(C));
        bench.step(WriterEvent.peerDisconnected(B))
                .step(WriterEvent.peerConnected(B, NodeId.of("again-b"), false, Epoch.NONE));

        int requestCount = 0;
        for (int i = 0; i < 100; i++) {
            bench.advance(10);
            requestCount += bench.sentTo(B, AppendRequest.class).size();
        }

        assertThat(requestCount).isPositive();
        bench.reply(B, OtherIncarnationReply.of(NodeId.of("again-b"), NEWER));
        bench.connect(C, 3).reply(C, OtherIncarnationReply.of(NodeId.of("again-c"), NEWER));
        assertThat(bench.state.stage()).isEqualTo(WriterStage.FENCED);
    }

    @Test
    void olderJournalOnMajorityDoesNotEndWriter() {
        Bench bench = writingAs(OURS);

        bench.reply(B, OtherIncarnationReply.of(NodeId.of("old-b"), Incarnation.of(4, 1)));
        bench.reply(C, OtherIncarnationReply.of(NodeId.of("old-c"), Incarnation.of(4, 1)));

        assertThat(bench.state.stage()).isEqualTo(WriterStage.WRITING);
    }

    /** Formatted for another cluster, they answer nothing. */
    @Test
    void refusalByMajorityWithNewerIncarnationFencesWriter() {
        Bench bench = writingAs(OURS);

        bench.step(WriterEvent.peerRefused(B, NEWER));
        assertThat(bench.state.stage()).as("one of three").isEqualTo(WriterStage.WRITING);
        bench.step(WriterEvent.peerDisconnected(B));
        bench.step(WriterEvent.peerRefused(C, NEWER));

        assertThat(bench.words).containsExactly("began anew as " + NEWER);
        assertThat(bench.state.stage()).isEqualTo(WriterStage.FENCED);
    }

    @Test
    void olderOrReadmittingNodesEndNoWriter() {
        Bench bench = writingAs(OURS);

        bench.step(WriterEvent.peerRefused(A, Incarnation.of(4, 1)));
        bench.step(WriterEvent.peerRefused(B, NEWER));
        bench.step(WriterEvent.peerConnected(B, id(B), true, Epoch.NONE));
        bench.step(WriterEvent.peerRefused(C, NEWER));

        assertThat(bench.words).isEmpty();
        assertThat(bench.state.stage()).isEqualTo(WriterStage.WRITING);
    }

    @Test
    void nodeRejectingSessionsIsDown() {
        Bench bench = writingAs(OURS);

        bench.step(WriterEvent.peerRefused(B, NEWER));

        assertThat(bench.state.peers().findByAddress(B).connected()).isFalse();
    }

    @Test
    void nodeFormattedForOurJournalRejectsOthers() {
        Bench bench = writingAs(OURS);
        bench.reply(B, OtherIncarnationReply.of(id(B), NEWER));
        assertThat(bench.state.peers().findByAddress(B).otherIncarnation()).contains(NEWER);

        bench.acknowledge(B, 12);

        assertThat(bench.state.peers().findByAddress(B).otherIncarnation()).isEmpty();
    }

    @Test
    void writerWithoutPromisesKeepsRequestingThem() {
        Bench bench = new Bench(2, A, B, C);

        bench.step(WriterEvent.peerRefused(B, NEWER));
        bench.step(WriterEvent.peerRefused(C, NEWER));

        assertThat(bench.state.stage()).isEqualTo(WriterStage.ACQUIRING_EPOCH);
    }

    /** Its promise is to a writer of another journal; that it is so is what has to be heard. */
    @Test
    void probesReformattedNodeDespiteHigherPromise() {
        Bench bench = writingAs(OURS);

        for (NodeAddress node : List.of(B, C)) {
            bench.step(WriterEvent.peerDisconnected(node));
            bench.step(WriterEvent.peerConnected(node, NodeId.of("again-" + node.host()), true, Epoch.of(9)));
            assertThat(bench.sentTo(node, AppendRequest.class)).hasSize(1);
            bench.reply(node, OtherIncarnationReply.of(NodeId.of("again-" + node.host()), NEWER));
        }

        assertThat(bench.state.stage()).isEqualTo(WriterStage.FENCED);
    }

    @Test
    void movedVoterIsNotLostToNodeInItsPlace() {
        Bench bench = writingAs(OURS);
        bench.step(WriterEvent.peerDisconnected(B));
        bench.step(WriterEvent.peerConnected(D, id(B), true, Epoch.of(4)));
        bench.step(WriterEvent.peerConnected(B, NodeId.of("again-b"), true, Epoch.NONE));

        bench.reply(B, OtherIncarnationReply.of(NodeId.of("again-b"), NEWER));
        bench.reply(C, OtherIncarnationReply.of(NodeId.of("again-c"), NEWER));

        assertThat(bench.state.stage()).isEqualTo(WriterStage.WRITING);
    }

    @Test
    void nodeReturningToJournalIsServedAgain() {
        Bench bench = writingAs(OURS);
        bench.reply(C, OtherIncarnationReply.of(NodeId.of("again-c"), NEWER));

        bench.step(WriterEvent.peerDisconnected(C)).connect(C, 4).acknowledge(C, 12);
        bench.reply(B, OtherIncarnationReply.of(NodeId.of("again-b"), NEWER));

        assertThat(bench.state.stage()).isEqualTo(WriterStage.WRITING);
        assertThat(bench.state.inSyncVoters()).isEqualTo(2);
    }

    @Test
    void rejectionNamingOwnIncarnationChangesNothing() {
        Bench bench = writingAs(OURS);
        WriterState before = bench.state;

        bench.reply(B, OtherIncarnationReply.of(id(B), OURS)).reply(C, OtherIncarnationReply.of(id(C), OURS));

        assertThat(bench.state).isEqualTo(before);
    }

    @Test
    void nodePromisingMoreWhileAwayIsNotServed() {
        Bench bench = Bench.writing(A, B, C);
        bench.step(WriterEvent.peerDisconnected(C));

        bench.connect(C, 9);

        assertThat(bench.sentTo(C, AppendRequest.class)).isEmpty();
        assertThat(bench.state.peers().findByAddress(C).isServed()).isFalse();
    }

    /** One of the two that know the earlier journal is enough: while the other could make it a majority, no other writes this one. */
    @Test
    void loneWriterEndsWhenEarlierJournalShowsData() {
        Bench bench = writingAlone(members(A));

        reportEarlierJournal(bench, B, 8);

        assertThat(bench.words).containsExactly("began anew as " + EARLIER);
        assertThat(bench.state.stage()).isEqualTo(WriterStage.FENCED);
    }

    @Test
    void loneWriterContinuesWhenEarlierJournalHasNoData() {
        Bench bench = writingAlone(members(A));

        reportEarlierJournal(bench, B, 0);
        reportEarlierJournal(bench, C, 0);

        assertThat(bench.state.stage()).isEqualTo(WriterStage.WRITING);
    }

    @Test
    void loneWriterContinuesWhenEarlierJournalHasLostMajority() {
        Bench bench = writingAlone(members(A));
        bench.step(WriterEvent.peerConnected(C, NodeId.of("empty-c"), false, Epoch.NONE));

        reportEarlierJournal(bench, B, 8);

        assertThat(bench.state.stage()).isEqualTo(WriterStage.WRITING);
    }

    @Test
    void writerContinuesWhenItsFormatNamedEarlierJournal() {
        Bench bench = writingAlone(members(A).withReplacedIncarnations(List.of(EARLIER)));

        bench.connect(B, 0).reply(B, OtherIncarnationReply.of(id(B), EARLIER));

        assertThat(bench.sentTo(B, StatusRequest.class)).isEmpty();
        bench.reply(B, statusOfEarlier(B, 8));
        assertThat(bench.state.stage()).isEqualTo(WriterStage.WRITING);
    }

    /** Although it does not hear them at the moment. */
    @Test
    void writerContinuesWhenItsVotersMatchEarlierMajority() {
        Bench bench = writingAlone(members(A, D));
        bench.step(WriterEvent.peerDisconnected(D));

        reportEarlierJournal(bench, B, 8);
        reportEarlierJournal(bench, C, 8);

        assertThat(bench.state.stage()).isEqualTo(WriterStage.WRITING);
    }

    /** Of a journal of A, B and C. */
    private static void reportEarlierJournal(Bench bench, NodeAddress node, long lastTxId) {
        bench.connect(node, 0).reply(node, OtherIncarnationReply.of(id(node), EARLIER));
        assertThat(bench.sentTo(node, StatusRequest.class)).hasSize(1);
        bench.reply(node, statusOfEarlier(node, lastTxId));
    }

    private static StatusReply statusOfEarlier(NodeAddress node, long lastTxId) {
        LogSummary end = LogSummary.of(
                        Bench.positionAt(3, 10), members(A, B, C), lastTxId, Optional.<Long>empty(), Optional.empty())
                .with(EARLIER);
        return StatusReply.of(
                id(node), NamespaceId.of("CID-1", 1), Promise.NONE, end, end, 1, LogCompleteness.COMPLETE, 0);
    }

    /** Of a journal that was formatted where nothing was known of an earlier one, unless its members name it. */
    private static Bench writingAlone(Members members) {
        Bench bench = new Bench(1, A, B, C, D);
        members.list().forEach(member -> bench.connect(member.address(), 3));
        members.list()
                .forEach(member ->
                        bench.promise(member.address(), end(3, 10, members).with(LATER), 8));
        bench.advanceClock(EpochAcquisition.SESSIONS_MILLIS + 100).step(WriterEvent.ticked());
        members.list().forEach(member -> bench.acknowledge(member.address(), 12));
        assertThat(bench.state.stage()).isEqualTo(WriterStage.WRITING);
        return bench;
    }

    private static Bench writingAs(Incarnation incarnation) {
        Bench bench = new Bench(2, A, B, C).connect(A, 3).connect(B, 3).connect(C, 3);
        bench.promise(A, end(3, 10, members(A, B, C)).with(incarnation), 8)
                .promise(B, end(3, 10, members(A, B, C)).with(incarnation), 8);
        bench.acknowledge(A, 12).acknowledge(B, 12).acknowledge(C, 12);
        assertThat(bench.state.stage()).isEqualTo(WriterStage.WRITING);
        return bench;
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer;

import static io.trefoil.journal.writer.Bench.members;
import static io.trefoil.journal.writer.Bench.writing;
import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.model.ChangeProgress;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.MemberChange;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.RetiredStorage;
import io.trefoil.journal.protocol.AppendRequest;
import io.trefoil.journal.protocol.CollectChangesRequest;
import io.trefoil.journal.protocol.DoneReply;
import io.trefoil.journal.protocol.FormatRequest;
import io.trefoil.journal.writer.events.WriterEvent;
import io.trefoil.journal.writer.events.WriterSettings;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Who joins, learns and votes, and in which order (protocol page, "Members", R7 and R8). */
class MembershipTest {
    private static final NodeAddress A = NodeAddress.of("a", 1);
    private static final NodeAddress B = NodeAddress.of("b", 1);
    private static final NodeAddress C = NodeAddress.of("c", 1);
    private static final NodeAddress D = NodeAddress.of("d", 1);
    private static final NodeId FRESH = NodeId.of("fresh");

    @Test
    void emptyNodeIsFormattedThenLearnsThenVotes() {
        Bench bench = writing(settings(A, B, C, D), members(A, B, C));
        bench.step(WriterEvent.peerConnected(D, id(D), false, Epoch.NONE));

        bench.step(WriterEvent.ticked());
        assertThat(bench.sentTo(D, FormatRequest.class)).hasSize(1);

        bench.reply(D, DoneReply.of(id(D)));
        bench.acknowledge(D, 12).advanceClock(10).step(WriterEvent.ticked());
        assertThat(bench.state.members().find(id(D))).contains(Member.learner(id(D), D));
        assertThat(bench.words).contains("remember MEMBERS 13");

        // not before the first change is committed
        bench.acknowledge(D, 13).advanceClock(10).step(WriterEvent.ticked());
        assertThat(bench.words).doesNotContain("remember MEMBERS 14");
        bench.acknowledge(A, 13).acknowledge(B, 13).advanceClock(10).step(WriterEvent.ticked());
        assertThat(bench.state.members().find(id(D))).contains(Member.voter(id(D), D));
    }

    @Test
    void permanentLearnerNeverVotesByItself() {
        Bench bench = writing(settings(A, B, C), members(A, B, C));
        bench.receiveChange(A, MemberChange.addLearner("t", D));
        bench.connect(D, 0).acknowledge(D, 12).advanceClock(10).step(WriterEvent.ticked());
        assertThat(bench.state.members().find(id(D))).contains(Member.permanentLearner(id(D), D));
        assertThat(bench.progressOf("t").stage()).isEqualTo(ChangeProgress.Stage.UNDER_WAY);

        bench.acknowledge(A, 13)
                .acknowledge(B, 13)
                .acknowledge(C, 13)
                .acknowledge(D, 13)
                .advance(200);

        assertThat(bench.progressOf("t").stage()).isEqualTo(ChangeProgress.Stage.DONE);
        bench.receiveChange(A, MemberChange.join("join", D));
        bench.advance(3 * Bench.ACK_TIMEOUT_MILLIS);
        assertThat(bench.state.members().find(id(D))).contains(Member.permanentLearner(id(D), D));
        assertThat(bench.state.members().majority()).isEqualTo(2);
    }

    @Test
    void learnerNeitherCountsForMajorityNorDelaysCommit() {
        Bench bench = writing(settings(A, B, C), withLearner(D));
        bench.append(11);
        long sn = bench.state.lastSn();

        bench.acknowledge(A, sn).acknowledge(D, sn);
        assertThat(bench.state.committedSn()).isLessThan(sn);
        assertThat(bench.state.inSyncVoters()).isEqualTo(3);

        bench.acknowledge(B, sn);
        assertThat(bench.state.committedSn()).isEqualTo(sn);
    }

    @Test
    void operatorTurnsLearnerIntoVoter() {
        Bench bench = writing(settings(A, B, C), withLearner(D));

        bench.receiveChange(A, MemberChange.add("t", D));
        bench.advanceClock(10).step(WriterEvent.ticked());

        assertThat(bench.state.members().find(id(D))).contains(Member.voter(id(D), D));
    }

    @Test
    void learnerWithLostStorageReturnsAsLearner() {
        Bench bench = writing(settings(A, B, C), withLearner(D));
        bench.step(WriterEvent.peerDisconnected(D)).step(WriterEvent.peerConnected(D, FRESH, false, Epoch.NONE));
        bench.step(WriterEvent.ticked()).reply(D, DoneReply.of(FRESH));
        bench.acknowledge(D, FRESH, 12);

        bench.advanceClock(10).step(WriterEvent.ticked());
        bench.acknowledge(A, 13).acknowledge(B, 13);
        bench.acknowledge(D, FRESH, 13);
        bench.advance(200);

        assertThat(bench.state.members().find(FRESH)).contains(Member.permanentLearner(FRESH, D));
        assertThat(bench.state.members().isRetired(id(D))).isTrue();
    }

    @Test
    void neverAddsTwoNodesConcurrently() {
        NodeAddress e = NodeAddress.of("e", 1);
        Bench bench = writing(settings(A, B, C, D, e), members(A, B, C));
        bench.connect(D, 0).connect(e, 0).acknowledge(D, 12).acknowledge(e, 12);

        bench.advanceClock(10).step(WriterEvent.ticked());
        bench.advanceClock(10).step(WriterEvent.ticked());

        assertThat(bench.state.members().list()).hasSize(4);
    }

    @Test
    void nonMemberJoinsOnlyOnRequest() {
        Bench bench = writing(settings(A, B, C), members(A, B, C));
        bench.step(WriterEvent.peerConnected(D, id(D), false, Epoch.NONE)).advance(2_000);
        assertThat(bench.sentTo(D, FormatRequest.class)).isEmpty();

        bench.receiveChange(A, MemberChange.join("t", D));
        bench.advanceClock(10).step(WriterEvent.ticked());

        assertThat(bench.sentTo(D, FormatRequest.class)).hasSize(1);
    }

    @Test
    void writerConnectsRequestedAddress() {
        Bench bench = writing(settings(A, B, C), members(A, B, C));

        bench.receiveChange(A, MemberChange.add("t", D));

        assertThat(bench.words).contains("meet d");
        assertThat(bench.progressOf("t").stage()).isEqualTo(ChangeProgress.Stage.UNDER_WAY);
        assertThat(bench.progressOf("t").text()).contains("waits for a session with d:1");
    }

    @Test
    void dropsUnrepeatedRequest() {
        Bench bench = writing(settings(A, B, C), members(A, B, C));
        bench.receiveChange(A, MemberChange.add("t", D));

        bench.advance(4_000);

        assertThat(bench.state.pendingChanges().isEmpty()).isTrue();
    }

    @Test
    void rejectsChangeThatCannotCommit() {
        Bench bench = writing(settings(A, B, C), members(A, B, C));
        // B is lagging, so that A alone would be left without C
        bench.step(WriterEvent.peerDisconnected(B));
        bench.step(WriterEvent.peerDisconnected(C)).step(WriterEvent.peerConnected(C, FRESH, true, Epoch.NONE));
        bench.acknowledge(C, FRESH, 12);

        bench.advance(100);

        assertThat(bench.state.members()).isEqualTo(members(A, B, C));
    }

    @Test
    void collectsRequestsFromNodesAndReportsProgress() {
        Bench bench = writing(settings(A, B, C), members(A, B, C));
        bench.receiveChange(A, MemberChange.add("t", C));

        bench.advanceClock(200).step(WriterEvent.ticked());

        assertThat(bench.sentTo(B, CollectChangesRequest.class))
                .flatExtracting(CollectChangesRequest::progress)
                .extracting(ChangeProgress::stage)
                .containsExactly(ChangeProgress.Stage.DONE);
    }

    @Test
    void probesFormattedNodeImmediately() {
        Bench bench = writing(settings(A, B, C, D), members(A, B, C));
        bench.step(WriterEvent.peerConnected(D, id(D), false, Epoch.NONE)).step(WriterEvent.ticked());

        bench.reply(D, DoneReply.of(FRESH));
        assertThat(bench.state.peers().findByAddress(D).formatted()).isFalse();

        bench.reply(D, DoneReply.of(id(D)));
        assertThat(bench.state.peers().findByAddress(D).formatted()).isTrue();
        assertThat(bench.sentTo(D, AppendRequest.class)).hasSize(1);
    }

    @Test
    void writerReformatsEmptyNodeWhenAnswerIsDelayed() {
        Bench bench = writing(settings(A, B, C, D), members(A, B, C));
        bench.step(WriterEvent.peerConnected(D, id(D), false, Epoch.NONE));
        int formats = 0;
        for (long passed = 0; passed <= 2 * Bench.ACK_TIMEOUT_MILLIS + 50; passed += 10) {
            bench.advanceClock(10).step(WriterEvent.ticked());
            formats += bench.sentTo(D, FormatRequest.class).size();
        }

        assertThat(formats).isEqualTo(3);
    }

    @Test
    void operatorMakesLearnerPermanent() {
        Bench bench = writing(settings(A, B, C), members(A, B, C).with(Member.learner(id(D), D)));
        bench.receiveChange(A, MemberChange.addLearner("t", D));

        bench.advanceClock(10).step(WriterEvent.ticked());

        assertThat(bench.state.members().find(id(D))).contains(Member.permanentLearner(id(D), D));
    }

    @Test
    void formatsNoNodeBeforeTermStart() {
        Bench bench = new Bench(settings(A, B, C, D).build())
                .connect(A, 3)
                .connect(B, 3)
                .connect(C, 3);
        LogSummary end =
                LogSummary.of(LogPosition.of(Epoch.of(3), 10), members(A, B, C), 10, Optional.of(1L), Optional.empty());
        bench.promise(A, end, 8).promise(B, end, 8);
        bench.step(WriterEvent.peerConnected(D, id(D), false, Epoch.NONE));

        assertThat(bench.advanceClock(10).step(WriterEvent.ticked()).sentTo(D, FormatRequest.class))
                .isEmpty();

        // its first entry is enough, the end of the segment that was open is the second
        bench.acknowledge(A, 11).acknowledge(B, 11);
        assertThat(bench.advanceClock(10).step(WriterEvent.ticked()).sentTo(D, FormatRequest.class))
                .hasSize(1);
    }

    @Test
    void learnerVotesOnlyWithAllCommittedEntries() {
        Bench bench = writing(settings(A, B, C), members(A, B, C).with(Member.learner(id(D), D)));
        bench.append(11).acknowledge(A, 13).acknowledge(B, 13);

        bench.advanceClock(10).step(WriterEvent.ticked());
        assertThat(bench.state.members().isVoter(id(D))).isFalse();

        bench.acknowledge(D, 13).advanceClock(10).step(WriterEvent.ticked());
        assertThat(bench.state.members().isVoter(id(D))).isTrue();
    }

    @Test
    void formatsNeitherReplacedNorRemovedNode() {
        Bench bench = writing(settings(A, B, C, D), members(A, B, C, D).without(id(D), RetiredStorage.Cause.REMOVED));
        bench.step(WriterEvent.peerConnected(D, FRESH, false, Epoch.NONE)).advance(10);
        assertThat(bench.sentTo(D, FormatRequest.class)).isEmpty();

        Bench other = writing(settings(A, B, C, D), members(A, B, C));
        other.step(WriterEvent.peerConnected(D, FRESH, false, Epoch.NONE)).step(WriterEvent.peerDisconnected(D));
        assertThat(other.advance(10).sentTo(D, FormatRequest.class)).isEmpty();
    }

    @Test
    void nonMemberWithStorageDoesNotJoinWithoutRequest() {
        Bench bench = writing(settings(A, B, C), members(A, B, C));

        bench.connect(D, 3).acknowledge(D, 12).advance(10);

        assertThat(bench.state.members()).isEqualTo(members(A, B, C));
    }

    @Test
    void fullJournalRejectsMember() {
        Members full = members(A, B, C);
        while (full.canAddMember()) {
            NodeAddress address = NodeAddress.of("learner" + full.list().size(), 1);
            full = full.with(Member.permanentLearner(id(address), address));
        }
        Bench bench = writing(settings(A, B, C, D), full);

        bench.connect(D, 3).acknowledge(D, 12).advance(10);

        assertThat(bench.state.members()).isEqualTo(full);
    }

    private static WriterSettings.Builder settings(NodeAddress... addresses) {
        return Bench.settings(2, addresses);
    }

    private static NodeId id(NodeAddress address) {
        return Bench.id(address);
    }

    private static Members withLearner(NodeAddress learner) {
        return members(A, B, C).with(Member.permanentLearner(id(learner), learner));
    }
}

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
        assertThat(bench.sent(D, FormatRequest.class)).hasSize(1);

        bench.reply(D, DoneReply.of(id(D)));
        bench.acks(D, 12).after(10).step(WriterEvent.ticked());
        assertThat(bench.state.members().find(id(D))).contains(Member.learner(id(D), D));
        assertThat(bench.words).contains("remember MEMBERS 13");

        // not before the first change is committed
        bench.acks(D, 13).after(10).step(WriterEvent.ticked());
        assertThat(bench.words).doesNotContain("remember MEMBERS 14");
        bench.acks(A, 13).acks(B, 13).after(10).step(WriterEvent.ticked());
        assertThat(bench.state.members().find(id(D))).contains(Member.voter(id(D), D));
    }

    @Test
    void permanentLearnerNeverVotesByItself() {
        Bench bench = writing(settings(A, B, C), members(A, B, C));
        bench.hears(A, MemberChange.addLearner("t", D));
        bench.up(D, 0).acks(D, 12).after(10).step(WriterEvent.ticked());
        assertThat(bench.state.members().find(id(D))).contains(Member.permanentLearner(id(D), D));
        assertThat(bench.told("t").stage()).isEqualTo(ChangeProgress.Stage.UNDER_WAY);

        bench.acks(A, 13).acks(B, 13).acks(C, 13).acks(D, 13).passes(200);

        assertThat(bench.told("t").stage()).isEqualTo(ChangeProgress.Stage.DONE);
        bench.hears(A, MemberChange.join("join", D));
        bench.passes(3 * Bench.ACK_TIMEOUT_MILLIS);
        assertThat(bench.state.members().find(id(D))).contains(Member.permanentLearner(id(D), D));
        assertThat(bench.state.members().majority()).isEqualTo(2);
    }

    @Test
    void learnerCountsForNoMajorityAndDelaysNoCommit() {
        Bench bench = writing(settings(A, B, C), withLearner(D));
        bench.appends(11);
        long sn = bench.state.lastSn();

        bench.acks(A, sn).acks(D, sn);
        assertThat(bench.state.committedSn()).isLessThan(sn);
        assertThat(bench.state.inSyncVoters()).isEqualTo(3);

        bench.acks(B, sn);
        assertThat(bench.state.committedSn()).isEqualTo(sn);
    }

    @Test
    void operatorTurnsLearnerIntoVoter() {
        Bench bench = writing(settings(A, B, C), withLearner(D));

        bench.hears(A, MemberChange.add("t", D));
        bench.after(10).step(WriterEvent.ticked());

        assertThat(bench.state.members().find(id(D))).contains(Member.voter(id(D), D));
    }

    @Test
    void learnerWithLostStorageReturnsAsLearner() {
        Bench bench = writing(settings(A, B, C), withLearner(D));
        bench.step(WriterEvent.peerDisconnected(D)).step(WriterEvent.peerConnected(D, FRESH, false, Epoch.NONE));
        bench.step(WriterEvent.ticked()).reply(D, DoneReply.of(FRESH));
        bench.acks(D, FRESH, 12);

        bench.after(10).step(WriterEvent.ticked());
        bench.acks(A, 13).acks(B, 13);
        bench.acks(D, FRESH, 13);
        bench.passes(200);

        assertThat(bench.state.members().find(FRESH)).contains(Member.permanentLearner(FRESH, D));
        assertThat(bench.state.members().isRetired(id(D))).isTrue();
    }

    @Test
    void neverAddsTwoNodesConcurrently() {
        NodeAddress e = NodeAddress.of("e", 1);
        Bench bench = writing(settings(A, B, C, D, e), members(A, B, C));
        bench.up(D, 0).up(e, 0).acks(D, 12).acks(e, 12);

        bench.after(10).step(WriterEvent.ticked());
        bench.after(10).step(WriterEvent.ticked());

        assertThat(bench.state.members().list()).hasSize(4);
    }

    @Test
    void strangerJoinsOnlyOnRequest() {
        Bench bench = writing(settings(A, B, C), members(A, B, C));
        bench.step(WriterEvent.peerConnected(D, id(D), false, Epoch.NONE)).passes(2_000);
        assertThat(bench.sent(D, FormatRequest.class)).isEmpty();

        bench.hears(A, MemberChange.join("t", D));
        bench.after(10).step(WriterEvent.ticked());

        assertThat(bench.sent(D, FormatRequest.class)).hasSize(1);
    }

    @Test
    void writerConnectsRequestedAddress() {
        Bench bench = writing(settings(A, B, C), members(A, B, C));

        bench.hears(A, MemberChange.add("t", D));

        assertThat(bench.words).contains("meet d");
        assertThat(bench.told("t").stage()).isEqualTo(ChangeProgress.Stage.UNDER_WAY);
        assertThat(bench.told("t").text()).contains("waits for a session with d:1");
    }

    @Test
    void dropsUnrepeatedRequest() {
        Bench bench = writing(settings(A, B, C), members(A, B, C));
        bench.hears(A, MemberChange.add("t", D));

        bench.passes(4_000);

        assertThat(bench.state.pendingChanges().isEmpty()).isTrue();
    }

    @Test
    void startsNoChangeThatCannotCommit() {
        Bench bench = writing(settings(A, B, C), members(A, B, C));
        // B is lagging, so that A alone would be left without C
        bench.step(WriterEvent.peerDisconnected(B));
        bench.step(WriterEvent.peerDisconnected(C)).step(WriterEvent.peerConnected(C, FRESH, true, Epoch.NONE));
        bench.acks(C, FRESH, 12);

        bench.passes(100);

        assertThat(bench.state.members()).isEqualTo(members(A, B, C));
    }

    @Test
    void collectsRequestsFromNodesAndReportsProgress() {
        Bench bench = writing(settings(A, B, C), members(A, B, C));
        bench.hears(A, MemberChange.add("t", C));

        bench.after(200).step(WriterEvent.ticked());

        assertThat(bench.sent(B, CollectChangesRequest.class))
                .flatExtracting(CollectChangesRequest::progress)
                .extracting(ChangeProgress::stage)
                .containsExactly(ChangeProgress.Stage.DONE);
    }

    @Test
    void probesFormattedNodeImmediately() {
        Bench bench = writing(settings(A, B, C, D), members(A, B, C));
        bench.step(WriterEvent.peerConnected(D, id(D), false, Epoch.NONE)).step(WriterEvent.ticked());

        bench.reply(D, DoneReply.of(FRESH));
        assertThat(bench.state.peers().at(D).formatted()).isFalse();

        bench.reply(D, DoneReply.of(id(D)));
        assertThat(bench.state.peers().at(D).formatted()).isTrue();
        assertThat(bench.sent(D, AppendRequest.class)).hasSize(1);
    }

    @Test
    void writerReformatsEmptyNodeWhenAnswerIsLate() {
        Bench bench = writing(settings(A, B, C, D), members(A, B, C));
        bench.step(WriterEvent.peerConnected(D, id(D), false, Epoch.NONE));
        int formats = 0;
        for (long passed = 0; passed <= 2 * Bench.ACK_TIMEOUT_MILLIS + 50; passed += 10) {
            bench.after(10).step(WriterEvent.ticked());
            formats += bench.sent(D, FormatRequest.class).size();
        }

        assertThat(formats).isEqualTo(3);
    }

    @Test
    void operatorMakesLearnerPermanent() {
        Bench bench = writing(settings(A, B, C), members(A, B, C).with(Member.learner(id(D), D)));
        bench.hears(A, MemberChange.addLearner("t", D));

        bench.after(10).step(WriterEvent.ticked());

        assertThat(bench.state.members().find(id(D))).contains(Member.permanentLearner(id(D), D));
    }

    @Test
    void formatsNoNodeBeforeTermStart() {
        Bench bench = new Bench(settings(A, B, C, D).build()).up(A, 3).up(B, 3).up(C, 3);
        LogSummary end =
                LogSummary.of(LogPosition.of(Epoch.of(3), 10), members(A, B, C), 10, Optional.of(1L), Optional.empty());
        bench.promises(A, end, 8).promises(B, end, 8);
        bench.step(WriterEvent.peerConnected(D, id(D), false, Epoch.NONE));

        assertThat(bench.after(10).step(WriterEvent.ticked()).sent(D, FormatRequest.class))
                .isEmpty();

        // its first entry is enough, the end of the segment that was open is the second
        bench.acks(A, 11).acks(B, 11);
        assertThat(bench.after(10).step(WriterEvent.ticked()).sent(D, FormatRequest.class))
                .hasSize(1);
    }

    @Test
    void learnerVotesOnlyWithAllCommittedEntries() {
        Bench bench = writing(settings(A, B, C), members(A, B, C).with(Member.learner(id(D), D)));
        bench.appends(11).acks(A, 13).acks(B, 13);

        bench.after(10).step(WriterEvent.ticked());
        assertThat(bench.state.members().isVoter(id(D))).isFalse();

        bench.acks(D, 13).after(10).step(WriterEvent.ticked());
        assertThat(bench.state.members().isVoter(id(D))).isTrue();
    }

    @Test
    void formatsNeitherReplacedNorRemovedNode() {
        Bench bench = writing(settings(A, B, C, D), members(A, B, C, D).without(id(D), RetiredStorage.Cause.REMOVED));
        bench.step(WriterEvent.peerConnected(D, FRESH, false, Epoch.NONE)).passes(10);
        assertThat(bench.sent(D, FormatRequest.class)).isEmpty();

        Bench other = writing(settings(A, B, C, D), members(A, B, C));
        other.step(WriterEvent.peerConnected(D, FRESH, false, Epoch.NONE)).step(WriterEvent.peerDisconnected(D));
        assertThat(other.passes(10).sent(D, FormatRequest.class)).isEmpty();
    }

    @Test
    void uninvitedStrangerWithStorageDoesNotJoin() {
        Bench bench = writing(settings(A, B, C), members(A, B, C));

        bench.up(D, 3).acks(D, 12).passes(10);

        assertThat(bench.state.members()).isEqualTo(members(A, B, C));
    }

    @Test
    void fullJournalAddsNoMember() {
        Members full = members(A, B, C);
        while (full.hasRoom()) {
            NodeAddress address = NodeAddress.of("learner" + full.list().size(), 1);
            full = full.with(Member.permanentLearner(id(address), address));
        }
        Bench bench = writing(settings(A, B, C, D), full);

        bench.up(D, 3).acks(D, 12).passes(10);

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

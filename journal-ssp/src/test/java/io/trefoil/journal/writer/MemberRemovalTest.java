/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer;

import static io.trefoil.journal.writer.Bench.members;
import static io.trefoil.journal.writer.Bench.writing;
import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.model.ChangeProgress;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.MemberChange;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.RetiredStorage;
import io.trefoil.journal.protocol.DoneReply;
import io.trefoil.journal.protocol.FormatRequest;
import io.trefoil.journal.protocol.RetireRequest;
import io.trefoil.journal.writer.events.WriterEvent;
import io.trefoil.journal.writer.events.WriterSettings;
import org.junit.jupiter.api.Test;

/** Who leaves, who takes whose place, and what is refused (protocol page, "Members", R7 and R8). */
class MemberRemovalTest {
    private static final NodeAddress A = NodeAddress.of("a", 1);
    private static final NodeAddress B = NodeAddress.of("b", 1);
    private static final NodeAddress C = NodeAddress.of("c", 1);
    private static final NodeAddress D = NodeAddress.of("d", 1);
    private static final NodeId FRESH = NodeId.of("fresh");

    @Test
    void learnerReplacesVoterOnOperatorRequest() {
        Bench bench = writing(settings(A, B, C), withLearner(D));

        bench.receiveChange(A, MemberChange.replace("t", id(C), D));
        bench.advanceClock(10).step(WriterEvent.ticked());
        bench.acknowledge(A, 13)
                .acknowledge(B, 13)
                .acknowledge(C, 13)
                .acknowledge(D, 13)
                .advanceClock(10)
                .step(WriterEvent.ticked());

        assertThat(bench.state.members().list())
                .containsExactly(Member.voter(id(A), A), Member.voter(id(B), B), Member.voter(id(D), D));
    }

    @Test
    void rejectsTurningVoterIntoLearner() {
        Bench bench = writing(settings(A, B, C), members(A, B, C));

        bench.receiveChange(A, MemberChange.addLearner("t", C));
        bench.advance(200);

        assertThat(bench.progressOf("t").stage()).isEqualTo(ChangeProgress.Stage.REFUSED);
        assertThat(bench.progressOf("t").text()).contains("is a voter; remove it");
        assertThat(bench.state.members()).isEqualTo(members(A, B, C));
    }

    @Test
    void completedAddIsNotRepeatedAfterRemoval() {
        Bench bench = writing(settings(A, B, C), withLearner(D));
        bench.receiveChange(A, MemberChange.add("add", D));
        bench.advanceClock(10).step(WriterEvent.ticked());
        bench.acknowledge(A, 13)
                .acknowledge(B, 13)
                .acknowledge(C, 13)
                .acknowledge(D, 13)
                .advanceClock(10)
                .step(WriterEvent.ticked());
        assertThat(bench.progressOf("add").stage()).isEqualTo(ChangeProgress.Stage.DONE);

        bench.receiveChange(A, MemberChange.remove("remove", id(D)));
        bench.advanceClock(10).step(WriterEvent.ticked());
        bench.acknowledge(A, 14)
                .acknowledge(B, 14)
                .acknowledge(C, 14)
                .advanceClock(10)
                .step(WriterEvent.ticked());
        // A node that was asked to add it passes that on for some seconds yet.
        bench.receiveChange(A, MemberChange.add("add", D));
        bench.advanceClock(10).step(WriterEvent.ticked());

        assertThat(bench.state.members().isRemovedByOperator(D)).isTrue();
        assertThat(bench.state.pendingChanges().isMemberRequested(D)).isFalse();
    }

    @Test
    void removedNodeStaysOutUntilOperatorAddsIt() {
        Bench bench = writing(settings(A, B, C, D), members(A, B, C, D));
        bench.receiveChange(A, MemberChange.remove("t", id(D)));
        bench.advanceClock(10).step(WriterEvent.ticked());
        assertThat(bench.state.members().find(id(D))).isEmpty();
        bench.acknowledge(A, 13).acknowledge(B, 13).acknowledge(C, 13).advance(200);
        assertThat(bench.progressOf("t").stage()).isEqualTo(ChangeProgress.Stage.DONE);
        assertThat(bench.sentTo(D, RetireRequest.class)).isEmpty();

        bench.receiveChange(A, MemberChange.join("join", D));
        bench.advance(200);
        assertThat(bench.progressOf("join").stage()).isEqualTo(ChangeProgress.Stage.REFUSED);
        assertThat(bench.progressOf("join").text()).contains("removed by an operator");

        bench.receiveChange(A, MemberChange.add("add", D));
        connectWithNewStorage(bench, D, 13);
        assertThat(bench.state.members().findByAddress(D)).contains(Member.learner(FRESH, D));
        assertThat(bench.state.members().isRemovedByOperator(D)).isFalse();
        assertThat(bench.state.members().isRetired(id(D))).isTrue();
    }

    /** The writer's settings name it, and it asks to join: either was enough, once it had been readmitted. */
    @Test
    void removedNodeGetsNoVoteFromAbandonedLearnerRequest() {
        Bench bench = writing(settings(A, B, C, D), members(A, B, C, D).without(id(D), RetiredStorage.Cause.REMOVED));
        MemberChange learner = MemberChange.addLearner("learner", D);
        bench.receiveChange(A, learner).advance(10);
        bench.acknowledge(A, bench.state.lastSn()).acknowledge(B, bench.state.lastSn());
        bench.step(WriterEvent.peerConnected(D, FRESH, false, Epoch.NONE)).advance(10);
        assertThat(bench.sentTo(D, FormatRequest.class)).hasSize(1);

        bench.advance(4_000);
        assertThat(bench.state.pendingChanges().isEmpty()).isTrue();
        bench.receiveChange(A, MemberChange.join("join", D)).reply(D, DoneReply.of(FRESH));
        acknowledgeAll(bench, 5);
        assertThat(bench.state.members().findByAddress(D)).isEmpty();
        assertThat(bench.progressOf("join").stage()).isEqualTo(ChangeProgress.Stage.REFUSED);

        bench.receiveChange(A, learner);
        acknowledgeAll(bench, 5);
        assertThat(bench.state.members().findByAddress(D)).contains(Member.permanentLearner(FRESH, D));
        assertThat(bench.state.members().isRemovedByOperator(D)).isFalse();
        assertThat(bench.progressOf("learner").stage()).isEqualTo(ChangeProgress.Stage.DONE);
    }

    @Test
    void removedNodeGetsNoVoteFromAbandonedAdd() {
        Bench bench = writing(settings(A, B, C, D), members(A, B, C, D).without(id(D), RetiredStorage.Cause.REMOVED));
        bench.receiveChange(A, MemberChange.add("add", D)).advance(4_000);

        connectWithNewStorage(bench, D, 12);
        acknowledgeAll(bench, 5);

        assertThat(bench.state.members().findByAddress(D)).isEmpty();
        assertThat(bench.state.members().isRemovedByOperator(D)).isTrue();
    }

    /** A node comes with new storage, and has everything. */
    private static void connectWithNewStorage(Bench bench, NodeAddress address, long sn) {
        bench.step(WriterEvent.peerConnected(address, FRESH, true, Epoch.NONE)).acknowledge(address, FRESH, sn);
        bench.advanceClock(10).step(WriterEvent.ticked());
    }

    /** Several times: each change of the members is an entry of its own. */
    private static void acknowledgeAll(Bench bench, int times) {
        for (int i = 0; i < times; i++) {
            long sn = bench.state.lastSn();
            bench.acknowledge(A, sn)
                    .acknowledge(B, sn)
                    .acknowledge(C, sn)
                    .acknowledge(D, FRESH, sn)
                    .advance(10);
        }
    }

    @Test
    void rejectsRemovingLastVoterOwnNodeAndNonMembers() {
        Bench alone = writing(settings(A).minReplicas(1), members(A));
        alone.receiveChange(A, MemberChange.forcedRemove("t", id(A)));
        assertThat(alone.progressOf("t").text()).contains("is the last voter");

        Bench bench = writing(settings(A, B, C).localNode(A), members(A, B, C));
        bench.receiveChange(A, MemberChange.remove("own", id(A)));
        assertThat(bench.progressOf("own").text()).contains("in the process of the writer");
        bench.receiveChange(A, MemberChange.remove("who", id(D)));
        assertThat(bench.progressOf("who").text()).contains("is not a member");
        bench.advance(200);
        assertThat(bench.state.members()).isEqualTo(members(A, B, C));
    }

    @Test
    void rejectsRemovalBelowMinReplicasUnlessForced() {
        Bench bench = writing(settings(A, B), members(A, B));
        bench.receiveChange(A, MemberChange.remove("t", id(B)));
        assertThat(bench.progressOf("t").stage()).isEqualTo(ChangeProgress.Stage.REFUSED);
        assertThat(bench.progressOf("t").text()).contains("trefoil.journal.replicas.min");

        bench.receiveChange(A, MemberChange.forcedRemove("force", id(B)));
        bench.advanceClock(10).step(WriterEvent.ticked());
        assertThat(bench.state.members().list()).containsExactly(Member.voter(id(A), A));
    }

    @Test
    void rejectsRemovingVoterWhenNoMajorityWouldBeInSync() {
        Bench bench = writing(settings(A, B, C), members(A, B, C));
        bench.step(WriterEvent.peerDisconnected(C)).advance(5 * Bench.ACK_TIMEOUT_MILLIS);
        bench.acknowledge(A, 12).acknowledge(B, 12);

        bench.receiveChange(A, MemberChange.remove("t", id(B)));
        bench.advanceClock(10).step(WriterEvent.ticked());

        assertThat(bench.progressOf("t").stage()).isEqualTo(ChangeProgress.Stage.REFUSED);
        assertThat(bench.progressOf("t").text()).contains("1 of 2 would be, 2 are needed");
        assertThat(bench.state.members()).isEqualTo(members(A, B, C));
    }

    @Test
    void workingNodeIsReplacedOnceSuccessorVotes() {
        Bench bench = writing(settings(A, B, C), members(A, B, C));
        bench.receiveChange(A, MemberChange.replace("t", id(C), D));
        bench.connect(D, 0).acknowledge(D, 12).advanceClock(10).step(WriterEvent.ticked());
        bench.acknowledge(A, 13)
                .acknowledge(B, 13)
                .acknowledge(C, 13)
                .acknowledge(D, 13)
                .advanceClock(10)
                .step(WriterEvent.ticked());
        assertThat(bench.state.members().voterCount()).isEqualTo(4);

        bench.acknowledge(A, 14)
                .acknowledge(B, 14)
                .acknowledge(C, 14)
                .acknowledge(D, 14)
                .advanceClock(10)
                .step(WriterEvent.ticked());

        assertThat(bench.state.members().list())
                .containsExactly(Member.voter(id(A), A), Member.voter(id(B), B), Member.voter(id(D), D));
    }

    @Test
    void deadNodeLeavesBeforeSuccessorVotes() {
        Bench bench = writing(settings(A, B, C), members(A, B, C));
        bench.step(WriterEvent.peerDisconnected(C));
        bench.receiveChange(A, MemberChange.replace("t", id(C), D));
        bench.connect(D, 0).acknowledge(D, 12).advanceClock(10).step(WriterEvent.ticked());

        bench.acknowledge(A, 13)
                .acknowledge(B, 13)
                .acknowledge(D, 13)
                .advanceClock(10)
                .step(WriterEvent.ticked());
        assertThat(bench.state.members().list())
                .containsExactly(Member.voter(id(A), A), Member.voter(id(B), B), Member.learner(id(D), D));
        bench.acknowledge(A, 14)
                .acknowledge(B, 14)
                .acknowledge(D, 14)
                .advanceClock(10)
                .step(WriterEvent.ticked());
        assertThat(bench.state.members().isVoter(id(D))).isTrue();
    }

    @Test
    void removedNodeReceivesNothingFromRemovalEntryOn() {
        Bench bench = writing(settings(A, B, C), members(A, B, C, D));
        bench.receiveChange(A, MemberChange.remove("t", id(D)));

        bench.advanceClock(10).step(WriterEvent.ticked());

        assertThat(bench.words)
                .contains("remember MEMBERS 13", "a entries 13..13")
                .doesNotContain("d entries 13..13");
    }

    @Test
    void storageCannotMoveToAddressRemovedByOperator() {
        Members before = members(A, B, C, D).without(id(D), RetiredStorage.Cause.REMOVED);
        Bench bench = writing(settings(A, B, C), before);
        bench.step(WriterEvent.peerDisconnected(C)).step(WriterEvent.peerConnected(D, id(C), true, Epoch.NONE));
        bench.acknowledge(D, id(C), 12);

        bench.advance(10);

        assertThat(bench.state.members()).isEqualTo(before);
    }

    @Test
    void wantedVoterIsNotAddedAgain() {
        Bench bench = writing(settings(A, B, C), members(A, B, C));
        // C is to take the place of A, which has to wait for B
        bench.step(WriterEvent.peerDisconnected(B)).receiveChange(A, MemberChange.replace("t", id(A), C));

        bench.advance(10);

        assertThat(bench.progressOf("t").stage()).isEqualTo(ChangeProgress.Stage.UNDER_WAY);
        assertThat(bench.state.lastSn()).isEqualTo(12);
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

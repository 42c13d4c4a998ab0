/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer;

import static io.trefoil.journal.writer.Bench.members;
import static io.trefoil.journal.writer.Bench.writing;
import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.model.ChangeProgress;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.MemberChange;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.RetiredStorage;
import io.trefoil.journal.protocol.AppendRequest;
import io.trefoil.journal.protocol.DoneReply;
import io.trefoil.journal.protocol.FormatRequest;
import io.trefoil.journal.protocol.MismatchReply;
import io.trefoil.journal.protocol.NotFormattedReply;
import io.trefoil.journal.protocol.RetireRequest;
import io.trefoil.journal.protocol.StaleEpochReply;
import io.trefoil.journal.writer.events.AddressSource;
import io.trefoil.journal.writer.events.NodeProgress;
import io.trefoil.journal.writer.events.WriterEvent;
import io.trefoil.journal.writer.events.WriterSettings;
import io.trefoil.journal.writer.events.WriterStage;
import org.junit.jupiter.api.Test;

/** Which storage is which member, wherever it is served and whatever it says of itself (protocol page, "Members", R7 and R8). */
class MemberIdentityTest {
    private static final NodeAddress A = NodeAddress.of("a", 1);
    private static final NodeAddress B = NodeAddress.of("b", 1);
    private static final NodeAddress C = NodeAddress.of("c", 1);
    private static final NodeAddress D = NodeAddress.of("d", 1);
    private static final NodeId FRESH = NodeId.of("fresh");
    private static final NodeId FRESHER = NodeId.of("fresher");

    @Test
    void nodeWithLostStorageReplacesItselfInTwoSteps() {
        Bench bench = writing(settings(A, B, C), members(A, B, C));
        bench.step(WriterEvent.peerDisconnected(C)).step(WriterEvent.peerConnected(C, FRESH, false, Epoch.NONE));
        bench.step(WriterEvent.ticked());
        assertThat(bench.sentTo(C, FormatRequest.class))
                .extracting(FormatRequest::node)
                .containsExactly(FRESH);
        bench.reply(C, DoneReply.of(FRESH));

        bench.acknowledge(C, FRESH, 12);
        bench.advanceClock(10).step(WriterEvent.ticked());
        assertThat(bench.state.members().list())
                .containsExactly(Member.voter(id(A), A), Member.voter(id(B), B), Member.learner(FRESH, C));
        assertThat(bench.state.members().retiredStorages())
                .containsExactly(RetiredStorage.of(id(C), C, RetiredStorage.Cause.REPLACED));

        bench.acknowledge(C, FRESH, 13);
        bench.acknowledge(A, 13).acknowledge(B, 13).advanceClock(10).step(WriterEvent.ticked());
        assertThat(bench.state.members().isVoter(FRESH)).isTrue();
        assertThat(bench.state.members().majority()).isEqualTo(2);
    }

    @Test
    void oldStorageIsMovedAsideAndReceivesNothing() {
        Members after =
                members(A, B, C).without(id(C), RetiredStorage.Cause.REPLACED).with(Member.voter(FRESH, C));
        Bench bench = writing(settings(A, B, C), after);
        bench.step(WriterEvent.peerDisconnected(C)).step(WriterEvent.peerConnected(C, id(C), true, Epoch.NONE));
        assertThat(bench.words).noneMatch(word -> word.startsWith("c "));

        bench.advanceClock(10).step(WriterEvent.ticked());
        assertThat(bench.sentTo(C, RetireRequest.class)).containsExactly(RetireRequest.of(bench.state.epoch(), id(C)));

        bench.reply(C, NotFormattedReply.of(FRESHER));
        bench.advance(Bench.ACK_TIMEOUT_MILLIS + 20);
        assertThat(bench.state.peers().findByAddress(C).node()).contains(FRESHER);
        bench.reply(C, DoneReply.of(FRESHER));
        bench.acknowledge(C, FRESHER, 12);
        bench.acknowledge(A, 12).acknowledge(B, 12).advanceClock(10).step(WriterEvent.ticked());
        assertThat(bench.state.members().find(FRESHER)).contains(Member.learner(FRESHER, C));
        assertThat(bench.state.members().isRetired(FRESH)).isTrue();
    }

    /** After a promotion it may have promised a higher epoch, which means nothing to the new incarnation. */
    @Test
    void retireRequestNamesWritersIncarnation() {
        Incarnation promoted = Incarnation.ofPromotion(6, 1);
        Members after = members(A, B, C).without(id(C), RetiredStorage.Cause.REPLACED);
        Bench bench = new Bench(2, A, B, C).connect(A, 3).connect(B, 3);
        bench.promise(A, Bench.end(3, 10, after).with(promoted), 8)
                .promise(B, Bench.end(3, 10, after).with(promoted), 8);
        bench.acknowledge(A, 12).acknowledge(B, 12);
        bench.step(WriterEvent.peerConnected(C, id(C), true, Epoch.of(30)));

        bench.advanceClock(10).step(WriterEvent.ticked());

        assertThat(bench.sentTo(C, RetireRequest.class))
                .containsExactly(RetireRequest.of(bench.state.epoch(), id(C)).withIncarnation(promoted));
    }

    @Test
    void storageMovedToDifferentHostKeepsItsVote() {
        Bench bench = writing(settings(A, B, C), members(A, B, C));
        bench.step(WriterEvent.peerDisconnected(C));
        bench.step(WriterEvent.peerConnected(D, id(C), true, Epoch.NONE));
        bench.acknowledge(D, id(C), 12);

        bench.advanceClock(10).step(WriterEvent.ticked());

        assertThat(bench.state.members().list()).contains(Member.voter(id(C), D));
    }

    @Test
    void memberClaimingDifferentIdNeitherCountsNorReceivesEntries() {
        Bench bench = writing(settings(A, B, C), members(A, B, C));
        bench.step(WriterEvent.peerDisconnected(B)).step(WriterEvent.peerDisconnected(C));
        bench.step(WriterEvent.peerConnected(C, id(B), true, Epoch.NONE));
        assertThat(bench.words).contains("c claims to be at b").noneMatch(word -> word.startsWith("c entries"));

        bench.append(7).acknowledge(A, 13);
        assertThat(bench.words).noneMatch(word -> word.startsWith("committed"));
        bench.acknowledge(C, id(B), 13);
        assertThat(bench.words).noneMatch(word -> word.startsWith("committed"));
        assertThat(bench.state.describe()).contains("c:1=NOT_" + id(B));

        bench.connect(C, 0).acknowledge(C, 13);
        assertThat(bench.words).contains("committed 13");
    }

    @Test
    void reportsFalseClaimOnce() {
        Bench bench = writing(settings(A, B, C), members(A, B, C));
        bench.step(WriterEvent.peerDisconnected(C)).step(WriterEvent.peerConnected(C, id(B), true, Epoch.NONE));
        assertThat(bench.words).contains("c claims to be at b");

        bench.step(WriterEvent.ticked());

        assertThat(bench.words).doesNotContain("c claims to be at b");
    }

    @Test
    void memberClaimingDifferentIdIsShownAsNonVoter() {
        Bench bench = writing(settings(A, B, C), members(A, B, C));
        bench.step(WriterEvent.peerDisconnected(C)).step(WriterEvent.peerConnected(C, id(B), true, Epoch.NONE));

        assertThat(bench.state.progress())
                .filteredOn(NodeProgress::voter)
                .extracting(NodeProgress::address)
                .containsExactly(A, B);
    }

    /** Whom it has promised to says nothing of the member that it claims to be. */
    @Test
    void memberClaimingDifferentIdNeverMakesTermStuck() {
        Bench bench = Bench.recovering(A, B, C);
        bench.step(WriterEvent.peerDisconnected(C)).step(WriterEvent.peerConnected(C, id(B), true, Epoch.of(9)));

        bench.advance(3 * Bench.ACK_TIMEOUT_MILLIS);

        assertThat(bench.state.stage()).isEqualTo(WriterStage.RECOVERING);
    }

    /** Only an operator takes in again what an operator removed. */
    @Test
    void storageCannotMoveToRemovedAddress() {
        Members members = members(A, B, C, D).without(id(D), RetiredStorage.Cause.REMOVED);
        Bench bench = writing(settings(A, B, C, D), members);
        bench.step(WriterEvent.peerDisconnected(C));

        bench.step(WriterEvent.peerConnected(D, id(C), true, Epoch.NONE));
        bench.acknowledge(D, id(C), 12).advanceClock(10).step(WriterEvent.ticked());

        assertThat(bench.state.members().list()).contains(Member.voter(id(C), C));
    }

    @Test
    void operatorAllowsStorageMoveToRemovedAddress() {
        Members members = members(A, B, C, D).without(id(D), RetiredStorage.Cause.REMOVED);
        Bench bench = writing(settings(A, B, C, D), members);
        bench.step(WriterEvent.peerDisconnected(C)).receiveChange(A, MemberChange.add("add", D));

        bench.step(WriterEvent.peerConnected(D, id(C), true, Epoch.NONE));
        bench.acknowledge(D, id(C), 12).advanceClock(10).step(WriterEvent.ticked());

        assertThat(bench.state.members().findByAddress(D)).contains(Member.voter(id(C), D));
        assertThat(bench.state.members().isRemovedByOperator(D)).isFalse();
    }

    /** When its session began there was none. */
    @Test
    void answerAboutLogProvesStorage() {
        Bench bench = writing(settings(A, B, C), members(A, B, C));
        bench.step(WriterEvent.peerDisconnected(C)).step(WriterEvent.peerConnected(C, id(C), false, Epoch.NONE));

        bench.acknowledge(C, 12);

        assertThat(bench.state.peers().findByAddress(C).formatted()).isTrue();
    }

    /** It answered as itself so far; nothing of that counts for the other. */
    @Test
    void memberClaimingDifferentIdLaterStopsCounting() {
        Bench bench = writing(settings(A, B, C), members(A, B, C));
        bench.step(WriterEvent.peerDisconnected(B));

        bench.append(7).acknowledge(A, 13).acknowledge(C, id(B), 13);

        assertThat(bench.words).contains("c claims to be at b");
        assertThat(bench.state.committedSn()).isEqualTo(12);
    }

    @Test
    void memberClaimingDifferentIdDoesNotEndTerm() {
        Bench bench = writing(settings(A, B, C), members(A, B, C));
        bench.step(WriterEvent.peerDisconnected(B));
        bench.step(WriterEvent.peerConnected(C, id(C), true, Epoch.of(9)));

        bench.step(WriterEvent.peerConnected(A, id(B), true, Epoch.of(9)));

        assertThat(bench.state.stage()).isEqualTo(WriterStage.WRITING);
    }

    /** What it said in a session that is over decides nothing: it may say something else in the next one. */
    @Test
    void departedNonMemberIsAwaitedDespiteItsClaim() {
        Bench bench = writing(settings(A, B, C), members(A, B, C));
        bench.receiveChange(A, MemberChange.join("first", D));
        bench.step(WriterEvent.peerConnected(D, id(C), true, Epoch.NONE)).step(WriterEvent.ticked());
        assertThat(bench.progressOf("first").stage()).isEqualTo(ChangeProgress.Stage.REFUSED);

        bench.step(WriterEvent.peerDisconnected(D)).receiveChange(A, MemberChange.join("second", D));

        assertThat(bench.progressOf("second").stage()).isEqualTo(ChangeProgress.Stage.UNDER_WAY);
        assertThat(bench.progressOf("second").text()).contains("waits for a session with d:1");
    }

    @Test
    void nonMemberClaimingMemberIdCountsOnlyWithOperatorRequest() {
        Bench bench = writing(settings(A, B, C), members(A, B, C));
        bench.step(WriterEvent.peerDisconnected(C));
        // It is known when it says so again, and invited all the less.
        bench.receiveChange(A, MemberChange.join("join", D)).receiveChange(A, MemberChange.join("join", D));
        bench.step(WriterEvent.peerConnected(D, id(C), true, Epoch.NONE)).acknowledge(D, id(C), 12);
        bench.advance(200);

        assertThat(bench.state.members()).isEqualTo(members(A, B, C));
        assertThat(bench.state.inSyncVoters()).isEqualTo(2);
        assertThat(bench.progressOf("join").text()).contains("says that it is the member at c:1", "journal add d:1");

        bench.receiveChange(A, MemberChange.add("add", D))
                .acknowledge(D, id(C), 12)
                .advance(10);
        assertThat(bench.state.members().list()).contains(Member.voter(id(C), D));
    }

    /** A machine image of a member's host, started as a new NameNode: no operator said that the storage has moved there. */
    @Test
    void copiedStorageNeverCountsWhenOnlyNameNodesListIt() {
        Bench bench = writing(settings(A, B, C, D).addressSource(AddressSource.NAMENODES), members(A, B, C));
        bench.step(WriterEvent.peerDisconnected(C));
        bench.step(WriterEvent.peerConnected(D, id(C), true, Epoch.NONE)).acknowledge(D, id(C), 12);
        bench.advance(200);

        assertThat(bench.state.members()).isEqualTo(members(A, B, C));
        assertThat(bench.state.inSyncVoters()).isEqualTo(2);

        bench.receiveChange(A, MemberChange.add("add", D))
                .acknowledge(D, id(C), 12)
                .advance(10);
        assertThat(bench.state.members().list()).contains(Member.voter(id(C), D));
    }

    @Test
    void emptyNodeJoinsWhenNameNodesNameItsAddress() {
        Bench bench = writing(settings(A, B, C, D).addressSource(AddressSource.NAMENODES), members(A, B, C));
        bench.step(WriterEvent.peerConnected(D, FRESH, false, Epoch.NONE));

        bench.advanceClock(10).step(WriterEvent.ticked());

        assertThat(bench.sentTo(D, FormatRequest.class)).hasSize(1);
    }

    @Test
    void storageOnDifferentPortOfSameHostKeepsItsVote() {
        NodeAddress moved = NodeAddress.of("c", 2);
        Bench bench = writing(settings(A, B, C), members(A, B, C));
        bench.step(WriterEvent.peerDisconnected(C)).receiveChange(A, MemberChange.join("join", moved));

        bench.step(WriterEvent.peerConnected(moved, id(C), true, Epoch.NONE))
                .acknowledge(moved, id(C), 12)
                .advance(10);

        assertThat(bench.state.members().list()).contains(Member.voter(id(C), moved));
    }

    @Test
    void rejectsCountingNodeAtTwoAddressesTwice() {
        Bench bench = writing(settings(A, B, C), members(A, B, C));
        bench.receiveChange(A, MemberChange.add("t", D));
        bench.step(WriterEvent.peerConnected(D, id(C), true, Epoch.NONE));
        bench.acknowledge(D, id(C), 12);

        bench.advance(200);

        assertThat(bench.state.members()).isEqualTo(members(A, B, C));
        assertThat(bench.progressOf("t").text()).contains("one node under two addresses");
    }

    @Test
    void doneReplyRevealsReplacedStorage() {
        Bench bench = writing(settings(A, B, C), members(A, B, C, D));
        bench.receiveChange(A, MemberChange.remove("t", id(D)));
        bench.advanceClock(10).step(WriterEvent.ticked());
        long matchedSn = bench.state.peers().findByAddress(D).matchedSn();

        bench.reply(D, MismatchReply.of(id(D), bench.state.epoch(), LogPosition.ORIGIN, 0, LogCompleteness.COMPLETE));
        bench.acknowledge(D, 13).reply(D, DoneReply.of(id(D)));
        assertThat(bench.state.peers().findByAddress(D).matchedSn()).isEqualTo(matchedSn);
        assertThat(bench.words).isEmpty();

        bench.reply(D, DoneReply.of(FRESH));
        assertThat(bench.state.peers().findByAddress(D).node()).contains(FRESH);
        assertThat(bench.sentTo(D, AppendRequest.class)).hasSize(1);
    }

    @Test
    void storageCannotTakePlaceOfDifferentMember() {
        Bench bench = writing(settings(A, B, C, D), members(A, B, C));
        bench.step(WriterEvent.peerDisconnected(C)).step(WriterEvent.peerDisconnected(B));
        bench.step(WriterEvent.peerConnected(B, id(C), true, Epoch.of(3)));
        bench.acknowledge(B, id(C), 12);

        bench.advanceClock(10).step(WriterEvent.ticked());

        assertThat(bench.state.members()).isEqualTo(members(A, B, C));
    }

    @Test
    void rightfulNodeKeepsItsStorage() {
        Bench bench = writing(settings(A, B, C, D).ackTimeoutMillis(200), members(A, B, C));
        // a stranger with storage that obeys another writer, and a member that does not find its own
        bench.connect(D, 3).reply(D, StaleEpochReply.of(id(D), Epoch.of(9)));
        bench.step(WriterEvent.peerConnected(C, id(C), false, Epoch.NONE));

        for (int i = 0; i < 100; i++) {
            bench.advance(10);
            assertThat(bench.requests)
                    .noneMatch(request -> request instanceof RetireRequest || request instanceof FormatRequest);
        }
    }

    @Test
    void retiredMemberWithoutStorageIsNeitherFormattedNorRetired() {
        Members after =
                members(A, B, C).without(id(C), RetiredStorage.Cause.REPLACED).with(Member.voter(FRESH, C));
        Bench bench = writing(settings(A, B, C), after);
        bench.step(WriterEvent.peerConnected(C, id(C), false, Epoch.NONE));

        bench.advance(10);

        assertThat(bench.sentTo(C, FormatRequest.class)).isEmpty();
        assertThat(bench.sentTo(C, RetireRequest.class)).isEmpty();
    }

    @Test
    void retriesRetireRequestAfterAckTimeout() {
        Members after =
                members(A, B, C).without(id(C), RetiredStorage.Cause.REPLACED).with(Member.voter(FRESH, C));
        Bench bench = writing(settings(A, B, C), after);
        bench.step(WriterEvent.peerConnected(C, id(C), true, Epoch.NONE));
        int requests = 0;
        for (long passed = 0; passed <= 2 * Bench.ACK_TIMEOUT_MILLIS + 50; passed += 10) {
            requests += bench.advance(10).sentTo(C, RetireRequest.class).size();
        }

        assertThat(requests).isEqualTo(3);
    }

    @Test
    void movedMemberKeepsVoteWhenNodeTakesItsAddress() {
        Bench bench = writing(settings(A, B, C), members(A, B, C));
        bench.step(WriterEvent.peerConnected(D, id(C), true, Epoch.NONE));
        bench.step(WriterEvent.peerConnected(C, FRESH, true, Epoch.NONE)).acknowledge(C, FRESH, 12);

        bench.advance(10);
        assertThat(bench.state.members()).isEqualTo(members(A, B, C));

        bench.acknowledge(D, id(C), 12).advance(10);
        assertThat(bench.state.members().findByAddress(D)).contains(Member.voter(id(C), D));
    }

    private static WriterSettings.Builder settings(NodeAddress... addresses) {
        return Bench.settings(2, addresses);
    }

    private static NodeId id(NodeAddress address) {
        return Bench.id(address);
    }
}

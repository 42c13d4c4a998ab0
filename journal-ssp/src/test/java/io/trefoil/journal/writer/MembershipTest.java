/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer;

import static io.trefoil.journal.writer.Bench.members;
import static io.trefoil.journal.writer.Bench.writing;
import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.model.ChangeProgress;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.MemberChange;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.Retired;
import io.trefoil.journal.protocol.AppendRequest;
import io.trefoil.journal.protocol.CollectChangesRequest;
import io.trefoil.journal.protocol.DoneReply;
import io.trefoil.journal.protocol.FormatRequest;
import io.trefoil.journal.protocol.MismatchReply;
import io.trefoil.journal.protocol.NotFormattedReply;
import io.trefoil.journal.protocol.RetireRequest;
import io.trefoil.journal.protocol.StaleEpochReply;
import io.trefoil.journal.writer.events.WriterEvent;
import io.trefoil.journal.writer.events.WriterSettings;
import io.trefoil.journal.writer.events.WriterStage;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Who joins, who leaves and in which order (protocol page, "Members", R7 and R8). */
class MembershipTest {

    private static final NodeAddress A = NodeAddress.of("a", 1);
    private static final NodeAddress B = NodeAddress.of("b", 1);
    private static final NodeAddress C = NodeAddress.of("c", 1);
    private static final NodeAddress D = NodeAddress.of("d", 1);
    private static final NodeId FRESH = NodeId.of("fresh");
    private static final NodeId FRESHER = NodeId.of("fresher");

    @Test
    void anEmptyNodeIsGivenStorageThenLearnsThenVotes() {
        Bench bench = writing(settings(A, B, C, D), members(A, B, C));
        bench.step(WriterEvent.peerUp(D, id(D), false, Epoch.NONE));

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
    void aLearnerThatIsWantedToReceiveOnlyNeverVotesByItself() {
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
    void aLearnerCountsForNoMajorityAndIsNotWaitedFor() {
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
    void aLearnerVotesWhenAnOperatorWantsIt() {
        Bench bench = writing(settings(A, B, C), withLearner(D));

        bench.hears(A, MemberChange.add("t", D));
        bench.after(10).step(WriterEvent.ticked());

        assertThat(bench.state.members().find(id(D))).contains(Member.voter(id(D), D));
    }

    @Test
    void aLearnerTakesThePlaceOfAVoterWhenAnOperatorWantsIt() {
        Bench bench = writing(settings(A, B, C), withLearner(D));

        bench.hears(A, MemberChange.replace("t", id(C), D));
        bench.after(10).step(WriterEvent.ticked());
        bench.acks(A, 13).acks(B, 13).acks(C, 13).acks(D, 13).after(10).step(WriterEvent.ticked());

        assertThat(bench.state.members().list())
                .containsExactly(Member.voter(id(A), A), Member.voter(id(B), B), Member.voter(id(D), D));
    }

    @Test
    void aLearnerThatLostItsStorageIsALearnerAgain() {
        Bench bench = writing(settings(A, B, C), withLearner(D));
        bench.step(WriterEvent.peerDown(D)).step(WriterEvent.peerUp(D, FRESH, false, Epoch.NONE));
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
    void aVoterIsNotMadeALearner() {
        Bench bench = writing(settings(A, B, C), members(A, B, C));

        bench.hears(A, MemberChange.addLearner("t", C));
        bench.passes(200);

        assertThat(bench.told("t").stage()).isEqualTo(ChangeProgress.Stage.REFUSED);
        assertThat(bench.told("t").text()).contains("is a voter; remove it");
        assertThat(bench.state.members()).isEqualTo(members(A, B, C));
    }

    @Test
    void whatWasDoneIsNotDoneAgainAfterTheOppositeWasWanted() {
        Bench bench = writing(settings(A, B, C), withLearner(D));
        bench.hears(A, MemberChange.add("add", D));
        bench.after(10).step(WriterEvent.ticked());
        bench.acks(A, 13).acks(B, 13).acks(C, 13).acks(D, 13).after(10).step(WriterEvent.ticked());
        assertThat(bench.told("add").stage()).isEqualTo(ChangeProgress.Stage.DONE);

        bench.hears(A, MemberChange.remove("remove", id(D)));
        bench.after(10).step(WriterEvent.ticked());
        bench.acks(A, 14).acks(B, 14).acks(C, 14).after(10).step(WriterEvent.ticked());
        // The node of whoever added passes that on for some seconds yet.
        bench.hears(A, MemberChange.add("add", D));
        bench.after(10).step(WriterEvent.ticked());

        assertThat(bench.state.members().isBarred(D)).isTrue();
        assertThat(bench.state.pendingChanges().isWanted(D)).isFalse();
    }

    private static Members withLearner(NodeAddress learner) {
        return members(A, B, C).with(Member.permanentLearner(id(learner), learner));
    }

    @Test
    void twoNodesNeverJoinAtOnce() {
        NodeAddress e = NodeAddress.of("e", 1);
        Bench bench = writing(settings(A, B, C, D, e), members(A, B, C));
        bench.up(D, 0).up(e, 0).acks(D, 12).acks(e, 12);

        bench.after(10).step(WriterEvent.ticked());
        bench.after(10).step(WriterEvent.ticked());

        assertThat(bench.state.members().list()).hasSize(4);
    }

    @Test
    void aStrangerJoinsOnlyIfSomebodyWantsIt() {
        Bench bench = writing(settings(A, B, C), members(A, B, C));
        bench.step(WriterEvent.peerUp(D, id(D), false, Epoch.NONE)).passes(2_000);
        assertThat(bench.sent(D, FormatRequest.class)).isEmpty();

        bench.hears(A, MemberChange.join("t", D));
        bench.after(10).step(WriterEvent.ticked());

        assertThat(bench.sent(D, FormatRequest.class)).hasSize(1);
    }

    @Test
    void theWriterMeetsAnAddressThatSomebodyNames() {
        Bench bench = writing(settings(A, B, C), members(A, B, C));

        bench.hears(A, MemberChange.add("t", D));

        assertThat(bench.words).contains("meet d");
        assertThat(bench.told("t").stage()).isEqualTo(ChangeProgress.Stage.UNDER_WAY);
        assertThat(bench.told("t").text()).contains("waits for a session with d:1");
    }

    @Test
    void aRequestThatNobodyRepeatsIsDropped() {
        Bench bench = writing(settings(A, B, C), members(A, B, C));
        bench.hears(A, MemberChange.add("t", D));

        bench.passes(4_000);

        assertThat(bench.state.pendingChanges().isEmpty()).isTrue();
    }

    @Test
    void aNodeThatLostItsStorageTakesItsOwnPlaceInTwoSteps() {
        Bench bench = writing(settings(A, B, C), members(A, B, C));
        bench.step(WriterEvent.peerDown(C)).step(WriterEvent.peerUp(C, FRESH, false, Epoch.NONE));
        bench.step(WriterEvent.ticked());
        assertThat(bench.sent(C, FormatRequest.class))
                .extracting(FormatRequest::node)
                .containsExactly(FRESH);
        bench.reply(C, DoneReply.of(FRESH));

        bench.acks(C, FRESH, 12);
        bench.after(10).step(WriterEvent.ticked());
        assertThat(bench.state.members().list())
                .containsExactly(Member.voter(id(A), A), Member.voter(id(B), B), Member.learner(FRESH, C));
        assertThat(bench.state.members().retired()).containsExactly(Retired.of(id(C), C, Retired.Cause.REPLACED));

        bench.acks(C, FRESH, 13);
        bench.acks(A, 13).acks(B, 13).after(10).step(WriterEvent.ticked());
        assertThat(bench.state.members().isVoter(FRESH)).isTrue();
        assertThat(bench.state.members().majority()).isEqualTo(2);
    }

    @Test
    void aChangeThatCouldNotBeCommittedIsNotBegun() {
        Bench bench = writing(settings(A, B, C), members(A, B, C));
        // B is lagging, so that A alone would be left without C
        bench.step(WriterEvent.peerDown(B));
        bench.step(WriterEvent.peerDown(C)).step(WriterEvent.peerUp(C, FRESH, true, Epoch.NONE));
        bench.acks(C, FRESH, 12);

        bench.passes(100);

        assertThat(bench.state.members()).isEqualTo(members(A, B, C));
    }

    @Test
    void oldStorageIsMovedAsideAndSentNothing() {
        Members after = members(A, B, C).without(id(C), Retired.Cause.REPLACED).with(Member.voter(FRESH, C));
        Bench bench = writing(settings(A, B, C), after);
        bench.step(WriterEvent.peerDown(C)).step(WriterEvent.peerUp(C, id(C), true, Epoch.NONE));
        assertThat(bench.words).noneMatch(word -> word.startsWith("c "));

        bench.after(10).step(WriterEvent.ticked());
        assertThat(bench.sent(C, RetireRequest.class)).containsExactly(RetireRequest.of(bench.state.epoch(), id(C)));

        bench.reply(C, NotFormattedReply.of(FRESHER));
        bench.passes(Bench.ACK_TIMEOUT_MILLIS + 20);
        assertThat(bench.state.peers().at(C).node()).contains(FRESHER);
        bench.reply(C, DoneReply.of(FRESHER));
        bench.acks(C, FRESHER, 12);
        bench.acks(A, 12).acks(B, 12).after(10).step(WriterEvent.ticked());
        assertThat(bench.state.members().find(FRESHER)).contains(Member.learner(FRESHER, C));
        assertThat(bench.state.members().isRetired(FRESH)).isTrue();
    }

    @Test
    void aRemovedNodeStaysOutUntilAnOperatorAddsIt() {
        Bench bench = writing(settings(A, B, C, D), members(A, B, C, D));
        bench.hears(A, MemberChange.remove("t", id(D)));
        bench.after(10).step(WriterEvent.ticked());
        assertThat(bench.state.members().find(id(D))).isEmpty();
        bench.acks(A, 13).acks(B, 13).acks(C, 13).passes(200);
        assertThat(bench.told("t").stage()).isEqualTo(ChangeProgress.Stage.DONE);
        assertThat(bench.sent(D, RetireRequest.class)).isEmpty();

        bench.hears(A, MemberChange.join("join", D));
        bench.passes(200);
        assertThat(bench.told("join").stage()).isEqualTo(ChangeProgress.Stage.REFUSED);
        assertThat(bench.told("join").text()).contains("removed by an operator");

        bench.hears(A, MemberChange.add("add", D));
        bench.after(10).step(WriterEvent.ticked());
        assertThat(bench.state.members().isBarred(D)).isFalse();
        assertThat(bench.state.members().isRetired(id(D))).isTrue();
    }

    @Test
    void refusesToRemoveTheLastVoterTheWritersOwnNodeAndStrangers() {
        Bench alone = writing(settings(A).minReplicas(1), members(A));
        alone.hears(A, MemberChange.forcedRemove("t", id(A)));
        assertThat(alone.told("t").text()).contains("is the last voter");

        Bench bench = writing(settings(A, B, C).local(A), members(A, B, C));
        bench.hears(A, MemberChange.remove("own", id(A)));
        assertThat(bench.told("own").text()).contains("in the process of the writer");
        bench.hears(A, MemberChange.remove("who", id(D)));
        assertThat(bench.told("who").text()).contains("is no member");
        bench.passes(200);
        assertThat(bench.state.members()).isEqualTo(members(A, B, C));
    }

    @Test
    void refusesToLeaveFewerVotersThanANewWriterWaitsForSaveByForce() {
        Bench bench = writing(settings(A, B), members(A, B));
        bench.hears(A, MemberChange.remove("t", id(B)));
        assertThat(bench.told("t").stage()).isEqualTo(ChangeProgress.Stage.REFUSED);
        assertThat(bench.told("t").text()).contains("trefoil.journal.replicas.min");

        bench.hears(A, MemberChange.forcedRemove("force", id(B)));
        bench.after(10).step(WriterEvent.ticked());
        assertThat(bench.state.members().list()).containsExactly(Member.voter(id(A), A));
    }

    @Test
    void refusesToRemoveAVoterIfNoMajorityWouldBeInSync() {
        Bench bench = writing(settings(A, B, C), members(A, B, C));
        bench.step(WriterEvent.peerDown(C)).passes(5 * Bench.ACK_TIMEOUT_MILLIS);
        bench.acks(A, 12).acks(B, 12);

        bench.hears(A, MemberChange.remove("t", id(B)));
        bench.after(10).step(WriterEvent.ticked());

        assertThat(bench.told("t").stage()).isEqualTo(ChangeProgress.Stage.REFUSED);
        assertThat(bench.told("t").text()).contains("1 of 2 would be, 2 are needed");
        assertThat(bench.state.members()).isEqualTo(members(A, B, C));
    }

    @Test
    void aWorkingNodeIsReplacedWhenItsSuccessorVotes() {
        Bench bench = writing(settings(A, B, C), members(A, B, C));
        bench.hears(A, MemberChange.replace("t", id(C), D));
        bench.up(D, 0).acks(D, 12).after(10).step(WriterEvent.ticked());
        bench.acks(A, 13).acks(B, 13).acks(C, 13).acks(D, 13).after(10).step(WriterEvent.ticked());
        assertThat(bench.state.members().voterCount()).isEqualTo(4);

        bench.acks(A, 14).acks(B, 14).acks(C, 14).acks(D, 14).after(10).step(WriterEvent.ticked());

        assertThat(bench.state.members().list())
                .containsExactly(Member.voter(id(A), A), Member.voter(id(B), B), Member.voter(id(D), D));
    }

    @Test
    void aDeadNodeGoesBeforeItsSuccessorVotes() {
        Bench bench = writing(settings(A, B, C), members(A, B, C));
        bench.step(WriterEvent.peerDown(C));
        bench.hears(A, MemberChange.replace("t", id(C), D));
        bench.up(D, 0).acks(D, 12).after(10).step(WriterEvent.ticked());

        bench.acks(A, 13).acks(B, 13).acks(D, 13).after(10).step(WriterEvent.ticked());
        assertThat(bench.state.members().list())
                .containsExactly(Member.voter(id(A), A), Member.voter(id(B), B), Member.learner(id(D), D));
        bench.acks(A, 14).acks(B, 14).acks(D, 14).after(10).step(WriterEvent.ticked());
        assertThat(bench.state.members().isVoter(id(D))).isTrue();
    }

    @Test
    void aStorageThatMovedToAnotherHostKeepsItsVote() {
        Bench bench = writing(settings(A, B, C), members(A, B, C));
        bench.step(WriterEvent.peerDown(C));
        bench.step(WriterEvent.peerUp(D, id(C), true, Epoch.NONE));
        bench.acks(D, id(C), 12);

        bench.after(10).step(WriterEvent.ticked());

        assertThat(bench.state.members().list()).contains(Member.voter(id(C), D));
    }

    @Test
    void aMemberThatSaysItIsAnotherCountsForNobodyAndIsSentNothing() {
        Bench bench = writing(settings(A, B, C), members(A, B, C));
        bench.step(WriterEvent.peerDown(B)).step(WriterEvent.peerDown(C));
        bench.step(WriterEvent.peerUp(C, id(B), true, Epoch.NONE));
        assertThat(bench.words).contains("c claims to be at b").noneMatch(word -> word.startsWith("c entries"));

        bench.appends(7).acks(A, 13);
        assertThat(bench.words).noneMatch(word -> word.startsWith("committed"));
        bench.acks(C, id(B), 13);
        assertThat(bench.words).noneMatch(word -> word.startsWith("committed"));
        assertThat(bench.state.describe()).contains("c:1=NOT_" + id(B));

        bench.up(C, 0).acks(C, 13);
        assertThat(bench.words).contains("committed 13");
    }

    /** It answered as itself so far; nothing of that counts for the other. */
    @Test
    void aMemberThatBeginsToSayItIsAnotherCountsForNobody() {
        Bench bench = writing(settings(A, B, C), members(A, B, C));
        bench.step(WriterEvent.peerDown(B));

        bench.appends(7).acks(A, 13).acks(C, id(B), 13);

        assertThat(bench.words).contains("c claims to be at b");
        assertThat(bench.state.committedSn()).isEqualTo(12);
    }

    @Test
    void aMemberThatSaysItIsAnotherEndsNoTerm() {
        Bench bench = writing(settings(A, B, C), members(A, B, C));
        bench.step(WriterEvent.peerDown(B));
        bench.step(WriterEvent.peerUp(C, id(C), true, Epoch.of(9)));

        bench.step(WriterEvent.peerUp(A, id(B), true, Epoch.of(9)));

        assertThat(bench.state.stage()).isEqualTo(WriterStage.WRITING);
    }

    @Test
    void aStrangerThatSaysItIsAMemberOfAnotherHostCountsOnlyIfAnOperatorSaysSo() {
        Bench bench = writing(settings(A, B, C), members(A, B, C));
        bench.step(WriterEvent.peerDown(C)).hears(A, MemberChange.join("join", D));
        bench.step(WriterEvent.peerUp(D, id(C), true, Epoch.NONE)).acks(D, id(C), 12);
        bench.passes(200);

        assertThat(bench.state.members()).isEqualTo(members(A, B, C));
        assertThat(bench.state.inSyncVoters()).isEqualTo(2);
        assertThat(bench.told("join").text()).contains("says that it is the member at c:1", "journal add d:1");

        bench.hears(A, MemberChange.add("add", D)).acks(D, id(C), 12).passes(10);
        assertThat(bench.state.members().list()).contains(Member.voter(id(C), D));
    }

    @Test
    void storageThatIsServedAtAnotherPortOfItsHostKeepsItsVote() {
        NodeAddress moved = NodeAddress.of("c", 2);
        Bench bench = writing(settings(A, B, C), members(A, B, C));
        bench.step(WriterEvent.peerDown(C)).hears(A, MemberChange.join("join", moved));

        bench.step(WriterEvent.peerUp(moved, id(C), true, Epoch.NONE))
                .acks(moved, id(C), 12)
                .passes(10);

        assertThat(bench.state.members().list()).contains(Member.voter(id(C), moved));
    }

    @Test
    void oneNodeUnderTwoAddressesIsNotTakenForTwo() {
        Bench bench = writing(settings(A, B, C), members(A, B, C));
        bench.hears(A, MemberChange.add("t", D));
        bench.step(WriterEvent.peerUp(D, id(C), true, Epoch.NONE));
        bench.acks(D, id(C), 12);

        bench.passes(200);

        assertThat(bench.state.members()).isEqualTo(members(A, B, C));
        assertThat(bench.told("t").text()).contains("one node under two addresses");
    }

    @Test
    void nodesAreAskedForRequestsAndToldWhatBecameOfThem() {
        Bench bench = writing(settings(A, B, C), members(A, B, C));
        bench.hears(A, MemberChange.add("t", C));

        bench.after(200).step(WriterEvent.ticked());

        assertThat(bench.sent(B, CollectChangesRequest.class))
                .flatExtracting(CollectChangesRequest::progress)
                .extracting(ChangeProgress::stage)
                .containsExactly(ChangeProgress.Stage.DONE);
    }

    @Test
    void aNodeThatWasGivenStorageIsAskedAtOnceWhereItsLogEnds() {
        Bench bench = writing(settings(A, B, C, D), members(A, B, C));
        bench.step(WriterEvent.peerUp(D, id(D), false, Epoch.NONE)).step(WriterEvent.ticked());

        bench.reply(D, DoneReply.of(FRESH));
        assertThat(bench.state.peers().at(D).formatted()).isFalse();

        bench.reply(D, DoneReply.of(id(D)));
        assertThat(bench.state.peers().at(D).formatted()).isTrue();
        assertThat(bench.sent(D, AppendRequest.class)).hasSize(1);
    }

    @Test
    void whoSaysThatItRetiredForAnotherThatIsThereNowIsThatOne() {
        Bench bench = writing(settings(A, B, C), members(A, B, C, D));
        bench.hears(A, MemberChange.remove("t", id(D)));
        bench.after(10).step(WriterEvent.ticked());
        long matchedSn = bench.state.peers().at(D).matchedSn();

        bench.reply(D, MismatchReply.of(id(D), bench.state.epoch(), LogPosition.ORIGIN, 0, LogCompleteness.COMPLETE));
        bench.acks(D, 13).reply(D, DoneReply.of(id(D)));
        assertThat(bench.state.peers().at(D).matchedSn()).isEqualTo(matchedSn);
        assertThat(bench.words).isEmpty();

        bench.reply(D, DoneReply.of(FRESH));
        assertThat(bench.state.peers().at(D).node()).contains(FRESH);
        assertThat(bench.sent(D, AppendRequest.class)).hasSize(1);
    }

    @Test
    void anEmptyNodeIsGivenStorageAgainIfItDoesNotAnswerInTime() {
        Bench bench = writing(settings(A, B, C, D), members(A, B, C));
        bench.step(WriterEvent.peerUp(D, id(D), false, Epoch.NONE));
        int formats = 0;
        for (long passed = 0; passed <= 2 * Bench.ACK_TIMEOUT_MILLIS + 50; passed += 10) {
            bench.after(10).step(WriterEvent.ticked());
            formats += bench.sent(D, FormatRequest.class).size();
        }

        assertThat(formats).isEqualTo(3);
    }

    @Test
    void aStorageIsNotMovedToThePlaceOfAnotherMember() {
        Bench bench = writing(settings(A, B, C, D), members(A, B, C));
        bench.step(WriterEvent.peerDown(C)).step(WriterEvent.peerDown(B));
        bench.step(WriterEvent.peerUp(B, id(C), true, Epoch.of(3)));
        bench.acks(B, id(C), 12);

        bench.after(10).step(WriterEvent.ticked());

        assertThat(bench.state.members()).isEqualTo(members(A, B, C));
    }

    @Test
    void aLearnerIsMadeOneForGoodWhenThatIsWanted() {
        Bench bench = writing(settings(A, B, C), members(A, B, C).with(Member.learner(id(D), D)));
        bench.hears(A, MemberChange.addLearner("t", D));

        bench.after(10).step(WriterEvent.ticked());

        assertThat(bench.state.members().find(id(D))).contains(Member.permanentLearner(id(D), D));
    }

    @Test
    void nobodyIsGivenStorageBeforeTheTermHasBegun() {
        Bench bench = new Bench(settings(A, B, C, D).build()).up(A, 3).up(B, 3).up(C, 3);
        LogSummary end =
                LogSummary.of(LogPosition.of(Epoch.of(3), 10), members(A, B, C), 10, Optional.of(1L), Optional.empty());
        bench.promises(A, end, 8).promises(B, end, 8);
        bench.step(WriterEvent.peerUp(D, id(D), false, Epoch.NONE));

        assertThat(bench.after(10).step(WriterEvent.ticked()).sent(D, FormatRequest.class))
                .isEmpty();

        // its first entry is enough, the end of the segment that was open is the second
        bench.acks(A, 11).acks(B, 11);
        assertThat(bench.after(10).step(WriterEvent.ticked()).sent(D, FormatRequest.class))
                .hasSize(1);
    }

    @Test
    void aLearnerDoesNotVoteBeforeItHasWhatIsCommitted() {
        Bench bench = writing(settings(A, B, C), members(A, B, C).with(Member.learner(id(D), D)));
        bench.appends(11).acks(A, 13).acks(B, 13);

        bench.after(10).step(WriterEvent.ticked());
        assertThat(bench.state.members().isVoter(id(D))).isFalse();

        bench.acks(D, 13).after(10).step(WriterEvent.ticked());
        assertThat(bench.state.members().isVoter(id(D))).isTrue();
    }

    @Test
    void aRemovedNodeIsSentNothingFromThatEntryOn() {
        Bench bench = writing(settings(A, B, C), members(A, B, C, D));
        bench.hears(A, MemberChange.remove("t", id(D)));

        bench.after(10).step(WriterEvent.ticked());

        assertThat(bench.words)
                .contains("remember MEMBERS 13", "a entries 13..13")
                .doesNotContain("d entries 13..13");
    }

    @Test
    void whoIsWhereItBelongsKeepsItsStorage() {
        Bench bench = writing(settings(A, B, C, D).ackTimeoutMillis(200), members(A, B, C));
        // a stranger with storage that obeys another writer, and a member that does not find its own
        bench.up(D, 3).reply(D, StaleEpochReply.of(id(D), Epoch.of(9)));
        bench.step(WriterEvent.peerUp(C, id(C), false, Epoch.NONE));

        for (int i = 0; i < 100; i++) {
            bench.passes(10);
            assertThat(bench.requests)
                    .noneMatch(request -> request instanceof RetireRequest || request instanceof FormatRequest);
        }
    }

    @Test
    void storageThatRetiredIsNeitherMadeAgainNorMovedAsideWhereThereIsNone() {
        Members after = members(A, B, C).without(id(C), Retired.Cause.REPLACED).with(Member.voter(FRESH, C));
        Bench bench = writing(settings(A, B, C), after);
        bench.step(WriterEvent.peerUp(C, id(C), false, Epoch.NONE));

        bench.passes(10);

        assertThat(bench.sent(C, FormatRequest.class)).isEmpty();
        assertThat(bench.sent(C, RetireRequest.class)).isEmpty();
    }

    @Test
    void oldStorageIsMovedAsideAgainOnlyAfterTheAckTimeout() {
        Members after = members(A, B, C).without(id(C), Retired.Cause.REPLACED).with(Member.voter(FRESH, C));
        Bench bench = writing(settings(A, B, C), after);
        bench.step(WriterEvent.peerUp(C, id(C), true, Epoch.NONE));
        int requests = 0;
        for (long passed = 0; passed <= 2 * Bench.ACK_TIMEOUT_MILLIS + 50; passed += 10) {
            requests += bench.passes(10).sent(C, RetireRequest.class).size();
        }

        assertThat(requests).isEqualTo(3);
    }

    @Test
    void nobodyIsGivenStorageWhoIsGoneOrWasRemoved() {
        Bench bench = writing(settings(A, B, C, D), members(A, B, C, D).without(id(D), Retired.Cause.REMOVED));
        bench.step(WriterEvent.peerUp(D, FRESH, false, Epoch.NONE)).passes(10);
        assertThat(bench.sent(D, FormatRequest.class)).isEmpty();

        Bench other = writing(settings(A, B, C, D), members(A, B, C));
        other.step(WriterEvent.peerUp(D, FRESH, false, Epoch.NONE)).step(WriterEvent.peerDown(D));
        assertThat(other.passes(10).sent(D, FormatRequest.class)).isEmpty();
    }

    @Test
    void aStrangerWithStorageDoesNotJoinUninvited() {
        Bench bench = writing(settings(A, B, C), members(A, B, C));

        bench.up(D, 3).acks(D, 12).passes(10);

        assertThat(bench.state.members()).isEqualTo(members(A, B, C));
    }

    @Test
    void nobodyJoinsAJournalThatIsFull() {
        Members full = members(A, B, C);
        while (full.hasRoom()) {
            NodeAddress address = NodeAddress.of("learner" + full.list().size(), 1);
            full = full.with(Member.permanentLearner(id(address), address));
        }
        Bench bench = writing(settings(A, B, C, D), full);

        bench.up(D, 3).acks(D, 12).passes(10);

        assertThat(bench.state.members()).isEqualTo(full);
    }

    @Test
    void whoMovedAwayKeepsItsVoteAlsoIfAnotherIsWhereItWas() {
        Bench bench = writing(settings(A, B, C), members(A, B, C));
        bench.step(WriterEvent.peerUp(D, id(C), true, Epoch.NONE));
        bench.step(WriterEvent.peerUp(C, FRESH, true, Epoch.NONE)).acks(C, FRESH, 12);

        bench.passes(10);
        assertThat(bench.state.members()).isEqualTo(members(A, B, C));

        bench.acks(D, id(C), 12).passes(10);
        assertThat(bench.state.members().at(D)).contains(Member.voter(id(C), D));
    }

    @Test
    void noStorageIsMovedToWhereAnOperatorRemovedOne() {
        Members before = members(A, B, C, D).without(id(D), Retired.Cause.REMOVED);
        Bench bench = writing(settings(A, B, C), before);
        bench.step(WriterEvent.peerDown(C)).step(WriterEvent.peerUp(D, id(C), true, Epoch.NONE));
        bench.acks(D, id(C), 12);

        bench.passes(10);

        assertThat(bench.state.members()).isEqualTo(before);
    }

    @Test
    void aVoterThatIsWantedIsNotMadeOneAgain() {
        Bench bench = writing(settings(A, B, C), members(A, B, C));
        // C is to take the place of A, which has to wait for B
        bench.step(WriterEvent.peerDown(B)).hears(A, MemberChange.replace("t", id(A), C));

        bench.passes(10);

        assertThat(bench.told("t").stage()).isEqualTo(ChangeProgress.Stage.UNDER_WAY);
        assertThat(bench.state.lastSn()).isEqualTo(12);
    }

    private static WriterSettings.Builder settings(NodeAddress... addresses) {
        return Bench.settings(2, addresses);
    }

    private static NodeId id(NodeAddress address) {
        return Bench.id(address);
    }
}

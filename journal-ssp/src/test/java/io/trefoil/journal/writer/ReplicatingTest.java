/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.MemberChange;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.protocol.AppendRequest;
import io.trefoil.journal.protocol.AppendedReply;
import io.trefoil.journal.protocol.ChangesReply;
import io.trefoil.journal.protocol.CommitRequest;
import io.trefoil.journal.protocol.DoneReply;
import io.trefoil.journal.protocol.FailedReply;
import io.trefoil.journal.protocol.MismatchReply;
import io.trefoil.journal.protocol.NotFormattedReply;
import io.trefoil.journal.protocol.OtherIncarnationReply;
import io.trefoil.journal.protocol.PromiseReply;
import io.trefoil.journal.protocol.RebaseRequest;
import io.trefoil.journal.protocol.StaleEpochReply;
import io.trefoil.journal.protocol.StepDownRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is sent to whom, and what an answer counts for (protocol page, "Writing", "Catching up"). */
class ReplicatingTest {

    private static final NodeAddress A = NodeAddress.of("a", 1);
    private static final NodeAddress B = NodeAddress.of("b", 1);
    private static final NodeAddress C = NodeAddress.of("c", 1);
    private static final NodeAddress D = NodeAddress.of("d", 1);
    private static final Incarnation OURS = Incarnation.of(5, 1);
    private static final Incarnation NEWER = Incarnation.of(6, 1);
    private static final long HEARTBEAT = Bench.LEASE_MILLIS / 5;

    @Test
    void tellsWhatIsCommittedToThoseInSyncOnly() {
        Bench bench = writing();
        bench.appends(11).acks(A, 13).acks(B, 13);
        bench.step(WriterEvent.peerDown(C)).up(C, 4);

        bench.step(WriterEvent.announceDue(13));

        assertThat(bench.sent(A, CommitRequest.class)).hasSize(1);
        assertThat(bench.sent(C, CommitRequest.class)).isEmpty();
    }

    @Test
    void tellsNothingToOneThatObeysAnother() {
        Bench bench = writing();
        bench.appends(11).acks(A, 13).acks(B, 13);
        bench.reply(C, StaleEpochReply.of(id(C), Epoch.of(9)));

        bench.step(WriterEvent.announceDue(13));

        assertThat(bench.sent(C, CommitRequest.class)).isEmpty();
    }

    @Test
    void tellsAgainOneThatWasNotInSyncWhenTheNextBatchWentOut() {
        Bench bench = writing();
        bench.appends(11).acks(A, 13).acks(B, 13).acks(C, 13);
        bench.step(WriterEvent.peerDown(C));

        bench.appends(12);

        assertThat(bench.step(WriterEvent.announceDue(13)).words).isEmpty();
    }

    @Test
    void anAnswerToAHeartbeatEndsNoWait() {
        Bench bench = behind();

        assertThat(bench.acks(C, 0).words).isEmpty();
        assertThat(bench.acks(C, 12).words).isEmpty();
        assertThat(bench.state.inSyncVoters()).isEqualTo(3);
    }

    @Test
    void anAnswerToSomethingOlderBringsNoPartBesideTheOneUnderWay() {
        Bench bench = behind();

        assertThat(bench.acks(C, 4).words).isEmpty();
        assertThat(bench.acks(C, 5).words).isEmpty();
        assertThat(bench.acks(C, 7).words).isEmpty();
        assertThat(bench.passes(10).words).isEmpty();
        bench.step(WriterEvent.partSent(C, 8, 1));

        assertThat(bench.acks(C, 8).words).containsExactly("c entries 9..12 from a");
    }

    @Test
    void whoAnswersForSomeOfWhatItOwesIsLateByTheOldestThatItOwes() {
        Bench bench = writing();
        bench.appends(11).acks(A, 13).acks(B, 13);
        bench.passes(600);
        bench.appends(12).acks(A, 14).acks(B, 14);

        bench.acks(C, 13);
        bench.passes(600);
        assertThat(bench.state.inSyncVoters()).isEqualTo(3);

        bench.passes(Bench.ACK_TIMEOUT_MILLIS);
        assertThat(bench.state.inSyncVoters()).isEqualTo(2);
    }

    @Test
    void aGapOfThirtyTwoEntriesIsSentAtOnceAndALargerOneInParts() {
        Bench bench = writing();
        bench.step(WriterEvent.peerDown(C));
        for (long txId = 11; txId < 11 + 33; txId++) {
            bench.appends(txId).acks(A, bench.state.lastSn()).acks(B, bench.state.lastSn());
        }
        bench.up(C, 4);

        bench.acks(C, bench.state.lastSn() - 33);
        assertThat(bench.state.inSyncVoters()).isEqualTo(2);

        bench.step(WriterEvent.peerDown(C)).up(C, 4).acks(C, bench.state.lastSn() - 32);
        assertThat(bench.words).contains("c entries 14..45");
        assertThat(bench.appends(50).words).contains("c entries 46..46");
    }

    @Test
    void whoWasNeverDroppedIsNotInSyncAgain() {
        Bench bench = writing();
        bench.step(WriterEvent.peerDown(C)).up(C, 4);

        assertThat(bench.acks(C, 12).words).doesNotContain("c in sync again");
    }

    @Test
    void whoIsQuietIsSentAHeartbeat() {
        Bench bench = writing();

        bench.passes(HEARTBEAT);
        assertThat(bench.words).noneMatch(word -> word.startsWith("a entries"));
        bench.passes(10);

        assertThat(bench.words).contains("a entries 13..12");
        assertThat(bench.passes(10).words).noneMatch(word -> word.startsWith("a entries"));
    }

    @Test
    void whoIsBehindIsSentAHeartbeatThatSaysNothingOfItsLog() {
        Bench bench = behind();

        bench.passes(HEARTBEAT);
        assertThat(bench.sent(C, AppendRequest.class)).isEmpty();
        bench.passes(10);

        assertThat(bench.sent(C, AppendRequest.class))
                .extracting(AppendRequest::prev)
                .containsExactly(LogPosition.ORIGIN);
        assertThat(bench.passes(10).sent(C, AppendRequest.class)).isEmpty();
    }

    @Test
    void theOwnHostsNodeIsTheSourceEvenIfAnotherHasMore() {
        Bench bench = new Bench(Bench.settings(2, A, B, C).local(B).build());
        bench.up(A, 3).up(B, 3).up(C, 3);
        bench.promises(A, end(3, 10), 8).promises(B, end(3, 10), 8);
        bench.acks(A, 12).acks(B, 11);
        bench.trimmed(13);

        assertThat(lacks(bench, C)).containsExactly("c entries 6..11 from b");
    }

    @Test
    void theFurthestIsTheSource() {
        Bench bench = new Bench(1, A, B, C, D).up(A, 3).up(B, 3).up(C, 3);
        bench.promises(A, end(3, 10), 8).promises(B, end(3, 10), 8);
        bench.acks(A, 11).acks(B, 12);
        bench.trimmed(13);

        assertThat(lacks(bench, C)).containsExactly("c entries 6..12 from b");
    }

    @Test
    void whoHasNoMoreIsNoSource() {
        Bench bench = writing();
        bench.trimmed(13).step(WriterEvent.peerDown(A));
        bench.reply(B, MismatchReply.of(id(B), bench.state.epoch(), at(2, 5), 5, LogCompleteness.REFETCHING));

        assertThat(lacks(bench, C)).noneMatch(word -> word.startsWith("c entries"));
    }

    @Test
    void aNodeThatRetiredIsNoSource() {
        Bench bench = writing();
        bench.trimmed(13);
        bench.reply(A, NotFormattedReply.of(id(A)));

        assertThat(lacks(bench, C)).containsExactly("c entries 6..12 from b");
    }

    @Test
    void aTermIsNotStuckBeforeTwoAckTimeouts() {
        Bench bench = stuck();

        bench.passes(2 * Bench.ACK_TIMEOUT_MILLIS);
        assertThat(bench.state.stage()).isEqualTo(WriterStage.RECOVERING);

        bench.passes(10);
        assertThat(bench.state.stage()).isEqualTo(WriterStage.ACQUIRING_EPOCH);
    }

    @Test
    void aTermThatHasBegunIsNeverStuck() {
        Bench bench = recovering();
        bench.acks(A, 11).acks(B, 11);
        bench.reply(C, StaleEpochReply.of(id(C), Epoch.of(9)));

        bench.passes(5 * Bench.ACK_TIMEOUT_MILLIS);

        assertThat(bench.state.epoch()).isEqualTo(Epoch.of(4));
    }

    @Test
    void aTermWaitsForWhoIsAwayAndDoesNotBeginAgain() {
        Bench bench = recovering();
        bench.step(WriterEvent.peerDown(B)).step(WriterEvent.peerDown(C));

        bench.passes(5 * Bench.ACK_TIMEOUT_MILLIS);

        assertThat(bench.state.stage()).isEqualTo(WriterStage.RECOVERING);
        assertThat(bench.state.epoch()).isEqualTo(Epoch.of(4));
    }

    @Test
    void whatALearnerLacksMakesNoTermStuck() {
        Members members = Members.of(List.of(voter(A), voter(B), Member.permanentLearner(id(C), C)));
        Bench bench = new Bench(2, A, B, C).up(A, 3).up(B, 3).up(C, 3);
        bench.promises(A, end(3, 10, members), 8).promises(B, end(3, 10, members), 8);
        bench.reply(C, StaleEpochReply.of(id(C), Epoch.of(9)));

        bench.passes(5 * Bench.ACK_TIMEOUT_MILLIS);

        assertThat(bench.state.stage()).isEqualTo(WriterStage.RECOVERING);
    }

    @Test
    void aMismatchThatEndsBeforeWhatWasAcknowledgedTakesThatBack() {
        Bench bench = writing();
        bench.appends(11).acks(A, 13);

        bench.reply(A, MismatchReply.of(id(A), bench.state.epoch(), at(4, 12), 12, LogCompleteness.COMPLETE));

        assertThat(bench.acks(B, 13).state.committedSn()).isEqualTo(12);
        assertThat(bench.acks(C, 13).state.committedSn()).isEqualTo(13);
    }

    @Test
    void aMismatchThatComesLateTakesNothingBack() {
        Bench bench = writing();
        bench.appends(11).acks(A, 13);

        bench.reply(A, MismatchReply.of(id(A), bench.state.epoch(), at(4, 13), 12, LogCompleteness.COMPLETE));

        assertThat(bench.acks(B, 13).words).contains("committed 13");
    }

    @Test
    void aMismatchSaysHowFarALogIsTheSame() {
        // of this epoch: as far as it goes
        assertThat(matchedAfterMismatch(at(4, 11), 5)).isEqualTo(11);
        // it ends like the chosen one, which is longer
        assertThat(matchedAfterMismatch(at(3, 9), 5)).isEqualTo(9);
        // it ends in the epoch of the chosen one, and is longer
        assertThat(matchedAfterMismatch(at(3, 15), 5)).isEqualTo(10);
        // of another epoch: what is committed
        assertThat(matchedAfterMismatch(at(2, 9), 5)).isEqualTo(5);
    }

    private static long matchedAfterMismatch(LogPosition last, long committedSn) {
        Bench bench = recovering();
        bench.reply(C, MismatchReply.of(id(C), bench.state.epoch(), last, committedSn, LogCompleteness.COMPLETE));
        return bench.state.peers().at(C).matchedSn();
    }

    @Test
    void whatWasPurgedEverywhereIsStartedOverBehindThat() {
        Bench bench = behind();
        LogSummary base = end(3, 9);

        bench.step(WriterEvent.loadPurged(C, base));

        assertThat(bench.sent(C, RebaseRequest.class))
                .extracting(RebaseRequest::base)
                .containsExactly(base);
        assertThat(bench.passes(HEARTBEAT).sent(C, AppendRequest.class)).isEmpty();
    }

    @Test
    void nothingIsStartedOverAtANodeThatIsGone() {
        Bench bench = behind();
        bench.step(WriterEvent.peerDown(C));

        assertThat(bench.step(WriterEvent.loadPurged(C, end(3, 9))).words).isEmpty();
    }

    @Test
    void aRefusalForNoHigherEpochFencesNobody() {
        Bench bench = writing();

        bench.reply(A, StaleEpochReply.of(id(A), Epoch.of(4))).reply(B, StaleEpochReply.of(id(B), Epoch.of(3)));

        assertThat(bench.state.stage()).isEqualTo(WriterStage.WRITING);
        assertThat(bench.state.inSyncVoters()).isEqualTo(3);
    }

    @Test
    void aTermBeginsWithAQuestionToThoseThatDidNotPromise() {
        Bench bench = new Bench(2, A, B, C).up(A, 3).up(B, 3).up(C, 3);
        bench.promises(A, end(3, 10), 8);

        bench.promises(B, end(3, 10), 8);

        assertThat(bench.sent(C, AppendRequest.class))
                .extracting(AppendRequest::prev)
                .containsExactly(at(4, 12));
        assertThat(bench.sent(A, AppendRequest.class)).isEmpty();
        assertThat(bench.words).contains("a entries 11..12", "b entries 11..12");
    }

    @Test
    void aTermSendsNothingToThoseThatAreGone() {
        Bench bench = new Bench(2, A, B, C).up(A, 3).up(B, 3).up(C, 3);
        bench.promises(A, end(3, 10), 8).step(WriterEvent.peerDown(C));

        bench.promises(B, end(3, 10), 8);

        assertThat(bench.sent(C, AppendRequest.class)).isEmpty();
    }

    @Test
    void whoIsDroppedIsAskedAtOnceWhereItsLogEnds() {
        Bench bench = writing();
        bench.appends(11).acks(A, 13).acks(B, 13);
        bench.passes(Bench.ACK_TIMEOUT_MILLIS);

        bench.passes(10);

        assertThat(bench.words).contains("c out of sync at 13");
        assertThat(bench.sent(C, AppendRequest.class))
                .extracting(AppendRequest::prev)
                .containsExactly(at(4, 13));
    }

    @Test
    void whoIsCaughtUpHasFourTimesAsLongForItsPart() {
        Bench bench = behind();

        bench.passes(4 * Bench.ACK_TIMEOUT_MILLIS);
        assertThat(bench.state.peers().at(C).progress()).isEqualTo(ProgressState.CATCHING_UP);

        bench.passes(10);
        assertThat(bench.state.peers().at(C).progress()).isEqualTo(ProgressState.PROBING);
        assertThat(bench.words).doesNotContain("c out of sync at 12");
    }

    @Test
    void whoDoesNotAnswerIsAskedLessAndLessOften() {
        Bench bench = writing();
        bench.step(WriterEvent.peerDown(C)).up(C, 4);
        List<Long> waits = new ArrayList<>();
        long waited = 0;
        while (waits.size() < 7) {
            waited += 10;
            if (!bench.passes(10).sent(C, AppendRequest.class).isEmpty()) {
                waits.add(waited);
                waited = 0;
            }
        }

        // twice as long each time, and with every heartbeat in the end; a timer that comes every 10 ms is late by one
        assertThat(waits).containsExactly(110L, 210L, 410L, 810L, 1_010L, 1_010L, 1_010L);
    }

    // What an answer of a node, or of another than it was, counts for

    @Test
    void anAnswerOfAnotherTermCountsForNothing() {
        Bench bench = writing();
        bench.appends(11).acks(A, 13);

        bench.reply(B, AppendedReply.of(id(B), Epoch.of(3), 13, LogCompleteness.COMPLETE));
        bench.reply(B, MismatchReply.of(id(B), Epoch.of(3), at(3, 5), 5, LogCompleteness.COMPLETE));

        assertThat(bench.state.committedSn()).isEqualTo(12);
        assertThat(bench.state.inSyncVoters()).isEqualTo(3);
    }

    @Test
    void anAnswerThatComesAfterTheEndOfItsSessionCountsForNothing() {
        Bench bench = writing();
        bench.appends(11).acks(A, 13);
        bench.step(WriterEvent.peerDown(B));

        assertThat(bench.acks(B, 13).state.committedSn()).isEqualTo(12);
    }

    @Test
    void aPromiseThatComesAfterTheTermBeganCountsForNothing() {
        Bench bench = writing();

        bench.reply(
                C, PromiseReply.of(id(C), bench.state.epoch(), end(3, 10), 8, at(1, 8), 1, LogCompleteness.REFETCHING));

        assertThat(bench.state.inSyncVoters()).isEqualTo(3);
    }

    @Test
    void aNodeThatLostItsStorageIsNobodysPast() {
        Bench bench = writing();
        bench.appends(11).acks(A, 13);

        bench.reply(A, NotFormattedReply.of(NodeId.of("fresh")));

        assertThat(bench.state.peers().at(A).matchedSn()).isZero();
        assertThat(bench.acks(B, 13).state.committedSn()).isEqualTo(12);
    }

    @Test
    void aNodeThatSaysAgainThatItIsEmptyIsTheSameNode() {
        Bench bench = writing();
        bench.reply(A, NotFormattedReply.of(id(A)));

        assertThat(bench.state.peers().at(A).matchedSn()).isEqualTo(12);
        assertThat(bench.state.peers().at(A).isServed()).isFalse();
    }

    @Test
    void oneThatPromisedMoreWhileItWasAwayIsNotServed() {
        Bench bench = writing();
        bench.step(WriterEvent.peerDown(C));

        bench.up(C, 9);

        assertThat(bench.sent(C, AppendRequest.class)).isEmpty();
        assertThat(bench.state.peers().at(C).isServed()).isFalse();
    }

    @Test
    void oneThatComesBackIsAskedAtOnceWhereItsLogEnds() {
        Bench bench = writing();

        bench.step(WriterEvent.peerDown(C)).up(C, 4);

        assertThat(bench.sent(C, AppendRequest.class)).hasSize(1);
    }

    @Test
    void saysGoodbyeToThoseThatAreThereWithStorage() {
        Bench bench = writing();
        bench.step(WriterEvent.peerDown(C));
        bench.reply(B, NotFormattedReply.of(id(B)));

        bench.step(WriterEvent.stepDownAsked());

        assertThat(bench.sent(A, StepDownRequest.class)).hasSize(1);
        assertThat(bench.sent(B, StepDownRequest.class)).isEmpty();
        assertThat(bench.sent(C, StepDownRequest.class)).isEmpty();
    }

    @Test
    void oneThatDidNotBeginItsTermSaysNoGoodbye() {
        Bench bench = new Bench(2, A, B, C).up(A, 3);

        bench.step(WriterEvent.stepDownAsked());

        assertThat(bench.sent(A, StepDownRequest.class)).isEmpty();
    }

    @Test
    void purgesOnlyAtThoseThatAreThereAndInItsTerm() {
        Bench acquiring = new Bench(2, A, B, C).up(A, 3);
        assertThat(acquiring.step(WriterEvent.purgeAsked(5)).words).isEmpty();

        Bench bench = writing();
        bench.step(WriterEvent.peerDown(C));

        bench.step(WriterEvent.purgeAsked(5));

        assertThat(bench.words).containsExactly("a PurgeRequest", "b PurgeRequest");
    }

    @Test
    void isReadyWithAsManyReplicasAsItWants() {
        Bench bench = new Bench(3, A, B, C).up(A, 3).up(B, 3).up(C, 3);
        bench.promises(A, end(3, 10), 8).promises(B, end(3, 10), 8);

        assertThat(bench.acks(A, 12).acks(B, 12).words).doesNotContain("ready");
        assertThat(bench.acks(C, 12).words).contains("ready");
    }

    @Test
    void nobodyIsLateForThePauseOfTheWriterItself() {
        Bench bench = writing();
        bench.appends(11).acks(A, 13).acks(B, 13);
        bench.step(WriterEvent.ticked());

        bench.after(10_000).step(WriterEvent.ticked());
        assertThat(bench.state.inSyncVoters()).isEqualTo(3);

        bench.passes(Bench.ACK_TIMEOUT_MILLIS + 10);
        assertThat(bench.state.inSyncVoters()).isEqualTo(2);
    }

    @Test
    void aPauseIsLongerThanAThirdOfASecondOrHalfTheTimeout() {
        Bench bench = writing();
        bench.appends(11).acks(A, 13).acks(B, 13);

        // ticks that come late, though not so late
        for (int i = 0; i < 4; i++) {
            bench.after(290).step(WriterEvent.ticked());
        }

        assertThat(bench.state.inSyncVoters()).isEqualTo(2);
    }

    @Test
    void aLateMismatchOfAnotherTermsLogTakesNothingBack() {
        Bench bench = writing();
        bench.appends(11).acks(A, 13);

        bench.reply(A, MismatchReply.of(id(A), bench.state.epoch(), at(2, 13), 5, LogCompleteness.COMPLETE));

        assertThat(bench.acks(B, 13).words).contains("committed 13");
    }

    @Test
    void aMismatchMayShowThatAMajorityHasAnEntry() {
        Bench bench = writing();
        bench.appends(11).appends(12).acks(A, 13);

        bench.reply(B, MismatchReply.of(id(B), bench.state.epoch(), at(4, 13), 12, LogCompleteness.COMPLETE));

        assertThat(bench.words).contains("committed 13");
    }

    @Test
    void aMismatchThatShowsMoreIsGoneOnFrom() {
        Bench bench = behind();

        bench.reply(C, MismatchReply.of(id(C), bench.state.epoch(), at(4, 11), 5, LogCompleteness.COMPLETE));

        assertThat(bench.words).containsExactly("c entries 12..12 from a");
    }

    @Test
    void whoRefetchesIsKnownToAlsoWhileItOwesItsPart() {
        Bench bench = behind();

        bench.reply(C, MismatchReply.of(id(C), bench.state.epoch(), at(2, 5), 5, LogCompleteness.REFETCHING));

        assertThat(bench.words).isEmpty();
        assertThat(bench.state.peers().at(C).completeness()).isEqualTo(LogCompleteness.REFETCHING);
    }

    @Test
    void anAnswerToAHeartbeatDoesNotSayWhereALogEnds() {
        Bench bench = writing();
        bench.appends(11).acks(A, 13).acks(B, 13);
        bench.passes(Bench.ACK_TIMEOUT_MILLIS + 10);

        assertThat(bench.acks(C, 0).words).isEmpty();
        assertThat(bench.state.peers().at(C).progress()).isEqualTo(ProgressState.PROBING);
    }

    @Test
    void nothingIsWrittenForOneThatObeysAnother() {
        Bench bench = writing();
        bench.reply(C, StaleEpochReply.of(id(C), Epoch.of(9)));

        assertThat(bench.appends(11).words).doesNotContain("c entries 13..13");
    }

    @Test
    void oneThatIsFencedIsOverAndStaysSo() {
        Bench bench = writing();
        bench.reply(B, StaleEpochReply.of(id(B), Epoch.of(9))).reply(C, StaleEpochReply.of(id(C), Epoch.of(9)));
        assertThat(bench.state.stage()).isEqualTo(WriterStage.FENCED);

        bench.step(WriterEvent.stepDownAsked());

        assertThat(bench.words).isEmpty();
        assertThat(bench.state.stage()).isEqualTo(WriterStage.FENCED);
    }

    @Test
    void aWriterEndsWhenNoMajorityIsLeftOfThoseThatHoldItsJournal() {
        Bench bench = writingAs(OURS);

        bench.reply(B, OtherIncarnationReply.of(NodeId.of("again-b"), NEWER));
        assertThat(bench.state.stage()).as("one of three").isEqualTo(WriterStage.WRITING);
        bench.reply(C, OtherIncarnationReply.of(NodeId.of("again-c"), NEWER));

        assertThat(bench.words).containsExactly("began anew as " + NEWER);
        assertThat(bench.state.stage()).isEqualTo(WriterStage.FENCED);
    }

    @Test
    void whoObeysAnotherAndWhoHoldsANewerJournalAreLostTogether() {
        Bench bench = writingAs(OURS);

        bench.reply(B, StaleEpochReply.of(id(B), Epoch.of(9)));
        bench.reply(C, OtherIncarnationReply.of(NodeId.of("again-c"), NEWER));

        assertThat(bench.state.stage()).isEqualTo(WriterStage.FENCED);
    }

    /** Its storage was lost and is formatted later, perhaps for a newer journal: nobody else tells a writer that waits for it. */
    @Test
    void whoCameBackEmptyUnderAnotherIdIsAskedAgain() {
        Bench bench = writingAs(OURS);
        bench.step(WriterEvent.peerDown(C));
        bench.step(WriterEvent.peerDown(B)).step(WriterEvent.peerUp(B, NodeId.of("again-b"), false, Epoch.NONE));

        int asked = 0;
        for (int i = 0; i < 100; i++) {
            bench.passes(10);
            asked += bench.sent(B, AppendRequest.class).size();
        }

        assertThat(asked).isPositive();
        bench.reply(B, OtherIncarnationReply.of(NodeId.of("again-b"), NEWER));
        bench.up(C, 3).reply(C, OtherIncarnationReply.of(NodeId.of("again-c"), NEWER));
        assertThat(bench.state.stage()).isEqualTo(WriterStage.FENCED);
    }

    @Test
    void anOlderJournalOnAMajorityEndsNobody() {
        Bench bench = writingAs(OURS);

        bench.reply(B, OtherIncarnationReply.of(NodeId.of("old-b"), Incarnation.of(4, 1)));
        bench.reply(C, OtherIncarnationReply.of(NodeId.of("old-c"), Incarnation.of(4, 1)));

        assertThat(bench.state.stage()).isEqualTo(WriterStage.WRITING);
    }

    /** Formatted for another cluster, they answer nothing. */
    @Test
    void thoseThatLetNobodyInAndKeepANewerJournalAreLost() {
        Bench bench = writingAs(OURS);

        bench.step(WriterEvent.peerStrange(B, NEWER));
        assertThat(bench.state.stage()).as("one of three").isEqualTo(WriterStage.WRITING);
        bench.step(WriterEvent.peerDown(B));
        bench.step(WriterEvent.peerStrange(C, NEWER));

        assertThat(bench.words).containsExactly("began anew as " + NEWER);
        assertThat(bench.state.stage()).isEqualTo(WriterStage.FENCED);
    }

    @Test
    void thoseThatKeepAnOlderJournalOrLetUsInAgainEndNobody() {
        Bench bench = writingAs(OURS);

        bench.step(WriterEvent.peerStrange(A, Incarnation.of(4, 1)));
        bench.step(WriterEvent.peerStrange(B, NEWER));
        bench.step(WriterEvent.peerUp(B, id(B), true, Epoch.NONE));
        bench.step(WriterEvent.peerStrange(C, NEWER));

        assertThat(bench.words).isEmpty();
        assertThat(bench.state.stage()).isEqualTo(WriterStage.WRITING);
    }

    @Test
    void aWriterThatIsPromisedNothingYetGoesOnAskingWhoLetsItIn() {
        Bench bench = new Bench(2, A, B, C);

        bench.step(WriterEvent.peerStrange(B, NEWER));
        bench.step(WriterEvent.peerStrange(C, NEWER));

        assertThat(bench.state.stage()).isEqualTo(WriterStage.ACQUIRING_EPOCH);
    }

    /** Its promise is to a writer of another journal; that it is so is what has to be heard. */
    @Test
    void oneThatWasFormattedAgainAndPromisedMoreIsAsked() {
        Bench bench = writingAs(OURS);

        for (NodeAddress node : List.of(B, C)) {
            bench.step(WriterEvent.peerDown(node));
            bench.step(WriterEvent.peerUp(node, NodeId.of("again-" + node.host()), true, Epoch.of(9)));
            assertThat(bench.sent(node, AppendRequest.class)).hasSize(1);
            bench.reply(node, OtherIncarnationReply.of(NodeId.of("again-" + node.host()), NEWER));
        }

        assertThat(bench.state.stage()).isEqualTo(WriterStage.FENCED);
    }

    @Test
    void aVoterThatSpeaksElsewhereIsNotLostByWhatStandsInItsPlace() {
        Bench bench = writingAs(OURS);
        bench.step(WriterEvent.peerDown(B));
        bench.step(WriterEvent.peerUp(D, id(B), true, Epoch.of(4)));
        bench.step(WriterEvent.peerUp(B, NodeId.of("again-b"), true, Epoch.NONE));

        bench.reply(B, OtherIncarnationReply.of(NodeId.of("again-b"), NEWER));
        bench.reply(C, OtherIncarnationReply.of(NodeId.of("again-c"), NEWER));

        assertThat(bench.state.stage()).isEqualTo(WriterStage.WRITING);
    }

    @Test
    void oneThatHoldsTheJournalAfterAllIsServedAgain() {
        Bench bench = writingAs(OURS);
        bench.reply(C, OtherIncarnationReply.of(NodeId.of("again-c"), NEWER));

        bench.step(WriterEvent.peerDown(C)).up(C, 4).acks(C, 12);
        bench.reply(B, OtherIncarnationReply.of(NodeId.of("again-b"), NEWER));

        assertThat(bench.state.stage()).isEqualTo(WriterStage.WRITING);
        assertThat(bench.state.inSyncVoters()).isEqualTo(2);
    }

    @Test
    void anAnswerToWhatWasAskedForAnotherLogSaysNothingOfTheOneThatIsTheSame() {
        Bench bench = writingAs(OURS);
        WriterState before = bench.state;

        bench.reply(B, OtherIncarnationReply.of(id(B), OURS)).reply(C, OtherIncarnationReply.of(id(C), OURS));

        assertThat(bench.state).isEqualTo(before);
    }

    @Test
    void nothingButPromisesCountsBeforeTheTermBegins() {
        Bench bench = new Bench(2, A, B, C).up(A, 3);
        WriterState before = bench.state;

        bench.reply(A, AppendedReply.of(id(A), before.epoch(), 50, LogCompleteness.COMPLETE));
        bench.reply(A, MismatchReply.of(id(A), before.epoch(), at(4, 50), 50, LogCompleteness.COMPLETE));
        bench.reply(A, FailedReply.of(id(A), "no"));
        bench.reply(A, OtherIncarnationReply.of(id(A), NEWER));
        bench.reply(A, ChangesReply.of(id(A), List.of(MemberChange.add("t", D))));
        bench.reply(A, DoneReply.of(NodeId.of("other")));

        assertThat(bench.state).isEqualTo(before);
    }

    @Test
    void nobodyIsGivenATaskByAnEmptyNodeBeforeTheTermBegins() {
        Bench bench = new Bench(2, A, B, C).up(A, 3);
        bench.step(WriterEvent.peerUp(C, id(C), false, Epoch.NONE));

        bench.reply(C, DoneReply.of(id(C)));

        assertThat(bench.sent(C, AppendRequest.class)).isEmpty();
        assertThat(bench.state.peers().at(C).formatted()).isFalse();
    }

    @Test
    void theEndOfSomethingThatANodeDidSaysNothingOfItsLog() {
        Bench bench = writing();
        WriterState before = bench.state;

        bench.reply(A, DoneReply.of(id(A))).reply(B, DoneReply.of(NodeId.of("other")));

        assertThat(bench.state).isEqualTo(before);
    }

    @Test
    void nothingIsStartedOverForATermThatBeganAgain() {
        Bench bench = stuck().passes(2 * Bench.ACK_TIMEOUT_MILLIS + 10);

        assertThat(bench.step(WriterEvent.loadPurged(C, end(3, 9))).words).isEmpty();
    }

    @Test
    void aPartThatCameTooLateIsNotOwed() {
        Bench bench = writing();
        WriterState before = bench.state;

        bench.step(WriterEvent.partSent(A, 5, 0));

        assertThat(bench.state.peers().at(A)).isEqualTo(before.peers().at(A));
    }

    @Test
    void aPauseOfHalfAShortTimeoutIsNobodysFault() {
        Bench bench = new Bench(Bench.settings(2, A, B, C).ackTimeoutMillis(200).build());
        bench.up(A, 3).up(B, 3).up(C, 3);
        bench.promises(A, end(3, 10), 8).promises(B, end(3, 10), 8);
        bench.acks(A, 12).acks(B, 12).acks(C, 12);
        bench.appends(11).acks(A, 13).acks(B, 13);
        bench.step(WriterEvent.ticked());

        for (int i = 0; i < 10; i++) {
            bench.after(150).step(WriterEvent.ticked());
        }

        assertThat(bench.state.inSyncVoters()).isEqualTo(3);
    }

    @Test
    void nothingThatIsUnderWayIsSentAgain() {
        Bench bench = writing();
        bench.appends(11).appends(12);

        assertThat(bench.acks(C, 13).words).isEmpty();
    }

    @Test
    void whoAnswersForPartOfWhatItWasSentAtOnceOwesTheRestSinceThen() {
        Bench bench = writing();
        bench.step(WriterEvent.peerDown(C));
        bench.appends(11).appends(12).acks(A, 14).acks(B, 14);
        assertThat(bench.up(C, 4).acks(C, 12).words).contains("c entries 13..14");

        bench.passes(600).acks(C, 13).passes(600);

        assertThat(bench.state.inSyncVoters()).isEqualTo(2);
    }

    @Test
    void anAnswerToAHeartbeatCountsForTheLeaseAndForWhoRefetches() {
        Bench bench = behind();
        bench.after(100);

        bench.acks(A, 12);
        bench.reply(C, AppendedReply.of(id(C), bench.state.epoch(), 0, LogCompleteness.REFETCHING));

        assertThat(bench.state.leaseFromNanos()).contains(bench.nowNanos);
        assertThat(bench.state.peers().at(C).completeness()).isEqualTo(LogCompleteness.REFETCHING);
    }

    @Test
    void whoAnswersAgainWithNoMoreThanItHadIsServedAgain() {
        Bench bench = writing();
        bench.appends(11).acks(A, 13).acks(B, 13);
        bench.passes(Bench.ACK_TIMEOUT_MILLIS + 10);

        assertThat(bench.acks(C, 12).words).containsExactly("c in sync again", "c entries 13..13");
    }

    @Test
    void whoIsInSyncAgainIsToldAloneWhatIsCommitted() {
        Bench bench = writing();
        bench.step(WriterEvent.peerDown(C));
        bench.appends(11).acks(A, 13).acks(B, 13);
        bench.up(C, 4).acks(C, 12);

        bench.step(WriterEvent.announceDue(13));

        assertThat(bench.sent(A, CommitRequest.class)).hasSize(1);
        assertThat(bench.sent(B, CommitRequest.class)).hasSize(1);
    }

    @Test
    void aTermIsNotStuckWhileSomebodyHasWhatAnotherLacks() {
        Bench bench = recovering();
        bench.acks(A, 12).step(WriterEvent.peerDown(B)).trimmed(13);
        assertThat(lacks(bench, C)).containsExactly("c entries 6..12 from a");

        bench.passes(3 * Bench.ACK_TIMEOUT_MILLIS);

        assertThat(bench.state.stage()).isEqualTo(WriterStage.RECOVERING);
    }

    @Test
    void aTermIsNotStuckForOneThatNeverSpoke() {
        Bench bench = new Bench(2, D, A, B, C).up(A, 3).up(B, 3).up(C, 3);
        bench.promises(A, end(3, 10), 8).promises(B, end(3, 10), 8).acks(C, 10);

        bench.passes(3 * Bench.ACK_TIMEOUT_MILLIS);

        assertThat(bench.state.stage()).isEqualTo(WriterStage.RECOVERING);
    }

    @Test
    void aTermSendsNothingToOneThatSaysThatItIsEmpty() {
        Bench bench = new Bench(2, A, B, C).up(A, 3).up(B, 3).up(C, 3);
        bench.promises(A, end(2, 9), 8).reply(A, NotFormattedReply.of(id(A)));

        bench.promises(B, end(3, 50), 8);

        assertThat(bench.state.stage()).isEqualTo(WriterStage.RECOVERING);
        assertThat(bench.words).noneMatch(word -> word.startsWith("a "));
    }

    @Test
    void anEmptyMemberIsAskedWithEveryHeartbeatWhileItIsThere() {
        Bench bench = writing();
        bench.step(WriterEvent.peerUp(C, id(C), false, Epoch.NONE));
        int questions = 0;
        for (long passed = 0; passed < 3 * HEARTBEAT; passed += 10) {
            questions += bench.passes(10).sent(C, AppendRequest.class).size();
        }
        assertThat(questions).isEqualTo(3);

        bench.step(WriterEvent.peerDown(C));
        assertThat(bench.passes(10).sent(C, AppendRequest.class)).isEmpty();
    }

    // Who answers readers

    @Test
    void votersInServiceAreHeardWhileReadersAreAnswered() {
        Members members = Members.of(List.of(voter(A), voter(B), voter(C), Member.permanentLearner(id(D), D)));
        Bench bench = Bench.writing(Bench.settings(2, NodeAddress.of("never", 1), A, B, C), members);
        bench.reply(B, StaleEpochReply.of(id(B), Epoch.of(9)));
        bench.step(WriterEvent.peerDown(C)).up(C, 4).passes(90);

        bench.step(WriterEvent.answersWanted());

        assertThat(bench.words).containsExactly("a entries 13..12");
    }

    private static List<String> lacks(Bench bench, NodeAddress node) {
        bench.reply(node, MismatchReply.of(id(node), bench.state.epoch(), at(2, 5), 5, LogCompleteness.COMPLETE));
        return bench.words;
    }

    /** C is caught up from A; the writer has none of it in memory. */
    private static Bench behind() {
        Bench bench = writing();
        bench.trimmed(13);
        assertThat(lacks(bench, C)).containsExactly("c entries 6..12 from a");
        return bench;
    }

    /** A alone has what a majority lacks, and is gone. */
    private static Bench stuck() {
        Bench bench = new Bench(2, A, B, C).up(A, 3).up(B, 3).up(C, 3);
        bench.promises(A, end(3, 10), 8).promises(B, end(2, 9), 8);
        bench.step(WriterEvent.peerDown(A));
        return bench;
    }

    private static Bench recovering() {
        Bench bench = new Bench(2, A, B, C).up(A, 3).up(B, 3).up(C, 3);
        bench.promises(A, end(3, 10), 8).promises(B, end(3, 10), 8);
        return bench;
    }

    private static Bench writingAs(Incarnation incarnation) {
        Bench bench = new Bench(2, A, B, C).up(A, 3).up(B, 3).up(C, 3);
        bench.promises(A, end(3, 10).with(incarnation), 8)
                .promises(B, end(3, 10).with(incarnation), 8);
        bench.acks(A, 12).acks(B, 12).acks(C, 12);
        assertThat(bench.state.stage()).isEqualTo(WriterStage.WRITING);
        return bench;
    }

    private static Bench writing() {
        Bench bench = recovering().acks(A, 12).acks(B, 12).acks(C, 12);
        assertThat(bench.state.stage()).isEqualTo(WriterStage.WRITING);
        return bench;
    }

    private static Member voter(NodeAddress address) {
        return Member.voter(id(address), address);
    }

    private static NodeId id(NodeAddress address) {
        return Bench.id(address);
    }

    private static LogSummary end(long epoch, long sn) {
        return end(epoch, sn, Members.of(List.of(voter(A), voter(B), voter(C))));
    }

    private static LogSummary end(long epoch, long sn, Members members) {
        return LogSummary.of(at(epoch, sn), members, sn, Optional.of(1L), Optional.empty());
    }

    private static LogPosition at(long epoch, long sn) {
        return LogPosition.of(Epoch.of(epoch), sn);
    }
}

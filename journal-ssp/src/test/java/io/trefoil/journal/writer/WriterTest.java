/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.Promise;
import io.trefoil.journal.protocol.AppendRequest;
import io.trefoil.journal.protocol.AppendedReply;
import io.trefoil.journal.protocol.CommitRequest;
import io.trefoil.journal.protocol.FailedReply;
import io.trefoil.journal.protocol.LeaseHeldReply;
import io.trefoil.journal.protocol.MismatchReply;
import io.trefoil.journal.protocol.NewEpochRequest;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PromiseReply;
import io.trefoil.journal.protocol.StaleEpochReply;
import io.trefoil.journal.protocol.StepDownRequest;
import io.trefoil.journal.writer.events.WriterEvent;
import io.trefoil.journal.writer.events.WriterStage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The rules of a writer, one by one (protocol page, "Writing", "A new writer", R5, R7 and "Lease"). */
class WriterTest {

    private static final long ACK_TIMEOUT_MILLIS = Bench.ACK_TIMEOUT_MILLIS;
    private static final long LEASE_MILLIS = Bench.LEASE_MILLIS;
    private static final NodeAddress A = NodeAddress.of("a", 1);
    private static final NodeAddress B = NodeAddress.of("b", 1);
    private static final NodeAddress C = NodeAddress.of("c", 1);
    private static final NodeAddress D = NodeAddress.of("d", 1);

    @Test
    void requestsEpochAboveEverySeenEpoch() {
        Bench bench = new Bench(2, A, B, C).connect(A, 3);
        assertThat(bench.sentTo(A, NewEpochRequest.class))
                .extracting(NewEpochRequest::epoch)
                .containsExactly(Epoch.of(4));

        bench.connect(B, 7);

        assertThat(bench.sentTo(A, NewEpochRequest.class))
                .extracting(NewEpochRequest::epoch)
                .containsExactly(Epoch.of(8));
        assertThat(bench.sentTo(B, NewEpochRequest.class))
                .extracting(NewEpochRequest::epoch)
                .containsExactly(Epoch.of(8));
    }

    @Test
    void retriesWithHigherEpochWhenRejected() {
        Bench bench = new Bench(2, A, B, C).connect(A, 3).connect(B, 3);
        bench.reply(A, StaleEpochReply.of(id(A), Epoch.of(9)));

        bench.advanceClock(200).step(WriterEvent.ticked());

        assertThat(bench.state.epoch()).isEqualTo(Epoch.of(10));
        assertThat(bench.sentTo(B, NewEpochRequest.class)).hasSize(1);
    }

    @Test
    void retriesWhileLeaseIsHeld() {
        Bench bench = new Bench(2, A, B, C).connect(A, 3);
        bench.reply(A, LeaseHeldReply.of(id(A), Epoch.of(3), 100));

        bench.advanceClock(200).step(WriterEvent.ticked());

        assertThat(bench.sentTo(A, NewEpochRequest.class))
                .extracting(NewEpochRequest::epoch)
                .containsExactly(Epoch.of(4));
    }

    @Test
    void choosesHighestLogOfMajority() {
        Bench bench = new Bench(2, A, B, C).connect(A, 3).connect(B, 3);
        bench.promise(A, end(3, 10, 10), 8);
        assertThat(bench.state.stage()).isEqualTo(WriterStage.ACQUIRING_EPOCH);

        bench.promise(B, end(2, 20, 20), 8);

        assertThat(bench.state.stage()).isEqualTo(WriterStage.RECOVERING);
        assertThat(bench.state.chosenLogEnd()).isEqualTo(positionAt(3, 10));
        assertThat(bench.words).contains("remember EPOCH_START 11", "remember SEGMENT_END 12");
        // of the other log only what is committed is the same
        assertThat(bench.words).contains("b entries 9..10 from a");
    }

    @Test
    void requiresMajorityOfVotersOfChosenLog() {
        // given a log by which D is a voter, too
        Members four = members(A, B, C, D);
        Bench bench = new Bench(2, A, B, C).connect(A, 3).connect(B, 3).connect(C, 3);
        bench.promise(A, end(3, 10, 10, four), 8);
        bench.promise(B, end(3, 10, 10, four), 8);

        assertThat(bench.state.stage()).isEqualTo(WriterStage.ACQUIRING_EPOCH);
        assertThat(bench.words).contains("meet d");

        bench.promise(C, end(3, 10, 10, four), 8);
        assertThat(bench.state.stage()).isEqualTo(WriterStage.RECOVERING);
    }

    @Test
    void refetchingNodeNeitherCountsNorServesAsSource() {
        Bench bench = new Bench(2, A, B, C).connect(A, 3).connect(B, 3).connect(C, 3);
        bench.reply(
                A,
                PromiseReply.of(
                        id(A),
                        bench.state.epoch(),
                        end(3, 10, 10),
                        8,
                        positionAt(1, 8),
                        1,
                        LogCompleteness.REFETCHING));
        bench.promise(B, end(2, 9, 9), 8);
        assertThat(bench.state.stage()).isEqualTo(WriterStage.ACQUIRING_EPOCH);

        bench.promise(C, end(2, 9, 9), 8);

        assertThat(bench.state.chosenLogEnd()).isEqualTo(positionAt(2, 9));
    }

    @Test
    void olderEpochEntriesAreNotCommittedAlone() {
        Bench bench = recoveringBench();

        // when a majority has all older entries, and not yet the first of this term
        bench.acknowledge(A, 10).acknowledge(B, 10).acknowledge(C, 10);

        assertThat(bench.state.committedSn()).isEqualTo(8);

        bench.acknowledge(A, 12).acknowledge(B, 11);
        assertThat(bench.words).contains("committed 11");
    }

    @Test
    void becomesReadyWhenFirstEntriesCommitWithEnoughVoters() {
        Bench bench = recoveringBench();
        bench.acknowledge(A, 12);
        assertThat(bench.words).doesNotContain("ready");

        bench.acknowledge(B, 12);

        assertThat(bench.words).contains("committed 12", "ready");
        assertThat(bench.state.stage()).isEqualTo(WriterStage.WRITING);
    }

    @Test
    void rejectsAppendBeforeReady() {
        Bench bench = recoveringBench();

        assertThatThrownBy(() -> bench.append(11)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void sendsBatchToAllNodesAndCommitsWithMajority() {
        Bench bench = writingBench();

        bench.append(11);
        assertThat(bench.words)
                .contains("remember EDITS 13", "a entries 13..13", "b entries 13..13", "c entries 13..13");

        bench.acknowledge(A, 13);
        assertThat(bench.words).isEmpty();
        bench.acknowledge(C, 13);
        assertThat(bench.words).contains("committed 13");
    }

    @Test
    void sendsNextBatchWithoutAwaitingAnswer() {
        Bench bench = writingBench();
        bench.append(11);

        assertThat(bench.append(12).words).contains("a entries 14..14", "b entries 14..14", "c entries 14..14");
    }

    @Test
    void repeatedAnswerCountsOnce() {
        Bench bench = writingBench();
        bench.append(11).acknowledge(A, 13);

        assertThat(bench.acknowledge(A, 13).words).isEmpty();
        assertThat(bench.state.committedSn()).isEqualTo(12);
    }

    @Test
    void sendsCommitNoticeWhenNoBatchFollows() {
        Bench bench = writingBench();
        bench.append(11).acknowledge(A, 13).acknowledge(B, 13);

        bench.step(WriterEvent.announceDelayPassed(13));

        assertThat(bench.sentTo(C, CommitRequest.class)).containsExactly(CommitRequest.of(bench.state.epoch(), 13));
        assertThat(bench.step(WriterEvent.announceDelayPassed(13)).words).isEmpty();
    }

    @Test
    void omitsCommitNoticeCarriedByNextBatch() {
        Bench bench = writingBench();
        bench.append(11).acknowledge(A, 13).acknowledge(B, 13);
        bench.append(12).acknowledge(A, 14).acknowledge(B, 14);

        assertThat(bench.step(WriterEvent.announceDelayPassed(13)).words).isEmpty();
        bench.step(WriterEvent.announceDelayPassed(14));
        assertThat(bench.sentTo(A, CommitRequest.class)).containsExactly(CommitRequest.of(bench.state.epoch(), 14));
    }

    @Test
    void stopsSendingToUnresponsiveNode() {
        Bench bench = writingBench();
        bench.append(11).acknowledge(A, 13).acknowledge(B, 13);

        advance(bench, ACK_TIMEOUT_MILLIS + 50);

        assertThat(bench.append(12).words).contains("a entries 14..14").doesNotContain("c entries 14..14");
    }

    @Test
    void catchesUpNodeThatAnswersAgain() {
        Bench bench = writingBench();
        bench.append(11).acknowledge(A, 13).acknowledge(B, 13);
        advance(bench, ACK_TIMEOUT_MILLIS + 50);

        bench.reply(C, MismatchReply.of(id(C), bench.state.epoch(), positionAt(4, 12), 12, LogCompleteness.COMPLETE));

        assertThat(bench.words).contains("c entries 13..13");
        assertThat(bench.acknowledge(C, 13).append(12).words).contains("c entries 14..14");
    }

    @Test
    void repeatedMismatchesStartSingleCatchUp() {
        Bench bench = recoveringBench().acknowledge(A, 12).acknowledge(B, 12);
        bench.trim(13);
        PoolReply mismatch =
                MismatchReply.of(id(C), bench.state.epoch(), positionAt(2, 5), 5, LogCompleteness.COMPLETE);

        assertThat(bench.reply(C, mismatch).words).containsExactly("c entries 6..12 from a");
        assertThat(bench.reply(C, mismatch).words).isEmpty();
        assertThat(bench.reply(C, mismatch).words).isEmpty();
    }

    @Test
    void catchesUpNodeWithLostEntriesFromItsLogEnd() {
        Bench bench = writingBench();
        bench.trim(13);

        bench.reply(C, MismatchReply.of(id(C), bench.state.epoch(), positionAt(2, 5), 5, LogCompleteness.REFETCHING));

        assertThat(bench.words).containsExactly("c entries 6..12 from a");
        assertThat(bench.state.inSyncVoters()).isEqualTo(2);
    }

    @Test
    void waitsForeverWithoutMajority() {
        Bench bench = writingBench();
        bench.append(11).acknowledge(A, 13);
        bench.step(WriterEvent.peerDisconnected(B)).step(WriterEvent.peerDisconnected(C));

        advance(bench, 60_000);

        assertThat(bench.state.stage()).isEqualTo(WriterStage.WRITING);
        assertThat(bench.state.committedSn()).isEqualTo(12);
    }

    @Test
    void writerIsFencedWhenMajorityIsLost() {
        Bench bench = writingBench();
        bench.reply(B, StaleEpochReply.of(id(B), Epoch.of(9)));
        assertThat(bench.state.stage()).isEqualTo(WriterStage.WRITING);

        bench.reply(C, StaleEpochReply.of(id(C), Epoch.of(9)));

        assertThat(bench.words).contains("fenced by 9");
        assertThat(bench.step(WriterEvent.ticked()).words).isEmpty();
    }

    @Test
    void earlierAcknowledgementsOfRestartedNodeNoLongerCount() {
        Bench bench = writingBench();
        bench.append(11).acknowledge(A, 13);
        bench.step(WriterEvent.peerDisconnected(A)).connect(A, 4);

        assertThat(bench.acknowledge(B, 13).state.committedSn()).isEqualTo(12);
        assertThat(bench.acknowledge(C, 13).words).contains("committed 13");
    }

    @Test
    void answerRevealsActualStorageId() {
        // given a node that could not open its storage when the session began, and said another id
        Bench bench = new Bench(2, A, B, C).connect(A, 3).connect(B, 3);
        bench.step(WriterEvent.peerConnected(C, NodeId.of("not-known-yet"), true, Epoch.NONE));
        bench.promise(A, end(3, 10, 10), 8).promise(B, end(3, 10, 10), 8);
        bench.acknowledge(A, 12).acknowledge(B, 12);

        bench.acknowledge(C, 12);
        advance(bench, 100);

        assertThat(bench.state.members().find(NodeId.of("not-known-yet"))).isEmpty();
        assertThat(bench.state.inSyncVoters()).isEqualTo(3);
    }

    @Test
    void acknowledgementsOfEarlierTermsDoNotCount() {
        // given a term that got stuck: A alone had entry 10, acknowledged the first entries, and went away
        Bench bench = new Bench(2, A, B, C).connect(A, 3).connect(B, 3).connect(C, 3);
        bench.promise(A, end(3, 10, 10), 8).promise(B, end(2, 9, 9), 8);
        bench.acknowledge(A, 12).step(WriterEvent.peerDisconnected(A));
        assertThat(bench.state.leaseUntilNanos()).isEmpty();
        advance(bench, 2 * ACK_TIMEOUT_MILLIS + 100);
        assertThat(bench.state.stage()).isEqualTo(WriterStage.ACQUIRING_EPOCH);

        // when B and C promise the next one, and B alone has its first entries
        bench.promise(B, end(2, 9, 9), 8).promise(C, end(2, 9, 9), 8);
        assertThat(bench.state.stage()).isEqualTo(WriterStage.RECOVERING);
        bench.acknowledge(B, 11);

        assertThat(bench.state.committedSn()).isEqualTo(8);
        assertThat(bench.state.leaseUntilNanos()).isEmpty();
        assertThat(bench.acknowledge(C, 11).words).contains("committed 11");
    }

    @Test
    void restartsAboveEpochOfDepartedRival() {
        Bench bench = recoveringBench();
        bench.reply(B, StaleEpochReply.of(id(B), Epoch.of(9))).step(WriterEvent.peerDisconnected(C));

        advance(bench, 2 * ACK_TIMEOUT_MILLIS + 100);

        assertThat(bench.state.stage()).isEqualTo(WriterStage.ACQUIRING_EPOCH);
        assertThat(bench.state.epoch()).isEqualTo(Epoch.of(10));
    }

    @Test
    void requestsEpochFromInitiallyEmptyNode() {
        // given a writer that met C before another one gave it storage
        Bench bench = new Bench(2, A, B, C).connect(A, 3);
        bench.step(WriterEvent.peerConnected(C, id(C), false, Epoch.NONE));
        assertThat(bench.sentTo(C, NewEpochRequest.class)).hasSize(1);

        bench.promise(A, end(3, 10, 10), 8).promise(C, end(3, 10, 10), 8);

        assertThat(bench.state.stage()).isEqualTo(WriterStage.RECOVERING);
        assertThat(bench.words).contains("c entries 11..12");
    }

    @Test
    void detectsMemberFormattedByDifferentWriter() {
        Bench bench = new Bench(2, A, B, C).connect(A, 3).connect(B, 3);
        bench.promise(A, end(3, 10, 10), 8).promise(B, end(3, 10, 10), 8);
        bench.acknowledge(A, 12).acknowledge(B, 12).step(WriterEvent.peerConnected(C, id(C), false, Epoch.NONE));

        bench.advanceClock(10).step(WriterEvent.ticked());
        assertThat(bench.sentTo(C, AppendRequest.class)).hasSize(1);

        assertThat(bench.acknowledge(C, 12).state.inSyncVoters()).isEqualTo(3);
    }

    @Test
    void sourceProvidesOnlyEntriesSharedWithTerm() {
        // given B with entries 9 and 10 of a rival, and C with nothing
        Bench bench = new Bench(2, A, B, C).connect(A, 3).connect(B, 3).connect(C, 3);
        bench.promise(B, end(2, 10, 10), 8).promise(A, end(3, 10, 10), 8);
        bench.step(WriterEvent.peerDisconnected(A));

        bench.reply(C, MismatchReply.of(id(C), bench.state.epoch(), positionAt(1, 2), 2, LogCompleteness.COMPLETE));

        assertThat(bench.words).containsExactly("c entries 3..8 from b");
    }

    @Test
    void readFailureSwitchesSource() {
        Bench bench = writingBench().connect(C, 3);
        assertThat(reportLargeLagOfC(bench)).containsExactly("c entries 3..10 from a");

        bench.step(WriterEvent.loadFailed(C, A));

        assertThat(reportLargeLagOfC(bench)).containsExactly("c entries 3..10 from b");
        // also for what it lacks then, and at once: the other one works
        bench.step(WriterEvent.partSent(C, 6, 1));
        assertThat(bench.acknowledge(C, 6).words).containsExactly("c entries 7..10 from b");
    }

    @Test
    void failedSourcesAreRetriedInTurnWithBackoff() {
        Bench bench = writingBench().connect(C, 3);
        reportLargeLagOfC(bench);
        bench.step(WriterEvent.loadFailed(C, A));
        reportLargeLagOfC(bench.advanceClock(10));
        bench.step(WriterEvent.loadFailed(C, B));

        for (long passed = 60; passed <= ACK_TIMEOUT_MILLIS; passed += 50) {
            assertThat(reportLargeLagOfC(bench.advanceClock(50))).isEmpty();
        }

        assertThat(reportLargeLagOfC(bench.advanceClock(50))).containsExactly("c entries 3..10 from a");
        bench.step(WriterEvent.loadFailed(C, A));
        assertThat(reportLargeLagOfC(bench.advanceClock(50))).containsExactly("c entries 3..10 from b");
    }

    @Test
    void nodeWithFailedDiskIsNotSource() {
        Bench bench = writingBench().connect(C, 3);

        bench.reply(A, FailedReply.of(id(A), "storage failed"));

        assertThat(reportLargeLagOfC(bench)).containsExactly("c entries 3..10 from b");
    }

    @Test
    void reconnectedSourceIsUsedAgain() {
        Bench bench = writingBench().connect(C, 3);
        bench.step(WriterEvent.loadFailed(C, A));

        bench.connect(A, 3).acknowledge(A, 12);

        assertThat(reportLargeLagOfC(bench)).containsExactly("c entries 3..10 from a");
    }

    /** C says that its log ends at entry 2; what the writer does about the entries that it lacks itself. */
    private static List<String> reportLargeLagOfC(Bench bench) {
        bench.reply(C, MismatchReply.of(id(C), bench.state.epoch(), positionAt(1, 2), 2, LogCompleteness.COMPLETE));
        return bench.words;
    }

    @Test
    void leaseRunsFromRequestToMajority() {
        Bench bench = writingBench();
        long askedNanos = bench.nowNanos;
        bench.advanceClock(100);

        bench.step(WriterEvent.replied(
                A,
                AppendedReply.of(id(A), bench.state.epoch(), 12, LogCompleteness.COMPLETE),
                askedNanos,
                LEASE_MILLIS));

        assertThat(bench.state.leaseUntilNanos()).contains(askedNanos + LEASE_MILLIS * 1_000_000L);
    }

    @Test
    void longerLeaseCountsFromRequestsThatAskedForIt() {
        Bench bench = writingBench();
        long beforeNanos = bench.state.leaseFromNanos().orElseThrow();
        bench.advanceClock(100);
        long sentNanos = bench.nowNanos;

        bench.step(WriterEvent.leaseWanted(5 * LEASE_MILLIS));

        assertThat(bench.state.leaseUntilNanos())
                .as("as long as the nodes granted")
                .contains(beforeNanos + LEASE_MILLIS * 1_000_000L);
        acknowledgeByMajority(bench, sentNanos, LEASE_MILLIS);
        assertThat(bench.state.leaseUntilNanos())
                .as("answers to requests of before")
                .contains(sentNanos + LEASE_MILLIS * 1_000_000L);
        acknowledgeByMajority(bench, sentNanos, 5 * LEASE_MILLIS);
        assertThat(bench.state.leaseUntilNanos()).contains(sentNanos + 5 * LEASE_MILLIS * 1_000_000L);
    }

    private static void acknowledgeByMajority(Bench bench, long sentNanos, long leaseMillis) {
        for (NodeAddress voter : List.of(A, B)) {
            bench.step(WriterEvent.replied(
                    voter,
                    AppendedReply.of(id(voter), bench.state.epoch(), 12, LogCompleteness.COMPLETE),
                    sentNanos,
                    leaseMillis));
        }
    }

    @Test
    void requestsAskForLongerLeaseButNeverForShorterOne() {
        Bench bench = writingBench();

        bench.step(WriterEvent.leaseWanted(LEASE_MILLIS + 1)).step(WriterEvent.leaseWanted(LEASE_MILLIS));

        assertThat(bench.state.leaseMillis()).isEqualTo(LEASE_MILLIS + 1);
    }

    @Test
    void aloneTimeIsShorterThanGrantToSuspectedWriter() {
        Bench bench = writingBench();
        long askedNanos = bench.nowNanos;
        bench.advanceClock(100);

        bench.step(WriterEvent.replied(
                A,
                AppendedReply.of(id(A), bench.state.epoch(), 12, LogCompleteness.COMPLETE),
                askedNanos,
                LEASE_MILLIS));

        assertThat(bench.state.soleWriterUntilNanos())
                .contains(askedNanos + bench.state.settings().soleWriterMillis() * 1_000_000L);
        assertThat(bench.state.settings().soleWriterMillis()).isLessThan(Promise.ALONE_MILLIS);
    }

    @Test
    void requestedAnswersTriggerFrequentHeartbeatsTemporarily() {
        Bench bench = writingBench();
        bench.advance(100);

        bench.step(WriterEvent.answersWanted());
        assertThat(bench.words).contains("a entries 13..12", "b entries 13..12");

        bench.advanceClock(10).step(WriterEvent.ticked());
        assertThat(bench.words).isEmpty();
        bench.advanceClock(10).step(WriterEvent.ticked());
        assertThat(bench.words).contains("a entries 13..12", "b entries 13..12");

        bench.advance(Heartbeats.ANSWERS_WANTED_MILLIS);
        bench.advanceClock(20).step(WriterEvent.ticked());
        assertThat(bench.words).as("nobody asks any more").isEmpty();
    }

    @Test
    void skipsHeartbeatsWhileAloneTimeSuffices() {
        Bench bench = writingBench();
        bench.advance(100);
        bench.step(WriterEvent.answersWanted());
        long askedNanos = bench.nowNanos;
        bench.advanceClock(1);
        acknowledgeByMajority(bench, askedNanos, LEASE_MILLIS);

        bench.advanceClock(18).step(WriterEvent.ticked());
        assertThat(bench.words).as("known for 21 of 40 ms more").isEmpty();

        bench.advanceClock(2).step(WriterEvent.ticked());
        assertThat(bench.words).as("known for 19 ms more").contains("a entries 13..12", "b entries 13..12");
    }

    @Test
    void stepDownNotifiesNodes() {
        Bench bench = writingBench();

        bench.step(WriterEvent.stepDownRequested());

        assertThat(bench.sentTo(B, StepDownRequest.class)).containsExactly(StepDownRequest.of(bench.state.epoch()));
        assertThat(bench.state.stage()).isEqualTo(WriterStage.STEPPED_DOWN);
    }

    /** No other process would, until the next writer: a NameNode that starts meanwhile must find the end of the segment. */
    @Test
    void sendsCommitNoticeBeforeStepDown() {
        Bench bench = writingBench();
        bench.append(11).acknowledge(A, 13).acknowledge(B, 13);

        bench.step(WriterEvent.stepDownRequested());

        assertThat(bench.sentTo(C, CommitRequest.class)).containsExactly(CommitRequest.of(bench.state.epoch(), 13));
        assertThat(bench.sentTo(C, StepDownRequest.class)).hasSize(1);
    }

    private static Bench recoveringBench() {
        Bench bench = new Bench(2, A, B, C).connect(A, 3).connect(B, 3).connect(C, 3);
        bench.promise(A, end(3, 10, 10), 8);
        bench.promise(B, end(3, 10, 10), 8);
        return bench;
    }

    private static Bench writingBench() {
        Bench bench = recoveringBench().acknowledge(A, 12).acknowledge(B, 12).acknowledge(C, 12);
        assertThat(bench.state.stage()).isEqualTo(WriterStage.WRITING);
        return bench;
    }

    private static void advance(Bench bench, long millis) {
        for (long passed = 0; passed < millis; passed += 10) {
            bench.advanceClock(10).step(WriterEvent.ticked());
        }
    }

    private static NodeId id(NodeAddress address) {
        return Bench.id(address);
    }

    private static Members members(NodeAddress... addresses) {
        List<Member> list = new ArrayList<>();
        for (NodeAddress address : addresses) {
            list.add(Member.voter(id(address), address));
        }
        return Members.of(list);
    }

    private static LogSummary end(long epoch, long sn, long lastTxId) {
        return end(epoch, sn, lastTxId, members(A, B, C));
    }

    private static LogSummary end(long epoch, long sn, long lastTxId, Members members) {
        return LogSummary.of(positionAt(epoch, sn), members, lastTxId, Optional.of(1L), Optional.empty());
    }

    private static LogPosition positionAt(long epoch, long sn) {
        return LogPosition.of(Epoch.of(epoch), sn);
    }
}

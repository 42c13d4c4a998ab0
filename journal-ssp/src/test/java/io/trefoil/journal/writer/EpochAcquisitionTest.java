/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.protocol.NewEpochRequest;
import io.trefoil.journal.protocol.PromiseReply;
import io.trefoil.journal.protocol.StaleEpochReply;
import io.trefoil.journal.writer.events.WriterEvent;
import io.trefoil.journal.writer.events.WriterStage;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How a writer gets its term (protocol page, "A new writer", R5). */
class EpochAcquisitionTest {

    private static final NodeAddress A = NodeAddress.of("a", 1);
    private static final NodeAddress B = NodeAddress.of("b", 1);
    private static final NodeAddress C = NodeAddress.of("c", 1);
    private static final NodeAddress D = NodeAddress.of("d", 1);
    private static final Members VOTERS = Members.of(List.of(voter(A), voter(B), voter(C)));
    private static final long RETRY_NANOS = 50_000_000L;

    @Test
    void requestsEpochOnlyWhenTermIsWanted() {
        Bench bench = Bench.withOpenSessions(A, B, C).connect(A, 3);
        assertThat(bench.words).isEmpty();
        assertThat(bench.connect(B, 5).words).isEmpty();
        assertThat(bench.advance(10 * Bench.LEASE_MILLIS).words).isEmpty();

        bench.step(WriterEvent.termRequested());

        assertThat(bench.words).containsExactly("a NewEpochRequest", "b NewEpochRequest");
        assertThat(bench.state.epoch()).isEqualTo(Epoch.of(6));
        assertThat(bench.connect(C, 5).sentTo(C, NewEpochRequest.class)).hasSize(1);
    }

    @Test
    void ignoresPromisesBeforeTermIsWanted() {
        Bench bench = Bench.withOpenSessions(A, B, C).connect(A, 3);
        WriterState before = bench.state;

        bench.reply(A, StaleEpochReply.of(id(A), Epoch.of(9))).promise(A, end(3, 10), 8);

        assertThat(bench.state).isEqualTo(before);
    }

    @Test
    void raisesEpochWhenConnectedNodesPromisedHigherEpoch() {
        Bench bench =
                Bench.withOpenSessions(A, B, C).connect(A, 3).connect(B, 3).step(WriterEvent.termRequested());
        assertThat(bench.sentTo(A, NewEpochRequest.class))
                .extracting(NewEpochRequest::epoch)
                .containsExactly(Epoch.of(4));
        bench.reply(A, StaleEpochReply.of(id(A), Epoch.of(7)));

        bench.advanceClock(200).step(WriterEvent.ticked());

        assertThat(bench.sentTo(A, NewEpochRequest.class))
                .extracting(NewEpochRequest::epoch)
                .containsExactly(Epoch.of(8));
        assertThat(bench.sentTo(B, NewEpochRequest.class)).hasSize(1);
    }

    @Test
    void requestsEpochFromReturningNodeWhenItsSessionBrokeEarlier() {
        Bench bench = Bench.withOpenSessions(A, B, C).connect(A, 3).connect(B, 3);
        bench.step(WriterEvent.peerDisconnected(A)).step(WriterEvent.termRequested());
        assertThat(bench.words).containsExactly("b NewEpochRequest");

        assertThat(bench.connect(A, 3).words).containsExactly("a NewEpochRequest");
    }

    @Test
    void countsTimeFromWhenTermIsWanted() {
        Bench bench = Bench.withOpenSessions(A, B, C)
                .connect(A, 3)
                .advanceClock(60_000)
                .step(WriterEvent.termRequested());

        assertThat(bench.step(WriterEvent.ticked()).words).isEmpty();
    }

    /** It is a majority of itself at once, and its host's node answers first. */
    @Test
    void waitsForOtherNodesWhenLoneJournalAnswersFirst() {
        LogSummary lone = end(1, 2, Members.of(List.of(voter(C)))).with(Incarnation.of(9, 2));
        LogSummary majority = end(3, 10).with(Incarnation.of(5, 2));
        Bench bench =
                new Bench(2, A, B, C).connect(A, 3).connect(B, 3).connect(C, 3).promise(C, lone, 2);

        assertThat(bench.state.stage()).isEqualTo(WriterStage.ACQUIRING_EPOCH);
        bench.advance(5_000);
        assertThat(bench.state.stage()).isEqualTo(WriterStage.ACQUIRING_EPOCH);
        bench.promise(A, majority, 8);
        assertThat(bench.state.stage()).isEqualTo(WriterStage.ACQUIRING_EPOCH);
        bench.promise(B, majority, 8);

        assertThat(bench.state.stage()).isEqualTo(WriterStage.RECOVERING);
        assertThat(bench.state.chosenLogEnd()).isEqualTo(majority.position());
    }

    /** A new cluster, of which only the first host runs. */
    @Test
    void adoptsLoneJournalWhenNoOtherNodeIsPresent() {
        LogSummary lone = end(1, 2, Members.of(List.of(voter(C)))).with(Incarnation.of(9, 2));
        Bench bench = new Bench(1, A, B, C).connect(C, 3).promise(C, lone, 2);

        bench.advance(EpochAcquisition.SESSIONS_MILLIS - 20);
        assertThat(bench.state.stage()).isEqualTo(WriterStage.ACQUIRING_EPOCH);
        bench.advance(40);

        assertThat(bench.state.stage()).isEqualTo(WriterStage.RECOVERING);
    }

    @Test
    void adoptsLoneJournalImmediatelyWhenItNamesMajorityJournal() {
        Incarnation before = Incarnation.of(5, 2);
        Members replacing = Members.of(List.of(voter(C))).withReplacedIncarnations(Set.of(before));
        LogSummary named = end(1, 2, replacing).with(Incarnation.of(9, 2));
        Bench bench = new Bench(1, A, B, C).connect(A, 3).connect(B, 3).connect(C, 3);
        bench.promise(A, end(3, 10).with(before), 8)
                .promise(C, named, 2)
                .promise(B, end(3, 10).with(before), 8);

        assertThat(bench.state.stage()).isEqualTo(WriterStage.RECOVERING);
        assertThat(bench.state.chosenLogEnd()).isEqualTo(named.position());
    }

    @Test
    void requestsEpochOnlyFromPresentUnpromisedNodes() {
        Bench bench = new Bench(2, A, B, C).connect(A, 3).connect(B, 3);
        bench.promise(A, end(3, 10), 8);

        bench.advanceClock(200).step(WriterEvent.ticked());

        assertThat(bench.sentTo(A, NewEpochRequest.class)).isEmpty();
        assertThat(bench.sentTo(B, NewEpochRequest.class)).hasSize(1);
        assertThat(bench.sentTo(C, NewEpochRequest.class)).isEmpty();
    }

    @Test
    void keepsPromiseWhileRetryingOtherNodes() {
        Bench bench = new Bench(2, A, B, C).connect(A, 3).connect(B, 3);
        bench.promise(A, end(3, 10), 8);

        bench.advanceClock(200).step(WriterEvent.ticked());
        bench.promise(B, end(3, 10), 8);

        assertThat(bench.state.stage()).isEqualTo(WriterStage.RECOVERING);
    }

    @Test
    void keepsEpochWhenNodeWithLowerPromiseAppears() {
        Bench bench = new Bench(2, A, B, C).connect(A, 3);

        bench.connect(B, 2);

        assertThat(bench.state.epoch()).isEqualTo(Epoch.of(4));
        assertThat(bench.sentTo(A, NewEpochRequest.class)).isEmpty();
    }

    @Test
    void remembersHighestRejectingEpoch() {
        Bench bench = new Bench(2, A, B, C).connect(A, 3);
        bench.reply(A, StaleEpochReply.of(id(A), Epoch.of(9)));

        bench.reply(A, StaleEpochReply.of(id(A), Epoch.of(5))).connect(B, 3);

        assertThat(bench.sentTo(B, NewEpochRequest.class))
                .extracting(NewEpochRequest::epoch)
                .containsExactly(Epoch.of(10));
    }

    @Test
    void lowerRejectionKeepsHighestEpoch() {
        Bench bench = new Bench(2, A, B, C).connect(A, 3);
        bench.reply(A, StaleEpochReply.of(id(A), Epoch.of(9)));
        bench.reply(A, StaleEpochReply.of(id(A), Epoch.of(5)));

        bench.advanceClock(200).step(WriterEvent.ticked());

        assertThat(bench.state.epoch()).isEqualTo(Epoch.of(10));
    }

    @Test
    void ignoresPromiseForEarlierEpoch() {
        Bench bench = new Bench(2, A, B, C).connect(A, 3).connect(B, 3);
        Epoch before = bench.state.epoch();
        bench.connect(C, 7).promise(A, end(3, 10), 8);

        bench.reply(B, PromiseReply.of(id(B), before, end(3, 10), 8, positionAt(1, 8), 1, LogCompleteness.COMPLETE));

        assertThat(bench.state.stage()).isEqualTo(WriterStage.ACQUIRING_EPOCH);
    }

    @Test
    void choosesHighestLogInAnyPromiseOrder() {
        Bench bench = new Bench(2, A, B, C).connect(A, 3).connect(B, 3);

        bench.promise(A, end(2, 20), 8).promise(B, end(3, 10), 8);

        assertThat(bench.state.chosenLogEnd()).isEqualTo(positionAt(3, 10));
    }

    @Test
    void learnerPromiseDoesNotCountForMajority() {
        Members members = VOTERS.with(Member.permanentLearner(id(D), D));
        Bench bench = new Bench(2, A, B, C, D).connect(A, 3).connect(B, 3).connect(D, 3);

        bench.promise(A, end(3, 10, members), 8).promise(D, end(3, 10, members), 8);

        assertThat(bench.state.stage()).isEqualTo(WriterStage.ACQUIRING_EPOCH);
        assertThat(bench.promise(B, end(3, 10, members), 8).state.stage()).isEqualTo(WriterStage.RECOVERING);
    }

    @Test
    void ignoresPromiseFromMemberClaimingDifferentId() {
        Bench bench = new Bench(2, A, B, C).connect(A, 3).step(WriterEvent.peerConnected(C, id(B), true, Epoch.of(3)));

        bench.promise(A, end(3, 10), 8);
        assertThat(bench.state.stage()).isEqualTo(WriterStage.ACQUIRING_EPOCH);
        bench.reply(
                C,
                PromiseReply.of(
                        id(B), bench.state.epoch(), end(3, 10), 8, positionAt(1, 8), 1, LogCompleteness.COMPLETE));
        assertThat(bench.state.stage()).isEqualTo(WriterStage.ACQUIRING_EPOCH);
        assertThat(bench.words).contains("meet b");

        bench.connect(B, 3).promise(B, end(3, 10), 8);
        assertThat(bench.words).contains("c claims to be at b");
    }

    @Test
    void connectsToUnknownMembersOnly() {
        Bench bench = new Bench(2, A, B).connect(A, 3).connect(B, 3);

        bench.promise(A, end(3, 10), 8);

        assertThat(bench.words).containsExactly("meet c");
    }

    @Test
    void reportsNothingMissingBeforeMajorityPromises() {
        Bench bench = new Bench(2, A, B, C).connect(A, 3).connect(B, 3);
        Epoch epoch = bench.state.epoch();

        bench.reply(A, PromiseReply.of(id(A), epoch, end(3, 5), 5, positionAt(3, 12), 1, LogCompleteness.COMPLETE));
        assertThat(bench.state.missingCondition()).isEmpty();

        bench.reply(B, PromiseReply.of(id(B), epoch, end(3, 5), 5, positionAt(3, 12), 1, LogCompleteness.COMPLETE));
        assertThat(bench.state.missingCondition()).isPresent();
    }

    /** Rule R11. */
    @Test
    void ignoresOlderIncarnation() {
        Incarnation newer = Incarnation.of(1, 7);
        Bench bench = new Bench(2, A, B, C).connect(A, 3).connect(B, 3).connect(C, 3);

        bench.promise(A, end(3, 10).with(newer), 8).promise(B, end(9, 50), 50);
        assertThat(bench.state.stage()).isEqualTo(WriterStage.ACQUIRING_EPOCH);

        bench.promise(C, end(3, 10).with(newer), 8);
        assertThat(bench.state.stage()).isEqualTo(WriterStage.RECOVERING);
        assertThat(bench.state.committedSn()).isEqualTo(8);
        assertThat(bench.state.peers().findByAddress(B).matchedSn()).isZero();
    }

    @Test
    void waitsForNodeHoldingKnownCommit() {
        Bench bench = new Bench(2, A, B, C).connect(A, 3).connect(B, 3).connect(C, 3);
        bench.promise(A, end(3, 9), 8);

        promiseWithKnownCommit(bench, C, end(3, 8), positionAt(3, 10));

        assertThat(bench.state.stage()).isEqualTo(WriterStage.ACQUIRING_EPOCH);
        assertThat(bench.state.missingCondition())
                .hasValueSatisfying(missing ->
                        assertThat(missing).contains("entry 3/10 is committed").contains("ends at 3/9, at storage-a"));

        bench.promise(B, end(3, 10), 8);

        assertThat(bench.state.chosenLogEnd()).isEqualTo(positionAt(3, 10));
        assertThat(bench.state.committedSn()).isEqualTo(10);
        assertThat(bench.state.missingCondition()).isEmpty();
    }

    @ParameterizedTest(name = "heard {0}/{1}, the log ends at {2}/{3}: goes on {4}")
    @CsvSource({
        "3, 10, 3, 10, true",
        "3, 10, 3, 11, true",
        "2, 10, 3, 11, true",
        "2, 10, 3, 10, true",
        "3, 10, 3, 9, false",
        // Longer, and of a writer that was replaced by the one whose entry it lacks.
        "3, 10, 2, 12, false",
        // Of a later writer, which had all that was committed before: it was longer once.
        "2, 10, 3, 9, false",
    })
    void continuesLogOnlyWhenItContainsKnownCommit(long heardEpoch, long heardSn, long epoch, long sn, boolean goesOn) {
        Bench bench = new Bench(2, A, B, C).connect(A, 3).connect(B, 3).connect(C, 3);
        bench.promise(A, end(epoch, sn), 8);

        promiseWithKnownCommit(bench, C, end(1, 8), positionAt(heardEpoch, heardSn));

        assertThat(bench.state.stage() == WriterStage.RECOVERING).isEqualTo(goesOn);
    }

    @Test
    void knownCommitOfRefetchingNodeCounts() {
        Bench bench = new Bench(2, A, B, C).connect(A, 3).connect(B, 3).connect(C, 3);
        bench.reply(
                A,
                PromiseReply.of(
                        id(A), bench.state.epoch(), end(3, 5), 5, positionAt(3, 12), 1, LogCompleteness.REFETCHING));

        bench.promise(B, end(2, 9), 8).promise(C, end(2, 9), 8);

        assertThat(bench.state.stage()).isEqualTo(WriterStage.ACQUIRING_EPOCH);
    }

    @Test
    void ignoresKnownCommitOfDifferentIncarnation() {
        Incarnation newer = Incarnation.of(2, 1);
        Bench bench = new Bench(2, A, B, C).connect(A, 3).connect(B, 3).connect(C, 3);
        promiseWithKnownCommit(bench, A, end(3, 8), positionAt(3, 10));

        bench.promise(B, end(3, 9).with(newer), 8).promise(C, end(3, 9).with(newer), 8);

        assertThat(bench.state.stage()).isEqualTo(WriterStage.RECOVERING);
    }

    @Test
    void nodesLearnTermOfNewestCommittedEntry() {
        Bench bench = new Bench(2, A, B, C).connect(A, 3).connect(B, 3).connect(C, 3);
        promiseWithKnownCommit(bench, A, end(3, 10), positionAt(2, 8));
        promiseWithKnownCommit(bench, B, end(3, 10), positionAt(2, 8));
        assertThat(bench.state.toBuilder().terms().committedPosition()).isEqualTo(positionAt(2, 8));

        bench.acknowledge(A, 12).acknowledge(B, 12);

        assertThat(bench.state.toBuilder().terms().committedPosition())
                .isEqualTo(LogPosition.of(bench.state.epoch(), 12));
    }

    private static void promiseWithKnownCommit(Bench bench, NodeAddress node, LogSummary end, LogPosition knownCommit) {
        bench.reply(
                node, PromiseReply.of(id(node), bench.state.epoch(), end, 8, knownCommit, 1, LogCompleteness.COMPLETE));
    }

    @Test
    void readinessRequiresMajorityDespiteLowMinReplicas() {
        Bench bench = new Bench(1, A, B, C).connect(A, 3).connect(B, 3);
        bench.promise(A, end(3, 10), 8).promise(B, end(3, 10), 8);

        bench.acknowledge(A, 12).acknowledge(B, 11);
        assertThat(bench.words).contains("committed 11").doesNotContain("ready");

        assertThat(bench.acknowledge(B, 12).words).contains("ready");
    }

    @Test
    void endsOpenSegmentWithoutTransactionsAsEmpty() {
        LogSummary open = LogSummary.of(positionAt(3, 10), VOTERS, 20, Optional.of(21L), Optional.empty());
        Bench bench = new Bench(2, A, B, C).connect(A, 3).connect(B, 3);

        bench.promise(A, open, 8).promise(B, open, 8);

        Entry end = bench.log.get(1);
        assertThat(end.kind()).isEqualTo(EntryKind.SEGMENT_END);
        assertThat(end.txIds()).isEqualTo(TxRange.of(21, 20));
    }

    @Test
    void retriesImmediatelyWhenTermRestarts() {
        Bench bench = new Bench(2, A, B, C).connect(A, 3).connect(B, 3).connect(C, 3);
        bench.promise(A, end(3, 10), 8).promise(B, end(2, 9), 8);
        bench.step(WriterEvent.peerDisconnected(A));

        while (bench.state.stage() == WriterStage.RECOVERING) {
            bench.advanceClock(10).step(WriterEvent.ticked());
        }

        assertThat(bench.sentTo(B, NewEpochRequest.class)).hasSize(1);
        assertThat(bench.sentTo(C, NewEpochRequest.class)).hasSize(1);
    }

    @Test
    void retriesOnlyAfterBackoff() {
        Bench bench = new Bench(2, A, B, C).connect(A, 3).step(WriterEvent.ticked());

        bench.nowNanos = bench.state.retryNanos() - 1;
        assertThat(bench.step(WriterEvent.ticked()).sentTo(A, NewEpochRequest.class))
                .isEmpty();

        bench.nowNanos++;
        assertThat(bench.step(WriterEvent.ticked()).sentTo(A, NewEpochRequest.class))
                .hasSize(1);
    }

    @Test
    void backoffDiffersBetweenWritersAndEpochs() {
        Set<Long> ofWriters =
                IntStream.range(0, 20).mapToObj(i -> waitNanos("writer" + i, 3)).collect(Collectors.toSet());
        Set<Long> ofEpochs =
                IntStream.range(0, 20).mapToObj(i -> waitNanos("writer", i)).collect(Collectors.toSet());

        assertThat(ofWriters).hasSizeGreaterThan(5).allMatch(EpochAcquisitionTest::isWithinTheWait);
        assertThat(ofEpochs).hasSizeGreaterThan(5).allMatch(EpochAcquisitionTest::isWithinTheWait);
    }

    private static boolean isWithinTheWait(long nanos) {
        return nanos >= RETRY_NANOS && nanos < 2 * RETRY_NANOS;
    }

    private static long waitNanos(String writer, long promised) {
        Bench bench =
                new Bench(Bench.settings(2, A, B, C).writer(WriterId.of(writer)).build());
        bench.connect(A, promised).step(WriterEvent.ticked());
        return bench.state.retryNanos() - bench.nowNanos;
    }

    private static Member voter(NodeAddress address) {
        return Member.voter(id(address), address);
    }

    private static NodeId id(NodeAddress address) {
        return Bench.id(address);
    }

    private static LogSummary end(long epoch, long sn) {
        return end(epoch, sn, VOTERS);
    }

    private static LogSummary end(long epoch, long sn, Members members) {
        return LogSummary.of(positionAt(epoch, sn), members, sn, Optional.of(1L), Optional.empty());
    }

    private static LogPosition positionAt(long epoch, long sn) {
        return LogPosition.of(Epoch.of(epoch), sn);
    }
}

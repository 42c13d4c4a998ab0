/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer;

import static io.trefoil.journal.writer.Bench.end;
import static io.trefoil.journal.writer.Bench.id;
import static io.trefoil.journal.writer.Bench.members;
import static io.trefoil.journal.writer.Bench.positionAt;
import static io.trefoil.journal.writer.Bench.voter;
import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.protocol.AppendRequest;
import io.trefoil.journal.protocol.MismatchReply;
import io.trefoil.journal.protocol.NotFormattedReply;
import io.trefoil.journal.protocol.RebaseRequest;
import io.trefoil.journal.protocol.StaleEpochReply;
import io.trefoil.journal.writer.events.WriterEvent;
import io.trefoil.journal.writer.events.WriterSettings;
import io.trefoil.journal.writer.events.WriterStage;
import io.trefoil.journal.writer.peer.ProgressState;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How a node that is behind gets what it lacks, and from whom (protocol page, "Catching up", "Slow is not dead"). */
class CatchUpTest {

    private static final NodeAddress A = NodeAddress.of("a", 1);
    private static final NodeAddress B = NodeAddress.of("b", 1);
    private static final NodeAddress C = NodeAddress.of("c", 1);
    private static final NodeAddress D = NodeAddress.of("d", 1);
    private static final long HEARTBEAT = Bench.LEASE_MILLIS / 5;
    private static final long TIMEOUT = Bench.ACK_TIMEOUT_MILLIS;

    // One that was too slow more than once has to prove itself

    @Test
    void nodeTimedOutTwiceGetsSingleRequestsUntilProven() {
        Bench bench = benchWithTwoTimeouts();
        assertThat(bench.acknowledge(C, 14).words).containsExactly("c CommitRequest");

        assertThat(bench.append(13).words).contains("c entries 15..15");
        assertThat(bench.append(14).words).doesNotContain("c entries 16..16");
        assertThat(bench.acknowledge(A, 16).acknowledge(C, 15).words).contains("c entries 16..16");
        assertThat(bench.acknowledge(C, 16).words).doesNotContain("c in sync again");

        bench.acknowledge(B, 16).advance(TIMEOUT);
        assertThat(bench.state.peers().findByAddress(C).progress()).isEqualTo(ProgressState.CATCHING_UP);
        bench.advance(10);

        assertThat(bench.words).contains("c in sync again");
        assertThat(bench.state.inSyncVoters()).isEqualTo(3);
    }

    @Test
    void sendsNothingToUnprovenNodeOfDifferentWriter() {
        Bench bench = benchWithTwoTimeouts().acknowledge(C, 14);
        bench.reply(C, StaleEpochReply.of(Bench.id(C), Epoch.of(9)));

        assertThat(bench.append(13).words).noneMatch(word -> word.startsWith("c "));
    }

    @Test
    void requiresProofFromNoNodeBeforeTermStart() {
        Bench bench = Bench.recovering(Bench.settings(2, A, B, C), members(A, B, C));
        bench.acknowledge(C, 11);
        for (int i = 0; i < 2; i++) {
            bench.advance(TIMEOUT + 10);
            assertThat(bench.acknowledge(C, 11).words).contains("c in sync again");
        }
    }

    /** C did not acknowledge entry 13, and then entry 14. */
    private static Bench benchWithTwoTimeouts() {
        Bench bench = writingBench();
        for (long sn = 13; sn <= 14; sn++) {
            bench.append(sn - 2).acknowledge(A, sn).acknowledge(B, sn);
            bench.advance(TIMEOUT + 10);
            assertThat(bench.words).contains("c out of sync at " + sn);
            bench.acknowledge(C, 13);
        }
        assertThat(bench.state.peers().findByAddress(C).timeouts().recentCount())
                .isEqualTo(2);
        return bench;
    }

    // One part at a time

    @Test
    void staleAnswerToEarlierPartDoesNotTriggerParallelPart() {
        Bench bench = benchWithLaggingNode();
        // nothing came of the first part for so long that it is asked again, and it has more by now
        bench.advance(4 * TIMEOUT + 10);
        assertThat(bench.acknowledge(C, 10).words).containsExactly("c entries 11..12 from a");

        bench.step(WriterEvent.partSent(C, 8, 1));

        assertThat(bench.acknowledge(C, 8).words).isEmpty();
        assertThat(bench.acknowledge(C, 10).words).isEmpty();
        assertThat(bench.state.peers().findByAddress(C).matchedSn()).isEqualTo(10);
    }

    @Test
    void rebasedNodeGetsFullTimeForFirstPart() {
        Bench bench = benchWithLaggingNode();
        bench.advance(4 * TIMEOUT + 10);
        bench.step(WriterEvent.loadPurged(C, base())).advance(3 * TIMEOUT);

        assertThat(bench.acknowledge(C, 9).words).containsExactly("c entries 10..12 from a");

        bench.advance(2 * TIMEOUT);
        assertThat(bench.state.peers().findByAddress(C).progress()).isEqualTo(ProgressState.CATCHING_UP);
    }

    @Test
    void rebasingNodeGetsFourTimesTimeout() {
        Bench bench = benchWithLaggingNode();
        bench.advance(3 * TIMEOUT);
        assertThat(bench.step(WriterEvent.loadPurged(C, base())).sentTo(C, RebaseRequest.class))
                .hasSize(1);

        bench.advance(4 * TIMEOUT);
        assertThat(bench.state.peers().findByAddress(C).progress()).isEqualTo(ProgressState.CATCHING_UP);
        bench.advance(10);
        assertThat(bench.state.peers().findByAddress(C).progress()).isEqualTo(ProgressState.PROBING);
    }

    @Test
    void droppedNodeHasNoPendingRequestUntilNextOne() {
        Bench bench = writingBench(Bench.settings(2, A, B, C).catchUpBytesPerSecond(1_000));
        bench.append(11).append(12).acknowledge(A, 14).acknowledge(B, 14).trim(15);
        bench.advance(TIMEOUT + 10).step(WriterEvent.partSent(B, 1, 1_000_000));

        assertThat(bench.acknowledge(C, 13).words).isEmpty();

        assertThat(bench.state.peers().findByAddress(C).progress()).isEqualTo(ProgressState.CATCHING_UP);
        assertThat(bench.state.peers().findByAddress(C).waitingSinceNanos()).isEmpty();
    }

    @Test
    void throttlesNoNodeBeforeTermStart() {
        Bench bench = Bench.recovering(Bench.settings(2, A, B, C).catchUpBytesPerSecond(1_000), members(A, B, C));
        bench.trim(13).step(WriterEvent.partSent(B, 1, 1_000_000));

        assertThat(reportLagOfC(bench)).containsExactly("c entries 6..10 from a");
    }

    // From whom

    @Test
    void nodeWithoutSourceReturnsToProbing() {
        Bench bench = writingBench();
        bench.trim(13).step(WriterEvent.peerDisconnected(A)).step(WriterEvent.peerDisconnected(B));

        assertThat(reportLagOfC(bench)).isEmpty();

        assertThat(bench.state.peers().findByAddress(C).progress()).isEqualTo(ProgressState.PROBING);
    }

    @Test
    void localNodeIsSourceEvenWhenListedFirst() {
        Bench bench = Bench.recovering(Bench.settings(2, A, B, C).localNode(A), members(A, B, C));
        bench.acknowledge(A, 11).acknowledge(B, 12).trim(13);

        assertThat(reportLagOfC(bench)).containsExactly("c entries 6..11 from a");
    }

    @Test
    void sourceFailingToReadIsAvoidedWhileAlternativeExists() {
        Bench bench = Bench.recovering(Bench.settings(2, A, B, C), members(A, B, C));
        bench.acknowledge(A, 11).acknowledge(B, 12).trim(13);

        bench.step(WriterEvent.loadFailed(C, B));

        assertThat(reportLagOfC(bench)).containsExactly("c entries 6..11 from a");
    }

    @Test
    void firstSourceIsRetriedWhenSourcesFailedTogether() {
        Bench bench = benchWithLaggingNode();
        bench.step(WriterEvent.loadFailed(C, A)).step(WriterEvent.loadFailed(C, B));

        bench.advanceClock(TIMEOUT + 10);

        assertThat(reportLagOfC(bench)).containsExactly("c entries 6..12 from a");
    }

    // What is sent, and what it brings

    @Test
    void heartbeatAnswerDoesNotEndWaitForPart() {
        Bench bench = benchWithLaggingNode();

        assertThat(bench.acknowledge(C, 0).words).isEmpty();
        assertThat(bench.acknowledge(C, 12).words).isEmpty();
        assertThat(bench.state.inSyncVoters()).isEqualTo(3);
    }

    @Test
    void olderAnswerDoesNotTriggerParallelPart() {
        Bench bench = benchWithLaggingNode();

        assertThat(bench.acknowledge(C, 4).words).isEmpty();
        assertThat(bench.acknowledge(C, 5).words).isEmpty();
        assertThat(bench.acknowledge(C, 7).words).isEmpty();
        assertThat(bench.advance(10).words).isEmpty();
        bench.step(WriterEvent.partSent(C, 8, 1));

        assertThat(bench.acknowledge(C, 8).words).containsExactly("c entries 9..12 from a");
    }

    @Test
    void smallGapIsSentImmediatelyAndLargerOneInParts() {
        Bench bench = writingBench();
        bench.step(WriterEvent.peerDisconnected(C));
        for (long txId = 11; txId < 11 + 33; txId++) {
            bench.append(txId).acknowledge(A, bench.state.lastSn()).acknowledge(B, bench.state.lastSn());
        }
        bench.connect(C, 4);

        bench.acknowledge(C, bench.state.lastSn() - 33);
        assertThat(bench.state.inSyncVoters()).isEqualTo(2);

        bench.step(WriterEvent.peerDisconnected(C)).connect(C, 4).acknowledge(C, bench.state.lastSn() - 32);
        assertThat(bench.words).contains("c entries 14..45");
        assertThat(bench.append(50).words).contains("c entries 46..46");
    }

    @Test
    void neverDroppedNodeIsNotReportedInSyncAgain() {
        Bench bench = writingBench();
        bench.step(WriterEvent.peerDisconnected(C)).connect(C, 4);

        assertThat(bench.acknowledge(C, 12).words).doesNotContain("c in sync again");
    }

    @Test
    void localNodeIsSourceEvenWhenOthersHaveMore() {
        Bench bench = new Bench(Bench.settings(2, A, B, C).localNode(B).build());
        bench.connect(A, 3).connect(B, 3).connect(C, 3);
        bench.promise(A, end(3, 10, members(A, B, C)), 8).promise(B, end(3, 10, members(A, B, C)), 8);
        bench.acknowledge(A, 12).acknowledge(B, 11);
        bench.trim(13);

        assertThat(reportLagOfC(bench)).containsExactly("c entries 6..11 from b");
    }

    @Test
    void furthestNodeIsSource() {
        Bench bench = new Bench(1, A, B, C, D).connect(A, 3).connect(B, 3).connect(C, 3);
        bench.promise(A, end(3, 10, members(A, B, C)), 8).promise(B, end(3, 10, members(A, B, C)), 8);
        bench.acknowledge(A, 11).acknowledge(B, 12);
        bench.trim(13);

        assertThat(reportLagOfC(bench)).containsExactly("c entries 6..12 from b");
    }

    @Test
    void nodeWithoutMoreEntriesIsNotSource() {
        Bench bench = writingBench();
        bench.trim(13).step(WriterEvent.peerDisconnected(A));
        bench.reply(B, MismatchReply.of(id(B), bench.state.epoch(), positionAt(2, 5), 5, LogCompleteness.REFETCHING));

        assertThat(reportLagOfC(bench)).noneMatch(word -> word.startsWith("c entries"));
    }

    @Test
    void retiredNodeIsNoSource() {
        Bench bench = writingBench();
        bench.trim(13);
        bench.reply(A, NotFormattedReply.of(id(A)));

        assertThat(reportLagOfC(bench)).containsExactly("c entries 6..12 from b");
    }

    @Test
    void termCountsAsStuckOnlyAfterTwoAckTimeouts() {
        Bench bench = stuckTerm();

        bench.advance(2 * Bench.ACK_TIMEOUT_MILLIS);
        assertThat(bench.state.stage()).isEqualTo(WriterStage.RECOVERING);

        bench.advance(10);
        assertThat(bench.state.stage()).isEqualTo(WriterStage.ACQUIRING_EPOCH);
    }

    @Test
    void startedTermIsNeverStuck() {
        Bench bench = Bench.recovering(A, B, C);
        bench.acknowledge(A, 11).acknowledge(B, 11);
        bench.reply(C, StaleEpochReply.of(id(C), Epoch.of(9)));

        bench.advance(5 * Bench.ACK_TIMEOUT_MILLIS);

        assertThat(bench.state.epoch()).isEqualTo(Epoch.of(4));
    }

    @Test
    void termWaitsForAbsentNodesWithoutRestart() {
        Bench bench = Bench.recovering(A, B, C);
        bench.step(WriterEvent.peerDisconnected(B)).step(WriterEvent.peerDisconnected(C));

        bench.advance(5 * Bench.ACK_TIMEOUT_MILLIS);

        assertThat(bench.state.stage()).isEqualTo(WriterStage.RECOVERING);
        assertThat(bench.state.epoch()).isEqualTo(Epoch.of(4));
    }

    @Test
    void laggingLearnerNeverMakesTermStuck() {
        Members members = Members.of(List.of(voter(A), voter(B), Member.permanentLearner(id(C), C)));
        Bench bench = new Bench(2, A, B, C).connect(A, 3).connect(B, 3).connect(C, 3);
        bench.promise(A, end(3, 10, members), 8).promise(B, end(3, 10, members), 8);
        bench.reply(C, StaleEpochReply.of(id(C), Epoch.of(9)));

        bench.advance(5 * Bench.ACK_TIMEOUT_MILLIS);

        assertThat(bench.state.stage()).isEqualTo(WriterStage.RECOVERING);
    }

    @Test
    void entriesPurgedEverywhereCauseRebase() {
        Bench bench = benchWithLaggingNode();
        LogSummary base = base();

        bench.step(WriterEvent.loadPurged(C, base));

        assertThat(bench.sentTo(C, RebaseRequest.class))
                .extracting(RebaseRequest::base)
                .containsExactly(base);
        assertThat(bench.advance(HEARTBEAT).sentTo(C, AppendRequest.class)).isEmpty();
    }

    @Test
    void departedNodeIsNotRebased() {
        Bench bench = benchWithLaggingNode();
        bench.step(WriterEvent.peerDisconnected(C));

        assertThat(bench.step(WriterEvent.loadPurged(C, base())).words).isEmpty();
    }

    @Test
    void restartedTermRebasesNoNode() {
        Bench bench = stuckTerm().advance(2 * Bench.ACK_TIMEOUT_MILLIS + 10);

        assertThat(bench.step(WriterEvent.loadPurged(C, base())).words).isEmpty();
    }

    @Test
    void delayedPartDoesNotCreateDebt() {
        Bench bench = writingBench();
        WriterState before = bench.state;

        bench.step(WriterEvent.partSent(A, 5, 0));

        assertThat(bench.state.peers().findByAddress(A))
                .isEqualTo(before.peers().findByAddress(A));
    }

    @Test
    void termIsNotStuckWhileSourceHasMissingEntries() {
        Bench bench = Bench.recovering(A, B, C);
        bench.acknowledge(A, 12).step(WriterEvent.peerDisconnected(B)).trim(13);
        assertThat(reportLagOfC(bench)).containsExactly("c entries 6..12 from a");

        bench.advance(3 * Bench.ACK_TIMEOUT_MILLIS);

        assertThat(bench.state.stage()).isEqualTo(WriterStage.RECOVERING);
    }

    @Test
    void termIsNotStuckForNeverSeenNode() {
        Bench bench = new Bench(2, D, A, B, C).connect(A, 3).connect(B, 3).connect(C, 3);
        bench.promise(A, end(3, 10, members(A, B, C)), 8)
                .promise(B, end(3, 10, members(A, B, C)), 8)
                .acknowledge(C, 10);

        bench.advance(3 * Bench.ACK_TIMEOUT_MILLIS);

        assertThat(bench.state.stage()).isEqualTo(WriterStage.RECOVERING);
    }

    @Test
    void delayedNodeWithoutNewEntriesIsServedAgain() {
        Bench bench = writingBench();
        bench.append(11).acknowledge(A, 13).acknowledge(B, 13);
        bench.advance(Bench.ACK_TIMEOUT_MILLIS + 10);

        assertThat(bench.acknowledge(C, 12).words).containsExactly("c in sync again", "c entries 13..13");
    }

    @Test
    void catchUpContinuesFromFurtherMismatch() {
        Bench bench = benchWithLaggingNode();

        bench.reply(C, MismatchReply.of(id(C), bench.state.epoch(), positionAt(4, 11), 5, LogCompleteness.COMPLETE));

        assertThat(bench.words).containsExactly("c entries 12..12 from a");
    }

    /** A alone has what a majority lacks, and is gone. */
    private static Bench stuckTerm() {
        Bench bench = new Bench(2, A, B, C).connect(A, 3).connect(B, 3).connect(C, 3);
        bench.promise(A, end(3, 10, members(A, B, C)), 8).promise(B, end(2, 9, members(A, B, C)), 8);
        bench.step(WriterEvent.peerDisconnected(A));
        return bench;
    }

    private static LogSummary base() {
        return end(3, 9, members(A, B, C));
    }

    /** C says that its log ends at entry 5; what the writer does about that. */
    private static List<String> reportLagOfC(Bench bench) {
        bench.reply(
                C, MismatchReply.of(Bench.id(C), bench.state.epoch(), positionAt(2, 5), 5, LogCompleteness.COMPLETE));
        return bench.words;
    }

    /** C is caught up from A; the writer has none of it in memory. */
    private static Bench benchWithLaggingNode() {
        Bench bench = writingBench();
        bench.trim(13);
        assertThat(reportLagOfC(bench)).containsExactly("c entries 6..12 from a");
        return bench;
    }

    private static Bench writingBench() {
        return Bench.writing(A, B, C);
    }

    private static Bench writingBench(WriterSettings.Builder settings) {
        return Bench.writing(settings, members(A, B, C));
    }
}

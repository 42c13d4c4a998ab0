/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer;

import static io.trefoil.journal.writer.Bench.at;
import static io.trefoil.journal.writer.Bench.end;
import static io.trefoil.journal.writer.Bench.id;
import static io.trefoil.journal.writer.Bench.members;
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
        Bench bench = timedOutTwice();
        assertThat(bench.acks(C, 14).words).containsExactly("c CommitRequest");

        assertThat(bench.appends(13).words).contains("c entries 15..15");
        assertThat(bench.appends(14).words).doesNotContain("c entries 16..16");
        assertThat(bench.acks(A, 16).acks(C, 15).words).contains("c entries 16..16");
        assertThat(bench.acks(C, 16).words).doesNotContain("c in sync again");

        bench.acks(B, 16).passes(TIMEOUT);
        assertThat(bench.state.peers().at(C).progress()).isEqualTo(ProgressState.CATCHING_UP);
        bench.passes(10);

        assertThat(bench.words).contains("c in sync again");
        assertThat(bench.state.inSyncVoters()).isEqualTo(3);
    }

    @Test
    void sendsNothingToUnprovenNodeOfDifferentWriter() {
        Bench bench = timedOutTwice().acks(C, 14);
        bench.reply(C, StaleEpochReply.of(Bench.id(C), Epoch.of(9)));

        assertThat(bench.appends(13).words).noneMatch(word -> word.startsWith("c "));
    }

    @Test
    void requiresProofFromNoNodeBeforeTermStart() {
        Bench bench = Bench.recovering(Bench.settings(2, A, B, C), members(A, B, C));
        bench.acks(C, 11);
        for (int i = 0; i < 2; i++) {
            bench.passes(TIMEOUT + 10);
            assertThat(bench.acks(C, 11).words).contains("c in sync again");
        }
    }

    /** C did not acknowledge entry 13, and then entry 14. */
    private static Bench timedOutTwice() {
        Bench bench = writing();
        for (long sn = 13; sn <= 14; sn++) {
            bench.appends(sn - 2).acks(A, sn).acks(B, sn);
            bench.passes(TIMEOUT + 10);
            assertThat(bench.words).contains("c out of sync at " + sn);
            bench.acks(C, 13);
        }
        assertThat(bench.state.peers().at(C).timeouts().recent()).isEqualTo(2);
        return bench;
    }

    // One part at a time

    @Test
    void staleAnswerToEarlierPartTriggersNoParallelPart() {
        Bench bench = behind();
        // nothing came of the first part for so long that it is asked again, and it has more by now
        bench.passes(4 * TIMEOUT + 10);
        assertThat(bench.acks(C, 10).words).containsExactly("c entries 11..12 from a");

        bench.step(WriterEvent.partSent(C, 8, 1));

        assertThat(bench.acks(C, 8).words).isEmpty();
        assertThat(bench.acks(C, 10).words).isEmpty();
        assertThat(bench.state.peers().at(C).matchedSn()).isEqualTo(10);
    }

    @Test
    void rebasedNodeGetsFullTimeForFirstPart() {
        Bench bench = behind();
        bench.passes(4 * TIMEOUT + 10);
        bench.step(WriterEvent.loadPurged(C, base())).passes(3 * TIMEOUT);

        assertThat(bench.acks(C, 9).words).containsExactly("c entries 10..12 from a");

        bench.passes(2 * TIMEOUT);
        assertThat(bench.state.peers().at(C).progress()).isEqualTo(ProgressState.CATCHING_UP);
    }

    @Test
    void rebasingNodeGetsFourTimesTimeout() {
        Bench bench = behind();
        bench.passes(3 * TIMEOUT);
        assertThat(bench.step(WriterEvent.loadPurged(C, base())).sent(C, RebaseRequest.class))
                .hasSize(1);

        bench.passes(4 * TIMEOUT);
        assertThat(bench.state.peers().at(C).progress()).isEqualTo(ProgressState.CATCHING_UP);
        bench.passes(10);
        assertThat(bench.state.peers().at(C).progress()).isEqualTo(ProgressState.PROBING);
    }

    @Test
    void droppedNodeHasNoPendingRequestUntilNextOne() {
        Bench bench = writing(Bench.settings(2, A, B, C).catchUpBytesPerSecond(1_000));
        bench.appends(11).appends(12).acks(A, 14).acks(B, 14).trimmed(15);
        bench.passes(TIMEOUT + 10).step(WriterEvent.partSent(B, 1, 1_000_000));

        assertThat(bench.acks(C, 13).words).isEmpty();

        assertThat(bench.state.peers().at(C).progress()).isEqualTo(ProgressState.CATCHING_UP);
        assertThat(bench.state.peers().at(C).waitingSinceNanos()).isEmpty();
    }

    @Test
    void throttlesNoNodeBeforeTermStart() {
        Bench bench = Bench.recovering(Bench.settings(2, A, B, C).catchUpBytesPerSecond(1_000), members(A, B, C));
        bench.trimmed(13).step(WriterEvent.partSent(B, 1, 1_000_000));

        assertThat(lacks(bench)).containsExactly("c entries 6..10 from a");
    }

    // From whom

    @Test
    void nodeWithoutSourceReturnsToProbing() {
        Bench bench = writing();
        bench.trimmed(13).step(WriterEvent.peerDisconnected(A)).step(WriterEvent.peerDisconnected(B));

        assertThat(lacks(bench)).isEmpty();

        assertThat(bench.state.peers().at(C).progress()).isEqualTo(ProgressState.PROBING);
    }

    @Test
    void localNodeIsSourceEvenWhenListedFirst() {
        Bench bench = Bench.recovering(Bench.settings(2, A, B, C).local(A), members(A, B, C));
        bench.acks(A, 11).acks(B, 12).trimmed(13);

        assertThat(lacks(bench)).containsExactly("c entries 6..11 from a");
    }

    @Test
    void sourceFailingToReadIsAvoidedWhileAlternativeExists() {
        Bench bench = Bench.recovering(Bench.settings(2, A, B, C), members(A, B, C));
        bench.acks(A, 11).acks(B, 12).trimmed(13);

        bench.step(WriterEvent.loadFailed(C, B));

        assertThat(lacks(bench)).containsExactly("c entries 6..11 from a");
    }

    @Test
    void firstSourceIsRetriedWhenSourcesFailedTogether() {
        Bench bench = behind();
        bench.step(WriterEvent.loadFailed(C, A)).step(WriterEvent.loadFailed(C, B));

        bench.after(TIMEOUT + 10);

        assertThat(lacks(bench)).containsExactly("c entries 6..12 from a");
    }

    // What is sent, and what it brings

    @Test
    void heartbeatAnswerDoesNotEndWaitForPart() {
        Bench bench = behind();

        assertThat(bench.acks(C, 0).words).isEmpty();
        assertThat(bench.acks(C, 12).words).isEmpty();
        assertThat(bench.state.inSyncVoters()).isEqualTo(3);
    }

    @Test
    void olderAnswerTriggersNoParallelPart() {
        Bench bench = behind();

        assertThat(bench.acks(C, 4).words).isEmpty();
        assertThat(bench.acks(C, 5).words).isEmpty();
        assertThat(bench.acks(C, 7).words).isEmpty();
        assertThat(bench.passes(10).words).isEmpty();
        bench.step(WriterEvent.partSent(C, 8, 1));

        assertThat(bench.acks(C, 8).words).containsExactly("c entries 9..12 from a");
    }

    @Test
    void smallGapIsSentImmediatelyAndLargerOneInParts() {
        Bench bench = writing();
        bench.step(WriterEvent.peerDisconnected(C));
        for (long txId = 11; txId < 11 + 33; txId++) {
            bench.appends(txId).acks(A, bench.state.lastSn()).acks(B, bench.state.lastSn());
        }
        bench.up(C, 4);

        bench.acks(C, bench.state.lastSn() - 33);
        assertThat(bench.state.inSyncVoters()).isEqualTo(2);

        bench.step(WriterEvent.peerDisconnected(C)).up(C, 4).acks(C, bench.state.lastSn() - 32);
        assertThat(bench.words).contains("c entries 14..45");
        assertThat(bench.appends(50).words).contains("c entries 46..46");
    }

    @Test
    void neverDroppedNodeIsNotReportedInSyncAgain() {
        Bench bench = writing();
        bench.step(WriterEvent.peerDisconnected(C)).up(C, 4);

        assertThat(bench.acks(C, 12).words).doesNotContain("c in sync again");
    }

    @Test
    void localNodeIsSourceEvenWhenOthersHaveMore() {
        Bench bench = new Bench(Bench.settings(2, A, B, C).local(B).build());
        bench.up(A, 3).up(B, 3).up(C, 3);
        bench.promises(A, end(3, 10, members(A, B, C)), 8).promises(B, end(3, 10, members(A, B, C)), 8);
        bench.acks(A, 12).acks(B, 11);
        bench.trimmed(13);

        assertThat(lacks(bench)).containsExactly("c entries 6..11 from b");
    }

    @Test
    void furthestNodeIsSource() {
        Bench bench = new Bench(1, A, B, C, D).up(A, 3).up(B, 3).up(C, 3);
        bench.promises(A, end(3, 10, members(A, B, C)), 8).promises(B, end(3, 10, members(A, B, C)), 8);
        bench.acks(A, 11).acks(B, 12);
        bench.trimmed(13);

        assertThat(lacks(bench)).containsExactly("c entries 6..12 from b");
    }

    @Test
    void nodeWithoutMoreEntriesIsNoSource() {
        Bench bench = writing();
        bench.trimmed(13).step(WriterEvent.peerDisconnected(A));
        bench.reply(B, MismatchReply.of(id(B), bench.state.epoch(), at(2, 5), 5, LogCompleteness.REFETCHING));

        assertThat(lacks(bench)).noneMatch(word -> word.startsWith("c entries"));
    }

    @Test
    void retiredNodeIsNoSource() {
        Bench bench = writing();
        bench.trimmed(13);
        bench.reply(A, NotFormattedReply.of(id(A)));

        assertThat(lacks(bench)).containsExactly("c entries 6..12 from b");
    }

    @Test
    void termIsStuckOnlyAfterTwoAckTimeouts() {
        Bench bench = stuck();

        bench.passes(2 * Bench.ACK_TIMEOUT_MILLIS);
        assertThat(bench.state.stage()).isEqualTo(WriterStage.RECOVERING);

        bench.passes(10);
        assertThat(bench.state.stage()).isEqualTo(WriterStage.ACQUIRING_EPOCH);
    }

    @Test
    void startedTermIsNeverStuck() {
        Bench bench = Bench.recovering(A, B, C);
        bench.acks(A, 11).acks(B, 11);
        bench.reply(C, StaleEpochReply.of(id(C), Epoch.of(9)));

        bench.passes(5 * Bench.ACK_TIMEOUT_MILLIS);

        assertThat(bench.state.epoch()).isEqualTo(Epoch.of(4));
    }

    @Test
    void termWaitsForAbsentNodesWithoutRestart() {
        Bench bench = Bench.recovering(A, B, C);
        bench.step(WriterEvent.peerDisconnected(B)).step(WriterEvent.peerDisconnected(C));

        bench.passes(5 * Bench.ACK_TIMEOUT_MILLIS);

        assertThat(bench.state.stage()).isEqualTo(WriterStage.RECOVERING);
        assertThat(bench.state.epoch()).isEqualTo(Epoch.of(4));
    }

    @Test
    void laggingLearnerNeverMakesTermStuck() {
        Members members = Members.of(List.of(voter(A), voter(B), Member.permanentLearner(id(C), C)));
        Bench bench = new Bench(2, A, B, C).up(A, 3).up(B, 3).up(C, 3);
        bench.promises(A, end(3, 10, members), 8).promises(B, end(3, 10, members), 8);
        bench.reply(C, StaleEpochReply.of(id(C), Epoch.of(9)));

        bench.passes(5 * Bench.ACK_TIMEOUT_MILLIS);

        assertThat(bench.state.stage()).isEqualTo(WriterStage.RECOVERING);
    }

    @Test
    void entriesPurgedEverywhereCauseRebase() {
        Bench bench = behind();
        LogSummary base = base();

        bench.step(WriterEvent.loadPurged(C, base));

        assertThat(bench.sent(C, RebaseRequest.class))
                .extracting(RebaseRequest::base)
                .containsExactly(base);
        assertThat(bench.passes(HEARTBEAT).sent(C, AppendRequest.class)).isEmpty();
    }

    @Test
    void goneNodeIsNotRebased() {
        Bench bench = behind();
        bench.step(WriterEvent.peerDisconnected(C));

        assertThat(bench.step(WriterEvent.loadPurged(C, base())).words).isEmpty();
    }

    @Test
    void restartedTermRebasesNoNode() {
        Bench bench = stuck().passes(2 * Bench.ACK_TIMEOUT_MILLIS + 10);

        assertThat(bench.step(WriterEvent.loadPurged(C, base())).words).isEmpty();
    }

    @Test
    void latePartCreatesNoDebt() {
        Bench bench = writing();
        WriterState before = bench.state;

        bench.step(WriterEvent.partSent(A, 5, 0));

        assertThat(bench.state.peers().at(A)).isEqualTo(before.peers().at(A));
    }

    @Test
    void termIsNotStuckWhileSourceHasMissingEntries() {
        Bench bench = Bench.recovering(A, B, C);
        bench.acks(A, 12).step(WriterEvent.peerDisconnected(B)).trimmed(13);
        assertThat(lacks(bench)).containsExactly("c entries 6..12 from a");

        bench.passes(3 * Bench.ACK_TIMEOUT_MILLIS);

        assertThat(bench.state.stage()).isEqualTo(WriterStage.RECOVERING);
    }

    @Test
    void termIsNotStuckForNeverSeenNode() {
        Bench bench = new Bench(2, D, A, B, C).up(A, 3).up(B, 3).up(C, 3);
        bench.promises(A, end(3, 10, members(A, B, C)), 8)
                .promises(B, end(3, 10, members(A, B, C)), 8)
                .acks(C, 10);

        bench.passes(3 * Bench.ACK_TIMEOUT_MILLIS);

        assertThat(bench.state.stage()).isEqualTo(WriterStage.RECOVERING);
    }

    @Test
    void lateNodeWithoutNewEntriesIsServedAgain() {
        Bench bench = writing();
        bench.appends(11).acks(A, 13).acks(B, 13);
        bench.passes(Bench.ACK_TIMEOUT_MILLIS + 10);

        assertThat(bench.acks(C, 12).words).containsExactly("c in sync again", "c entries 13..13");
    }

    @Test
    void catchUpContinuesFromFurtherMismatch() {
        Bench bench = behind();

        bench.reply(C, MismatchReply.of(id(C), bench.state.epoch(), at(4, 11), 5, LogCompleteness.COMPLETE));

        assertThat(bench.words).containsExactly("c entries 12..12 from a");
    }

    /** A alone has what a majority lacks, and is gone. */
    private static Bench stuck() {
        Bench bench = new Bench(2, A, B, C).up(A, 3).up(B, 3).up(C, 3);
        bench.promises(A, end(3, 10, members(A, B, C)), 8).promises(B, end(2, 9, members(A, B, C)), 8);
        bench.step(WriterEvent.peerDisconnected(A));
        return bench;
    }

    private static LogSummary base() {
        return end(3, 9, members(A, B, C));
    }

    /** C says that its log ends at entry 5; what the writer does about that. */
    private static List<String> lacks(Bench bench) {
        bench.reply(C, MismatchReply.of(Bench.id(C), bench.state.epoch(), at(2, 5), 5, LogCompleteness.COMPLETE));
        return bench.words;
    }

    /** C is caught up from A; the writer has none of it in memory. */
    private static Bench behind() {
        Bench bench = writing();
        bench.trimmed(13);
        assertThat(lacks(bench)).containsExactly("c entries 6..12 from a");
        return bench;
    }

    private static Bench writing() {
        return Bench.writing(A, B, C);
    }

    private static Bench writing(WriterSettings.Builder settings) {
        return Bench.writing(settings, members(A, B, C));
    }
}

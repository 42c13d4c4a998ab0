/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer;

import static io.trefoil.journal.writer.Bench.end;
import static io.trefoil.journal.writer.Bench.id;
import static io.trefoil.journal.writer.Bench.members;
import static io.trefoil.journal.writer.Bench.positionAt;
import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.protocol.AppendRequest;
import io.trefoil.journal.protocol.AppendedReply;
import io.trefoil.journal.protocol.CommitRequest;
import io.trefoil.journal.protocol.MismatchReply;
import io.trefoil.journal.protocol.NotFormattedReply;
import io.trefoil.journal.protocol.StaleEpochReply;
import io.trefoil.journal.writer.events.WriterEvent;
import io.trefoil.journal.writer.events.WriterStage;
import io.trefoil.journal.writer.peer.Peer;
import io.trefoil.journal.writer.peer.ProgressState;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is sent to whom, and what an answer says of a log (protocol page, "Writing"). */
class ReplicationTest {

    private static final NodeAddress A = NodeAddress.of("a", 1);
    private static final NodeAddress B = NodeAddress.of("b", 1);
    private static final NodeAddress C = NodeAddress.of("c", 1);

    @Test
    void sendsCommitNoticesOnlyToNodesInSync() {
        Bench bench = Bench.writing(A, B, C);
        bench.append(11).acknowledge(A, 13).acknowledge(B, 13);
        bench.step(WriterEvent.peerDisconnected(C)).connect(C, 4);

        bench.step(WriterEvent.announceDelayPassed(13));

        assertThat(bench.sentTo(A, CommitRequest.class)).hasSize(1);
        assertThat(bench.sentTo(C, CommitRequest.class)).isEmpty();
    }

    @Test
    void sendsNothingToNodeFollowingDifferentWriter() {
        Bench bench = Bench.writing(A, B, C);
        bench.append(11).acknowledge(A, 13).acknowledge(B, 13);
        bench.reply(C, StaleEpochReply.of(id(C), Epoch.of(9)));

        bench.step(WriterEvent.announceDelayPassed(13));

        assertThat(bench.sentTo(C, CommitRequest.class)).isEmpty();
    }

    @Test
    void sendsNoCommitNoticeToDisconnectedNodeAfterNextBatch() {
        Bench bench = Bench.writing(A, B, C);
        bench.append(11).acknowledge(A, 13).acknowledge(B, 13).acknowledge(C, 13);
        bench.step(WriterEvent.peerDisconnected(C));

        bench.append(12);

        assertThat(bench.step(WriterEvent.announceDelayPassed(13)).words).isEmpty();
    }

    @Test
    void forgetsCommittedEntriesOnceMemoryIsFull() {
        Bench bench = Bench.writing(Bench.settings(2, A, B, C).windowBytes(2), members(A, B, C));
        bench.append(11).acknowledge(A, 13).acknowledge(B, 13);

        assertThat(bench.append(12).words).contains("forget below 14");
    }

    @Test
    void forgetsNothingWhileMemoryHasSpace() {
        Bench bench = Bench.writing(A, B, C);
        bench.append(11).acknowledge(A, 13).acknowledge(B, 13);

        assertThat(bench.append(12).words).noneMatch(word -> word.startsWith("forget"));
    }

    @Test
    void mismatchBelowAcknowledgedEntryRevokesAcknowledgement() {
        Bench bench = Bench.writing(A, B, C);
        bench.append(11).acknowledge(A, 13);

        bench.reply(A, MismatchReply.of(id(A), bench.state.epoch(), positionAt(4, 12), 12, LogCompleteness.COMPLETE));

        assertThat(bench.acknowledge(B, 13).state.committedSn()).isEqualTo(12);
        assertThat(bench.acknowledge(C, 13).state.committedSn()).isEqualTo(13);
    }

    @Test
    void delayedMismatchRevokesNothing() {
        Bench bench = Bench.writing(A, B, C);
        bench.append(11).acknowledge(A, 13);

        bench.reply(A, MismatchReply.of(id(A), bench.state.epoch(), positionAt(4, 13), 12, LogCompleteness.COMPLETE));

        assertThat(bench.acknowledge(B, 13).words).contains("committed 13");
    }

    @Test
    void mismatchRevealsSharedPrefix() {
        // of this epoch: as far as it goes
        assertThat(matchedAfterMismatch(positionAt(4, 11), 5)).isEqualTo(11);
        // it ends like the chosen one, which is longer
        assertThat(matchedAfterMismatch(positionAt(3, 9), 5)).isEqualTo(9);
        // it ends in the epoch of the chosen one, and is longer
        assertThat(matchedAfterMismatch(positionAt(3, 15), 5)).isEqualTo(10);
        // of another epoch: what is committed
        assertThat(matchedAfterMismatch(positionAt(2, 9), 5)).isEqualTo(5);
    }

    @Test
    void termStartProbesNodesWithoutPromise() {
        Bench bench = new Bench(2, A, B, C).connect(A, 3).connect(B, 3).connect(C, 3);
        bench.promise(A, end(3, 10, members(A, B, C)), 8);

        bench.promise(B, end(3, 10, members(A, B, C)), 8);

        assertThat(bench.sentTo(C, AppendRequest.class))
                .extracting(AppendRequest::prev)
                .containsExactly(positionAt(4, 12));
        assertThat(bench.sentTo(A, AppendRequest.class)).isEmpty();
        assertThat(bench.words).contains("a entries 11..12", "b entries 11..12");
    }

    @Test
    void termStartSendsNothingToDisconnectedNodes() {
        Bench bench = new Bench(2, A, B, C).connect(A, 3).connect(B, 3).connect(C, 3);
        bench.promise(A, end(3, 10, members(A, B, C)), 8).step(WriterEvent.peerDisconnected(C));

        bench.promise(B, end(3, 10, members(A, B, C)), 8);

        assertThat(bench.sentTo(C, AppendRequest.class)).isEmpty();
    }

    @Test
    void delayedMismatchFromEarlierTermRevokesNothing() {
        Bench bench = Bench.writing(A, B, C);
        bench.append(11).acknowledge(A, 13);

        bench.reply(A, MismatchReply.of(id(A), bench.state.epoch(), positionAt(2, 13), 5, LogCompleteness.COMPLETE));

        assertThat(bench.acknowledge(B, 13).words).contains("committed 13");
    }

    @Test
    void mismatchMayCompleteMajority() {
        Bench bench = Bench.writing(A, B, C);
        bench.append(11).append(12).acknowledge(A, 13);

        bench.reply(B, MismatchReply.of(id(B), bench.state.epoch(), positionAt(4, 13), 12, LogCompleteness.COMPLETE));

        assertThat(bench.words).contains("committed 13");
    }

    @Test
    void tracksRefetchingOfNodeAwaitedForPart() {
        Bench bench = benchWithLaggingNode();

        bench.reply(C, MismatchReply.of(id(C), bench.state.epoch(), positionAt(2, 5), 5, LogCompleteness.REFETCHING));

        assertThat(bench.words).isEmpty();
        assertThat(bench.state.peers().findByAddress(C).completeness()).isEqualTo(LogCompleteness.REFETCHING);
    }

    @Test
    void heartbeatAnswerDoesNotRevealLogEnd() {
        Bench bench = Bench.writing(A, B, C);
        bench.append(11).acknowledge(A, 13).acknowledge(B, 13);
        bench.advance(Bench.ACK_TIMEOUT_MILLIS + 10);

        assertThat(bench.acknowledge(C, 0).words).isEmpty();
        assertThat(bench.state.peers().findByAddress(C).progress()).isEqualTo(ProgressState.PROBING);
    }

    @Test
    void writesNothingForNodeFollowingDifferentWriter() {
        Bench bench = Bench.writing(A, B, C);
        bench.reply(C, StaleEpochReply.of(id(C), Epoch.of(9)));

        assertThat(bench.append(11).words).doesNotContain("c entries 13..13");
    }

    @Test
    void neverResendsRequestUnderWay() {
        Bench bench = Bench.writing(A, B, C);
        bench.append(11).append(12);

        assertThat(bench.acknowledge(C, 13).words).isEmpty();
    }

    @Test
    void heartbeatAnswerRenewsLeaseAndRevealsRefetching() {
        Bench bench = benchWithLaggingNode();
        bench.advanceClock(100);

        bench.acknowledge(A, 12);
        bench.reply(C, AppendedReply.of(id(C), bench.state.epoch(), 0, LogCompleteness.REFETCHING));

        assertThat(bench.state.leaseFromNanos()).contains(bench.nowNanos);
        assertThat(bench.state.peers().findByAddress(C).completeness()).isEqualTo(LogCompleteness.REFETCHING);
    }

    @Test
    void healthyNodesGetCommitNoticeAfterNodeReturnsInSync() {
        Bench bench = Bench.writing(A, B, C);
        bench.step(WriterEvent.peerDisconnected(C));
        bench.append(11).acknowledge(A, 13).acknowledge(B, 13);
        bench.connect(C, 4).acknowledge(C, 12);

        bench.step(WriterEvent.announceDelayPassed(13));

        assertThat(bench.sentTo(A, CommitRequest.class)).hasSize(1);
        assertThat(bench.sentTo(B, CommitRequest.class)).hasSize(1);
    }

    @Test
    void termStartSendsNothingToEmptyNode() {
        Bench bench = new Bench(2, A, B, C).connect(A, 3).connect(B, 3).connect(C, 3);
        bench.promise(A, end(2, 9, members(A, B, C)), 8).reply(A, NotFormattedReply.of(id(A)));

        bench.promise(B, end(3, 50, members(A, B, C)), 8);

        assertThat(bench.state.stage()).isEqualTo(WriterStage.RECOVERING);
        assertThat(bench.words).noneMatch(word -> word.startsWith("a "));
    }

    private static long matchedAfterMismatch(LogPosition last, long committedSn) {
        Bench bench = Bench.recovering(A, B, C);
        bench.reply(C, MismatchReply.of(id(C), bench.state.epoch(), last, committedSn, LogCompleteness.COMPLETE));
        return bench.state.peers().findByAddress(C).matchedSn();
    }

    /** C is caught up from A; the writer has none of it in memory. */
    private static Bench benchWithLaggingNode() {
        Bench bench = Bench.writing(A, B, C);
        bench.trim(13);
        assertThat(reportLag(bench, C)).containsExactly("c entries 6..12 from a");
        return bench;
    }

    private static List<String> reportLag(Bench bench, NodeAddress node) {
        bench.reply(
                node, MismatchReply.of(id(node), bench.state.epoch(), positionAt(2, 5), 5, LogCompleteness.COMPLETE));
        return bench.words;
    }

    /** It cannot happen by the rules, as nothing is dropped from memory that was not sent to all in sync; if it did, the writer would break. */
    @Test
    void probesNodeInSyncLackingEntriesOutsideMemory() {
        Bench bench = Bench.writing(A, B, C);
        bench.append(11);
        Peer behind =
                bench.state.peers().findByAddress(C).toBuilder().sentSn(11).build();
        bench.state =
                bench.state.toBuilder().peers(bench.state.peers().with(behind)).build();
        bench.trim(13).append(12);

        assertThat(bench.words).contains("b entries 14..14").noneMatch(word -> word.startsWith("c entries"));
        assertThat(bench.advance(Bench.ACK_TIMEOUT_MILLIS)
                        .state
                        .peers()
                        .findByAddress(C)
                        .progress())
                .isEqualTo(ProgressState.PROBING);
    }
}

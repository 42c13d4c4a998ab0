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
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.protocol.AppendRequest;
import io.trefoil.journal.protocol.MismatchReply;
import io.trefoil.journal.protocol.StaleEpochReply;
import io.trefoil.journal.writer.events.WriterEvent;
import io.trefoil.journal.writer.peer.ProgressState;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which node is asked again, and when one is late (protocol page, "Slow is not dead"). */
class HeartbeatsTest {

    private static final NodeAddress A = NodeAddress.of("a", 1);
    private static final NodeAddress B = NodeAddress.of("b", 1);
    private static final NodeAddress C = NodeAddress.of("c", 1);
    private static final NodeAddress D = NodeAddress.of("d", 1);
    private static final long HEARTBEAT = Bench.LEASE_MILLIS / 5;

    @Test
    void quietNodeGetsHeartbeat() {
        Bench bench = Bench.writing(A, B, C);

        bench.advance(HEARTBEAT);
        assertThat(bench.words).noneMatch(word -> word.startsWith("a entries"));
        bench.advance(10);

        assertThat(bench.words).contains("a entries 13..12");
        assertThat(bench.advance(10).words).noneMatch(word -> word.startsWith("a entries"));
    }

    @Test
    void laggingNodeGetsHeartbeatWithoutLogPosition() {
        Bench bench = benchWithLaggingNode();

        bench.advance(HEARTBEAT);
        assertThat(bench.sentTo(C, AppendRequest.class)).isEmpty();
        bench.advance(10);

        assertThat(bench.sentTo(C, AppendRequest.class))
                .extracting(AppendRequest::prev)
                .containsExactly(LogPosition.ORIGIN);
        assertThat(bench.advance(10).sentTo(C, AppendRequest.class)).isEmpty();
    }

    @Test
    void droppedNodeIsProbedImmediately() {
        Bench bench = Bench.writing(A, B, C);
        bench.append(11).acknowledge(A, 13).acknowledge(B, 13);
        bench.advance(Bench.ACK_TIMEOUT_MILLIS);

        bench.advance(10);

        assertThat(bench.words).contains("c out of sync at 13");
        assertThat(bench.sentTo(C, AppendRequest.class))
                .extracting(AppendRequest::prev)
                .containsExactly(positionAt(4, 13));
    }

    @Test
    void nodeCatchingUpGetsFourfoldTimeout() {
        Bench bench = benchWithLaggingNode();

        bench.advance(4 * Bench.ACK_TIMEOUT_MILLIS);
        assertThat(bench.state.peers().findByAddress(C).progress()).isEqualTo(ProgressState.CATCHING_UP);

        bench.advance(10);
        assertThat(bench.state.peers().findByAddress(C).progress()).isEqualTo(ProgressState.PROBING);
        assertThat(bench.words).doesNotContain("c out of sync at 12");
    }

    @Test
    void unresponsiveNodeIsProbedWithBackoff() {
        Bench bench = Bench.writing(A, B, C);
        bench.step(WriterEvent.peerDisconnected(C)).connect(C, 4);
        List<Long> waits = new ArrayList<>();
        long waited = 0;
        while (waits.size() < 7) {
            waited += 10;
            if (!bench.advance(10).sentTo(C, AppendRequest.class).isEmpty()) {
                waits.add(waited);
                waited = 0;
            }
        }

        // twice as long each time, and with every heartbeat in the end; a timer that comes every 10 ms is late by one
        assertThat(waits).containsExactly(110L, 210L, 410L, 810L, 1_010L, 1_010L, 1_010L);
    }

    @Test
    void writerPauseMakesNoNodeOverdue() {
        Bench bench = Bench.writing(A, B, C);
        bench.append(11).acknowledge(A, 13).acknowledge(B, 13);
        bench.step(WriterEvent.ticked());

        bench.advanceClock(10_000).step(WriterEvent.ticked());
        assertThat(bench.state.inSyncVoters()).isEqualTo(3);

        bench.advance(Bench.ACK_TIMEOUT_MILLIS + 10);
        assertThat(bench.state.inSyncVoters()).isEqualTo(2);
    }

    @Test
    void tickDelayBelowPauseThresholdStillDropsOverdueNodes() {
        Bench bench = Bench.writing(A, B, C);
        bench.append(11).acknowledge(A, 13).acknowledge(B, 13);

        // ticks that come late, though not so late
        for (int i = 0; i < 4; i++) {
            bench.advanceClock(290).step(WriterEvent.ticked());
        }

        assertThat(bench.state.inSyncVoters()).isEqualTo(2);
    }

    @Test
    void pauseAboveHalfShortTimeoutDropsNoNode() {
        Bench bench = new Bench(Bench.settings(2, A, B, C).ackTimeoutMillis(200).build());
        bench.connect(A, 3).connect(B, 3).connect(C, 3);
        bench.promise(A, end(3, 10, members(A, B, C)), 8).promise(B, end(3, 10, members(A, B, C)), 8);
        bench.acknowledge(A, 12).acknowledge(B, 12).acknowledge(C, 12);
        bench.append(11).acknowledge(A, 13).acknowledge(B, 13);
        bench.step(WriterEvent.ticked());

        for (int i = 0; i < 10; i++) {
            bench.advanceClock(150).step(WriterEvent.ticked());
        }

        assertThat(bench.state.inSyncVoters()).isEqualTo(3);
    }

    @Test
    void emptyMemberIsProbedWithEveryHeartbeatWhilePresent() {
        Bench bench = Bench.writing(A, B, C);
        bench.step(WriterEvent.peerConnected(C, id(C), false, Epoch.NONE));
        int questions = 0;
        for (long passed = 0; passed < 3 * HEARTBEAT; passed += 10) {
            questions += bench.advance(10).sentTo(C, AppendRequest.class).size();
        }
        assertThat(questions).isEqualTo(3);

        bench.step(WriterEvent.peerDisconnected(C));
        assertThat(bench.advance(10).sentTo(C, AppendRequest.class)).isEmpty();
    }

    @Test
    void servedVotersGetHeartbeatsDuringReads() {
        Members members = Members.of(List.of(voter(A), voter(B), voter(C), Member.permanentLearner(id(D), D)));
        Bench bench = Bench.writing(Bench.settings(2, NodeAddress.of("never", 1), A, B, C), members);
        bench.reply(B, StaleEpochReply.of(id(B), Epoch.of(9)));
        bench.step(WriterEvent.peerDisconnected(C)).connect(C, 4).advance(90);

        bench.step(WriterEvent.answersWanted());

        assertThat(bench.words).containsExactly("a entries 13..12");
    }

    @Test
    void partialAnswerKeepsDeadlineOfOldestRequest() {
        Bench bench = Bench.writing(A, B, C);
        bench.append(11).acknowledge(A, 13).acknowledge(B, 13);
        bench.advance(600);
        bench.append(12).acknowledge(A, 14).acknowledge(B, 14);

        bench.acknowledge(C, 13);
        bench.advance(600);
        assertThat(bench.state.inSyncVoters()).isEqualTo(3);

        bench.advance(Bench.ACK_TIMEOUT_MILLIS);
        assertThat(bench.state.inSyncVoters()).isEqualTo(2);
    }

    @Test
    void partialAnswerToBatchKeepsOriginalDeadline() {
        Bench bench = Bench.writing(A, B, C);
        bench.step(WriterEvent.peerDisconnected(C));
        bench.append(11).append(12).acknowledge(A, 14).acknowledge(B, 14);
        assertThat(bench.connect(C, 4).acknowledge(C, 12).words).contains("c entries 13..14");

        bench.advance(600).acknowledge(C, 13).advance(600);

        assertThat(bench.state.inSyncVoters()).isEqualTo(2);
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
}

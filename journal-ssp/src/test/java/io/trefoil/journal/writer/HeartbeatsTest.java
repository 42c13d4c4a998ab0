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

/** Who is asked again, and when somebody is late (protocol page, "Slow is not dead"). */
class HeartbeatsTest {

    private static final NodeAddress A = NodeAddress.of("a", 1);
    private static final NodeAddress B = NodeAddress.of("b", 1);
    private static final NodeAddress C = NodeAddress.of("c", 1);
    private static final NodeAddress D = NodeAddress.of("d", 1);
    private static final long HEARTBEAT = Bench.LEASE_MILLIS / 5;

    @Test
    void quietNodeGetsHeartbeat() {
        Bench bench = Bench.writing(A, B, C);

        bench.passes(HEARTBEAT);
        assertThat(bench.words).noneMatch(word -> word.startsWith("a entries"));
        bench.passes(10);

        assertThat(bench.words).contains("a entries 13..12");
        assertThat(bench.passes(10).words).noneMatch(word -> word.startsWith("a entries"));
    }

    @Test
    void laggingNodeGetsHeartbeatWithoutLogPosition() {
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
    void droppedNodeIsProbedImmediately() {
        Bench bench = Bench.writing(A, B, C);
        bench.appends(11).acks(A, 13).acks(B, 13);
        bench.passes(Bench.ACK_TIMEOUT_MILLIS);

        bench.passes(10);

        assertThat(bench.words).contains("c out of sync at 13");
        assertThat(bench.sent(C, AppendRequest.class))
                .extracting(AppendRequest::prev)
                .containsExactly(at(4, 13));
    }

    @Test
    void nodeCatchingUpGetsFourTimesTimeout() {
        Bench bench = behind();

        bench.passes(4 * Bench.ACK_TIMEOUT_MILLIS);
        assertThat(bench.state.peers().at(C).progress()).isEqualTo(ProgressState.CATCHING_UP);

        bench.passes(10);
        assertThat(bench.state.peers().at(C).progress()).isEqualTo(ProgressState.PROBING);
        assertThat(bench.words).doesNotContain("c out of sync at 12");
    }

    @Test
    void unresponsiveNodeIsProbedWithBackoff() {
        Bench bench = Bench.writing(A, B, C);
        bench.step(WriterEvent.peerDisconnected(C)).up(C, 4);
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

    @Test
    void writerPauseMakesNoNodeLate() {
        Bench bench = Bench.writing(A, B, C);
        bench.appends(11).acks(A, 13).acks(B, 13);
        bench.step(WriterEvent.ticked());

        bench.after(10_000).step(WriterEvent.ticked());
        assertThat(bench.state.inSyncVoters()).isEqualTo(3);

        bench.passes(Bench.ACK_TIMEOUT_MILLIS + 10);
        assertThat(bench.state.inSyncVoters()).isEqualTo(2);
    }

    @Test
    void tickDelayBelowPauseThresholdStillDropsLateNodes() {
        Bench bench = Bench.writing(A, B, C);
        bench.appends(11).acks(A, 13).acks(B, 13);

        // ticks that come late, though not so late
        for (int i = 0; i < 4; i++) {
            bench.after(290).step(WriterEvent.ticked());
        }

        assertThat(bench.state.inSyncVoters()).isEqualTo(2);
    }

    @Test
    void pauseAboveHalfShortTimeoutDropsNoNode() {
        Bench bench = new Bench(Bench.settings(2, A, B, C).ackTimeoutMillis(200).build());
        bench.up(A, 3).up(B, 3).up(C, 3);
        bench.promises(A, end(3, 10, members(A, B, C)), 8).promises(B, end(3, 10, members(A, B, C)), 8);
        bench.acks(A, 12).acks(B, 12).acks(C, 12);
        bench.appends(11).acks(A, 13).acks(B, 13);
        bench.step(WriterEvent.ticked());

        for (int i = 0; i < 10; i++) {
            bench.after(150).step(WriterEvent.ticked());
        }

        assertThat(bench.state.inSyncVoters()).isEqualTo(3);
    }

    @Test
    void emptyMemberIsProbedWithEveryHeartbeatWhilePresent() {
        Bench bench = Bench.writing(A, B, C);
        bench.step(WriterEvent.peerConnected(C, id(C), false, Epoch.NONE));
        int questions = 0;
        for (long passed = 0; passed < 3 * HEARTBEAT; passed += 10) {
            questions += bench.passes(10).sent(C, AppendRequest.class).size();
        }
        assertThat(questions).isEqualTo(3);

        bench.step(WriterEvent.peerDisconnected(C));
        assertThat(bench.passes(10).sent(C, AppendRequest.class)).isEmpty();
    }

    @Test
    void servedVotersGetHeartbeatsDuringReads() {
        Members members = Members.of(List.of(voter(A), voter(B), voter(C), Member.permanentLearner(id(D), D)));
        Bench bench = Bench.writing(Bench.settings(2, NodeAddress.of("never", 1), A, B, C), members);
        bench.reply(B, StaleEpochReply.of(id(B), Epoch.of(9)));
        bench.step(WriterEvent.peerDisconnected(C)).up(C, 4).passes(90);

        bench.step(WriterEvent.answersWanted());

        assertThat(bench.words).containsExactly("a entries 13..12");
    }

    @Test
    void partialAnswerLeavesOldestDebtDecidingLateness() {
        Bench bench = Bench.writing(A, B, C);
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
    void partialAnswerToBatchKeepsOriginalDeadline() {
        Bench bench = Bench.writing(A, B, C);
        bench.step(WriterEvent.peerDisconnected(C));
        bench.appends(11).appends(12).acks(A, 14).acks(B, 14);
        assertThat(bench.up(C, 4).acks(C, 12).words).contains("c entries 13..14");

        bench.passes(600).acks(C, 13).passes(600);

        assertThat(bench.state.inSyncVoters()).isEqualTo(2);
    }

    /** C is caught up from A; the writer has none of it in memory. */
    private static Bench behind() {
        Bench bench = Bench.writing(A, B, C);
        bench.trimmed(13);
        assertThat(lacks(bench, C)).containsExactly("c entries 6..12 from a");
        return bench;
    }

    private static List<String> lacks(Bench bench, NodeAddress node) {
        bench.reply(node, MismatchReply.of(id(node), bench.state.epoch(), at(2, 5), 5, LogCompleteness.COMPLETE));
        return bench.words;
    }
}

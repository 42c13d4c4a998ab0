/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer;

import static io.trefoil.journal.writer.Bench.end;
import static io.trefoil.journal.writer.Bench.id;
import static io.trefoil.journal.writer.Bench.members;
import static io.trefoil.journal.writer.Bench.positionAt;
import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.MemberChange;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.protocol.AppendRequest;
import io.trefoil.journal.protocol.AppendedReply;
import io.trefoil.journal.protocol.ChangesReply;
import io.trefoil.journal.protocol.DoneReply;
import io.trefoil.journal.protocol.FailedReply;
import io.trefoil.journal.protocol.MismatchReply;
import io.trefoil.journal.protocol.NotFormattedReply;
import io.trefoil.journal.protocol.OtherIncarnationReply;
import io.trefoil.journal.protocol.PromiseReply;
import io.trefoil.journal.protocol.StepDownRequest;
import io.trefoil.journal.writer.events.WriterEvent;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a writer makes of sessions that come and go, of answers that may count for nothing, and of its user's orders. */
class WriterDispatchTest {

    private static final NodeAddress A = NodeAddress.of("a", 1);
    private static final NodeAddress B = NodeAddress.of("b", 1);
    private static final NodeAddress C = NodeAddress.of("c", 1);
    private static final NodeAddress D = NodeAddress.of("d", 1);
    private static final Incarnation NEWER = Incarnation.of(6, 1);

    @Test
    void ignoresAnswerOfDifferentTerm() {
        Bench bench = Bench.writing(A, B, C);
        bench.append(11).acknowledge(A, 13);

        bench.reply(B, AppendedReply.of(id(B), Epoch.of(3), 13, LogCompleteness.COMPLETE));
        bench.reply(B, MismatchReply.of(id(B), Epoch.of(3), positionAt(3, 5), 5, LogCompleteness.COMPLETE));

        assertThat(bench.state.committedSn()).isEqualTo(12);
        assertThat(bench.state.inSyncVoters()).isEqualTo(3);
    }

    @Test
    void ignoresAnswerAfterSessionEnd() {
        Bench bench = Bench.writing(A, B, C);
        bench.append(11).acknowledge(A, 13);
        bench.step(WriterEvent.peerDisconnected(B));

        assertThat(bench.acknowledge(B, 13).state.committedSn()).isEqualTo(12);
    }

    @Test
    void ignoresPromiseAfterTermStart() {
        Bench bench = Bench.writing(A, B, C);

        bench.reply(
                C,
                PromiseReply.of(
                        id(C),
                        bench.state.epoch(),
                        end(3, 10, members(A, B, C)),
                        8,
                        positionAt(1, 8),
                        1,
                        LogCompleteness.REFETCHING));

        assertThat(bench.state.inSyncVoters()).isEqualTo(3);
    }

    @Test
    void nodeWithLostStorageLosesItsAcknowledgements() {
        Bench bench = Bench.writing(A, B, C);
        bench.append(11).acknowledge(A, 13);

        bench.reply(A, NotFormattedReply.of(NodeId.of("fresh")));

        assertThat(bench.state.peers().findByAddress(A).matchedSn()).isZero();
        assertThat(bench.acknowledge(B, 13).state.committedSn()).isEqualTo(12);
    }

    @Test
    void repeatedEmptyReplyKeepsNodeIdentity() {
        Bench bench = Bench.writing(A, B, C);
        bench.reply(A, NotFormattedReply.of(id(A)));

        assertThat(bench.state.peers().findByAddress(A).matchedSn()).isEqualTo(12);
        assertThat(bench.state.peers().findByAddress(A).isServed()).isFalse();
    }

    @Test
    void returningNodeIsProbedImmediately() {
        Bench bench = Bench.writing(A, B, C);

        bench.step(WriterEvent.peerDisconnected(C)).connect(C, 4);

        assertThat(bench.sentTo(C, AppendRequest.class)).hasSize(1);
    }

    @Test
    void beforeTermStartOnlyPromisesCount() {
        Bench bench = new Bench(2, A, B, C).connect(A, 3);
        WriterState before = bench.state;

        bench.reply(A, AppendedReply.of(id(A), before.epoch(), 50, LogCompleteness.COMPLETE));
        bench.reply(A, MismatchReply.of(id(A), before.epoch(), positionAt(4, 50), 50, LogCompleteness.COMPLETE));
        bench.reply(A, FailedReply.of(id(A), "no"));
        bench.reply(A, OtherIncarnationReply.of(id(A), NEWER));
        bench.reply(A, ChangesReply.of(id(A), List.of(MemberChange.add("t", D))));
        bench.reply(A, DoneReply.of(NodeId.of("other")));

        assertThat(bench.state).isEqualTo(before);
    }

    @Test
    void beforeTermStartEmptyNodeTriggersNoRequest() {
        Bench bench = new Bench(2, A, B, C).connect(A, 3);
        bench.step(WriterEvent.peerConnected(C, id(C), false, Epoch.NONE));

        bench.reply(C, DoneReply.of(id(C)));

        assertThat(bench.sentTo(C, AppendRequest.class)).isEmpty();
        assertThat(bench.state.peers().findByAddress(C).formatted()).isFalse();
    }

    @Test
    void doneReplyLeavesMatchedLogUnchanged() {
        Bench bench = Bench.writing(A, B, C);
        WriterState before = bench.state;

        bench.reply(A, DoneReply.of(id(A))).reply(B, DoneReply.of(NodeId.of("other")));

        assertThat(bench.state).isEqualTo(before);
    }

    @Test
    void stepDownNotifiesPresentNodesWithStorage() {
        Bench bench = Bench.writing(A, B, C);
        bench.step(WriterEvent.peerDisconnected(C));
        bench.reply(B, NotFormattedReply.of(id(B)));

        bench.step(WriterEvent.stepDownRequested());

        assertThat(bench.sentTo(A, StepDownRequest.class)).hasSize(1);
        assertThat(bench.sentTo(B, StepDownRequest.class)).isEmpty();
        assertThat(bench.sentTo(C, StepDownRequest.class)).isEmpty();
    }

    @Test
    void writerWithoutTermDoesNotSendStepDown() {
        Bench bench = new Bench(2, A, B, C).connect(A, 3);

        bench.step(WriterEvent.stepDownRequested());

        assertThat(bench.sentTo(A, StepDownRequest.class)).isEmpty();
    }

    @Test
    void purgesOnlyPresentNodesDuringItsTerm() {
        Bench acquiring = new Bench(2, A, B, C).connect(A, 3);
        assertThat(acquiring.step(WriterEvent.purgeRequested(5)).words).isEmpty();

        Bench bench = Bench.writing(A, B, C);
        bench.step(WriterEvent.peerDisconnected(C));

        bench.step(WriterEvent.purgeRequested(5));

        assertThat(bench.words).containsExactly("a PurgeRequest", "b PurgeRequest");
    }

    @Test
    void becomesReadyWithMinReplicasInSync() {
        Bench bench = new Bench(3, A, B, C).connect(A, 3).connect(B, 3).connect(C, 3);
        bench.promise(A, end(3, 10, members(A, B, C)), 8).promise(B, end(3, 10, members(A, B, C)), 8);

        assertThat(bench.acknowledge(A, 12).acknowledge(B, 12).words).doesNotContain("ready");
        assertThat(bench.acknowledge(C, 12).words).contains("ready");
    }
}

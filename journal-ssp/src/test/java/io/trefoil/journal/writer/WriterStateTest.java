/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer;

import static io.trefoil.journal.writer.Bench.members;
import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.protocol.StaleEpochReply;
import io.trefoil.journal.writer.events.NodeProgress;
import io.trefoil.journal.writer.events.WriterEvent;
import io.trefoil.journal.writer.events.WriterStage;
import org.junit.jupiter.api.Test;

/** What a writer shows of itself. */
class WriterStateTest {

    private static final NodeAddress A = NodeAddress.of("a", 1);
    private static final NodeAddress B = NodeAddress.of("b", 1);
    private static final NodeAddress C = NodeAddress.of("c", 1);
    private static final NodeAddress D = NodeAddress.of("d", 1);
    private static final NodeAddress NEVER = NodeAddress.of("never", 1);

    @Test
    void showsProgressOfEachNode() {
        Bench bench = Bench.writing(
                Bench.settings(2, NEVER, A, B, C), members(A, B, C).with(Member.permanentLearner(Bench.id(D), D)));

        bench.append(11)
                .acknowledge(A, 13)
                .step(WriterEvent.peerDisconnected(C))
                .acknowledge(D, 13);

        assertThat(bench.state.progress())
                .doesNotContainNull()
                .containsExactly(
                        NodeProgress.of(NEVER, false, false, false, 0, 0, 0, false, false),
                        NodeProgress.of(A, true, true, true, 13, 0, 0, false, false),
                        NodeProgress.of(B, true, true, true, 12, 1, 0, false, false),
                        NodeProgress.of(C, false, true, false, 12, 0, 0, false, false),
                        NodeProgress.of(D, true, false, true, 13, 0, 0, false, false));
    }

    @Test
    void reportsRejectionByVoterDuringTerm() {
        Bench bench = Bench.writing(
                Bench.settings(2, A, B, C, D), members(A, B, C).with(Member.permanentLearner(Bench.id(D), D)));
        bench.connect(D, 3).reply(D, StaleEpochReply.of(Bench.id(D), Epoch.of(9)));
        assertThat(bench.state.isRefusedByVoter()).isFalse();

        bench.reply(C, StaleEpochReply.of(Bench.id(C), Epoch.of(9)));

        assertThat(bench.state.isRefusedByVoter()).isTrue();
        assertThat(bench.state.with(WriterStage.STEPPED_DOWN).isRefusedByVoter())
                .isFalse();
    }

    @Test
    void writerIsOverWhenFencedOrSteppedDown() {
        Bench bench = Bench.writing(Bench.settings(2, A, B, C), members(A, B, C));
        assertThat(bench.state.hasEnded()).isFalse();
        assertThat(bench.state.with(WriterStage.FENCED).hasEnded()).isTrue();

        bench.step(WriterEvent.stepDownRequested());

        assertThat(bench.state.hasEnded()).isTrue();
        assertThat(bench.state.inSyncVoters()).isZero();
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer;

import static io.trefoil.journal.writer.Bench.id;
import static io.trefoil.journal.writer.Bench.members;
import static io.trefoil.journal.writer.events.WriterStage.ACQUIRING_EPOCH;
import static io.trefoil.journal.writer.events.WriterStage.FENCED;
import static io.trefoil.journal.writer.events.WriterStage.MEETING;
import static io.trefoil.journal.writer.events.WriterStage.RECOVERING;
import static io.trefoil.journal.writer.events.WriterStage.STEPPED_DOWN;
import static io.trefoil.journal.writer.events.WriterStage.WRITING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.protocol.StaleEpochReply;
import io.trefoil.journal.writer.events.WriterEvent;
import io.trefoil.journal.writer.events.WriterStage;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What leads from one stage of a writer to another, edge by edge, and that nothing else does. */
class WriterStageTest {

    private static final NodeAddress A = NodeAddress.of("a", 1);
    private static final NodeAddress B = NodeAddress.of("b", 1);
    private static final NodeAddress C = NodeAddress.of("c", 1);

    /** As the table of the protocol page has it. */
    private static final Map<WriterStage, Set<WriterStage>> EDGES = Map.of(
            MEETING, Set.of(ACQUIRING_EPOCH, STEPPED_DOWN),
            ACQUIRING_EPOCH, Set.of(RECOVERING, STEPPED_DOWN),
            RECOVERING, Set.of(ACQUIRING_EPOCH, WRITING, FENCED, STEPPED_DOWN),
            WRITING, Set.of(FENCED, STEPPED_DOWN),
            FENCED, Set.of(),
            STEPPED_DOWN, Set.of());

    private static Bench acquiringBench() {
        return new Bench(2, A, B, C);
    }

    private static Bench recoveringBench() {
        return Bench.recovering(Bench.settings(2, A, B, C), members(A, B, C));
    }

    private static Bench writingBench() {
        return Bench.writing(Bench.settings(2, A, B, C), members(A, B, C));
    }

    @Test
    void allowsOnlyDeclaredStageTransitions() {
        for (WriterStage from : WriterStage.values()) {
            for (WriterStage to : WriterStage.values()) {
                WriterState state =
                        acquiringBench().state.toBuilder().stage(from).build();
                if (EDGES.get(from).contains(to)) {
                    assertThat(state.with(to).stage()).isEqualTo(to);
                } else {
                    assertThatThrownBy(() -> state.with(to))
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining("in stage " + from)
                            .hasMessageContaining("not to " + to);
                }
            }
        }
    }

    @Test
    void wantedTermStartsEpochAcquisition() {
        Bench bench = Bench.withOpenSessions(A, B, C);
        assertThat(bench.advance(100).state.stage()).isEqualTo(MEETING);

        assertThat(bench.step(WriterEvent.termRequested()).state.stage()).isEqualTo(ACQUIRING_EPOCH);
    }

    @Test
    void termCanBeRequestedOnce() {
        assertThatThrownBy(() -> acquiringBench().step(WriterEvent.termRequested()))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> writingBench().step(WriterEvent.termRequested()))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void onlyUnrecoveredTermRestarts() {
        assertThat(recoveringBench().state.restart(0).stage()).isEqualTo(ACQUIRING_EPOCH);
        assertThatThrownBy(() -> writingBench().state.restart(0)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void majorityOfPromisesStartsRecovery() {
        assertThat(acquiringBench().state.stage()).isEqualTo(ACQUIRING_EPOCH);
        assertThat(recoveringBench().state.stage()).isEqualTo(RECOVERING);
    }

    @Test
    void ownTermEntriesOnMajorityStartWriting() {
        Bench bench = recoveringBench().acknowledge(A, 12);
        assertThat(bench.state.stage()).isEqualTo(RECOVERING);

        assertThat(bench.acknowledge(B, 12).state.stage()).isEqualTo(WRITING);
    }

    @Test
    void voterPromisingRivalRestartsAcquisitionBeforeRecovery() {
        Bench bench = recoveringBench().reply(C, StaleEpochReply.of(id(C), Epoch.of(9)));
        assertThat(bench.state.stage()).isEqualTo(RECOVERING);

        bench.advance(2 * Bench.ACK_TIMEOUT_MILLIS + 10);

        assertThat(bench.state.stage()).isEqualTo(ACQUIRING_EPOCH);
    }

    @Test
    void majorityPromisingRivalFencesRecoveringWriter() {
        assertThat(refuseByMajority(recoveringBench()).state.stage()).isEqualTo(FENCED);
    }

    @Test
    void majorityPromisingRivalFencesWritingWriter() {
        assertThat(refuseByMajority(writingBench()).state.stage()).isEqualTo(FENCED);
    }

    @Test
    void reformattedMajorityFencesWriter() {
        Incarnation newer = Incarnation.of(6, 1);
        Bench bench = writingBench().step(WriterEvent.peerRefused(B, newer));
        assertThat(bench.state.stage()).isEqualTo(WRITING);

        assertThat(bench.step(WriterEvent.peerRefused(C, newer)).state.stage()).isEqualTo(FENCED);
    }

    @Test
    void stepDownEndsEveryNonFinalStage() {
        for (Bench bench : new Bench[] {
            Bench.withOpenSessions(A, B, C).connect(A, 3), acquiringBench(), recoveringBench(), writingBench()
        }) {
            assertThat(bench.step(WriterEvent.stepDownRequested()).state.stage())
                    .isEqualTo(STEPPED_DOWN);
        }
    }

    @Test
    void endedWriterNeverChangesStage() {
        Bench fenced = refuseByMajority(writingBench());
        Bench steppedDown = writingBench().step(WriterEvent.stepDownRequested());

        assertThat(fenced.step(WriterEvent.stepDownRequested()).state.stage()).isEqualTo(FENCED);
        assertThat(refuseByMajority(steppedDown).state.stage()).isEqualTo(STEPPED_DOWN);
    }

    private static Bench refuseByMajority(Bench bench) {
        return bench.reply(B, StaleEpochReply.of(id(B), Epoch.of(9))).reply(C, StaleEpochReply.of(id(C), Epoch.of(9)));
    }
}

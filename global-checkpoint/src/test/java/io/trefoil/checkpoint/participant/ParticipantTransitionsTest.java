/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.participant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.checkpoint.model.Agreement;
import io.trefoil.checkpoint.model.CheckpointId;
import io.trefoil.checkpoint.model.FreezeOrder;
import io.trefoil.checkpoint.model.Grant;
import io.trefoil.checkpoint.model.TestManifests;
import io.trefoil.foundation.RuleDriver;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/** Each edge between a participant's stages is taken, and no other can be. */
class ParticipantTransitionsTest {
    private static final CheckpointId ID = CheckpointId.of("nightly", "00000001");
    private static final ParticipantEvent FREEZE = ParticipantEvent.freezeRequested(1, FreezeOrder.of(ID, 100, false));
    private static final ParticipantEvent LOCKED = ParticipantEvent.locked();
    private static final ParticipantEvent CUT_ASKED =
            ParticipantEvent.cutRequested(2, Grant.of("run", 1), Agreement.of(ID, 1_000, 3, "ns1", List.of("ns1")));
    private static final ParticipantEvent CUT = ParticipantEvent.segmentCut(TestManifests.cut("ns1", 10));
    private static final ParticipantEvent ABANDON = ParticipantEvent.abandonRequested(3, ID);

    private final Set<String> taken = new TreeSet<>();

    @Test
    void everyStageTransitionOccurs() {
        runParticipant(FREEZE, LOCKED, CUT_ASKED, CUT, ParticipantEvent.marked());
        runParticipant(FREEZE, LOCKED, CUT_ASKED, ParticipantEvent.cutFailed("the disk is full"));
        runParticipant(FREEZE, LOCKED, ABANDON);
        runParticipant(FREEZE, ABANDON, ParticipantEvent.lockFailed("interrupted"));
        runParticipant(FREEZE, ParticipantEvent.lockFailed("not active"));
        Set<String> edges = new TreeSet<>();
        for (ParticipantStage from : ParticipantStage.values()) {
            for (ParticipantStage to : ParticipantStage.values()) {
                if (ParticipantStage.EDGES.allows(from, to)) {
                    edges.add(from + " -> " + to);
                }
            }
        }
        assertThat(taken).isEqualTo(edges);
    }

    @Test
    void rejectsUndeclaredStageTransitions() {
        ParticipantState begin = ParticipantState.begin("run");
        for (ParticipantStage from : ParticipantStage.values()) {
            for (ParticipantStage to : ParticipantStage.values()) {
                ParticipantState state = begin.toBuilder().stage(from).build();
                if (ParticipantStage.EDGES.allows(from, to)) {
                    assertThat(state.transitionTo(to).build().stage()).isEqualTo(to);
                } else {
                    assertThatThrownBy(() -> state.transitionTo(to))
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining(from + " -> " + to);
                }
            }
        }
    }

    @Test
    void unrequestedCutCountsAsBug() {
        assertThatThrownBy(() -> runParticipant(FREEZE, LOCKED, CUT))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("FROZEN -> MARKING")
                .satisfies(bug -> assertThat(bug.getSuppressed())
                        .singleElement()
                        .asInstanceOf(InstanceOfAssertFactories.THROWABLE)
                        .hasMessageContaining("SegmentCut"));
    }

    @Test
    void eventsAndEffectsAreValues() {
        assertThat(ParticipantEvent.abandonRequested(3, ID)).isEqualTo(ABANDON).hasToString(ABANDON.toString());
        assertThat(ParticipantEffect.removeMark(ID)).isNotEqualTo(ParticipantEffect.abandonLock());
        assertThat(ParticipantEffect.removeMark(ID).toString()).contains(ID.toString());
    }

    private void runParticipant(ParticipantEvent... events) {
        RuleDriver<ParticipantState, ParticipantEvent, ParticipantEffect, RuntimeException> driver = new RuleDriver<>(
                "the participant",
                ParticipantState.begin("run"),
                (state, event) -> Participant.step(state, event, 0),
                (before, after) -> {
                    if (before.stage() != after.stage()) {
                        taken.add(before.stage() + " -> " + after.stage());
                    }
                },
                effect -> {});
        for (ParticipantEvent event : events) {
            driver.handle(event);
        }
    }
}

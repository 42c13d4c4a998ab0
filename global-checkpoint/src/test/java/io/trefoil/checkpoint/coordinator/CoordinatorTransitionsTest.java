/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.checkpoint.model.CheckpointId;
import io.trefoil.checkpoint.model.Grant;
import io.trefoil.checkpoint.model.TestManifests;
import io.trefoil.foundation.RuleDriver;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Each edge between a coordinator's stages is taken, and no other can be. */
class CoordinatorTransitionsTest {
    private static final String NAMESERVICE = "ns1";
    private static final CheckpointPlan PLAN = CheckpointPlan.builder()
            .id(CheckpointId.of("nightly", "00000001"))
            .nameservices(Set.of(NAMESERVICE))
            .timeServer(NAMESERVICE)
            .freezeMillis(100)
            .answerMillis(100)
            .build();
    private static final CoordinatorEvent CLOCK_READ = CoordinatorEvent.clockRead(NAMESERVICE, 0, 1_000);
    private static final CoordinatorEvent FROZEN = CoordinatorEvent.frozen(NAMESERVICE, Grant.of("run", 1));
    private static final CoordinatorEvent CUT = CoordinatorEvent.cut(NAMESERVICE, TestManifests.cut(NAMESERVICE, 10));
    private static final CoordinatorEvent FAILED = CoordinatorEvent.failed(NAMESERVICE, "refused");
    private static final CoordinatorEvent ABANDONED = CoordinatorEvent.abandoned(NAMESERVICE);

    private final Set<String> taken = new TreeSet<>();

    @Test
    void everyStageTransitionOccurs() {
        runCoordinator(CLOCK_READ, FROZEN, CUT);
        runCoordinator(FAILED, ABANDONED);
        runCoordinator(CLOCK_READ, FAILED);
        runCoordinator(CLOCK_READ, FROZEN, FAILED);
        Set<String> edges = new TreeSet<>();
        for (CoordinatorStage from : CoordinatorStage.values()) {
            for (CoordinatorStage to : CoordinatorStage.values()) {
                if (CoordinatorStage.EDGES.allows(from, to)) {
                    edges.add(from + " -> " + to);
                }
            }
        }
        assertThat(taken).isEqualTo(edges);
    }

    @Test
    void rejectsUndeclaredStageTransitions() {
        CoordinatorState begin = CoordinatorState.of(PLAN, 0);
        for (CoordinatorStage from : CoordinatorStage.values()) {
            for (CoordinatorStage to : CoordinatorStage.values()) {
                CoordinatorState state = begin.toBuilder().stage(from).build();
                if (CoordinatorStage.EDGES.allows(from, to)) {
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
    void eventsAndEffectsAreValues() {
        assertThat(CoordinatorEvent.frozen(NAMESERVICE, Grant.of("run", 1)))
                .isEqualTo(FROZEN)
                .hasToString(FROZEN.toString());
        assertThat(CoordinatorEffect.requestClock("ns2")).isNotEqualTo(CoordinatorEffect.requestClock(NAMESERVICE));
        assertThat(CoordinatorEffect.requestClock("ns2").toString()).contains("ns2");
    }

    /** A checkpoint of one nameservice. */
    private void runCoordinator(CoordinatorEvent... events) {
        RuleDriver<CoordinatorState, CoordinatorEvent, CoordinatorEffect, RuntimeException> driver = new RuleDriver<>(
                "the coordinator",
                CoordinatorState.of(PLAN, 0),
                (state, event) -> Coordinator.step(state, event, 0),
                (before, after) -> {
                    if (before.stage() != after.stage()) {
                        taken.add(before.stage() + " -> " + after.stage());
                    }
                },
                effect -> {});
        driver.handle(CoordinatorEvent.begun(1_000));
        for (CoordinatorEvent event : events) {
            driver.handle(event);
        }
    }
}

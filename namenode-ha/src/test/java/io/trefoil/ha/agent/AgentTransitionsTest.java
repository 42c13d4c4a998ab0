/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.ha.agent.events.AgentEvent;
import io.trefoil.ha.agent.events.AgentRequest;
import io.trefoil.ha.agent.events.AgentStage;
import io.trefoil.ha.model.Ballot;
import io.trefoil.ha.model.HaRole;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Each edge between an agent's stages is taken, and no other can be. */
class AgentTransitionsTest {
    private static final Ballot BALLOT = Ballot.of(5);

    private final Set<String> taken = new TreeSet<>();

    @Test
    void everyStageTransitionOccurs() {
        explore(() -> AgentFixture.serving(BALLOT), agent -> {
            agent.handle(AgentEvent.stepDownRequested(AgentRequest.of(2), 1_000));
            agent.handle(AgentEvent.steppedDown());
        });
        explore(() -> AgentFixture.serving(BALLOT), agent -> {
            agent.handle(AgentEvent.stepDownRequested(AgentRequest.of(2), 1_000));
            agent.handle(AgentEvent.stepDownFailed("refused"));
        });
        explore(() -> AgentFixture.serving(BALLOT), AgentFixture::setFenced);
        explore(() -> AgentFixture.serving(BALLOT), agent -> agent.setRole(HaRole.STANDBY));
        explore(() -> AgentFixture.activating(BALLOT), AgentFixture::setFenced);
        explore(() -> AgentFixture.activating(BALLOT), agent -> {
            agent.handle(AgentEvent.activationFailed("refused"));
            agent.handle(AgentEvent.promiseFailed("given up"));
        });
        explore(
                () -> AgentFixture.acquiringEpoch(BALLOT),
                agent -> agent.handle(AgentEvent.promiseFailed("no majority")));
        explore(() -> AgentFixture.acquiringEpoch(BALLOT), agent -> agent.setProblem("ill"));
        explore(() -> AgentFixture.elected(BALLOT), agent -> agent.setProblem("ill"));
        explore(AgentFixture::new, agent -> {
            agent.rejectZooKeeperWrites();
            agent.setView(BALLOT, Optional.empty());
            agent.handle(AgentEvent.takeoverRequested(AgentRequest.of(1)));
        });
        explore(AgentFixture::new, agent -> agent.setRole(HaRole.ACTIVE));
        explore(AgentFixture::changingRole, agent -> agent.handle(AgentEvent.roleChangeFailed("refused")));
        explore(
                AgentFixture::changingRole,
                agent -> agent.advanceMillis(agent.state().settings().stepDownMillis()));
        assertThat(taken).isEqualTo(observedTransitions());
    }

    @Test
    void rejectsUndeclaredStageTransitions() {
        AgentState begin = new AgentFixture().state();
        for (AgentStage from : AgentStage.values()) {
            for (AgentStage to : AgentStage.values()) {
                AgentStep step = new AgentStep(begin.toBuilder().stage(from).build(), 0);
                if (AgentStage.EDGES.allows(from, to)) {
                    step.enter(to);
                    assertThat(step.state().stage()).isEqualTo(to);
                } else {
                    assertThatThrownBy(() -> step.enter(to))
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining(from + " -> " + to);
                }
            }
        }
    }

    private void explore(Supplier<AgentFixture> begin, Consumer<AgentFixture> events) {
        AgentFixture agent = begin.get();
        events.accept(agent);
        taken.addAll(agent.path);
    }

    private static Set<String> observedTransitions() {
        Set<String> edges = new TreeSet<>();
        for (AgentStage from : AgentStage.values()) {
            for (AgentStage to : AgentStage.values()) {
                if (AgentStage.EDGES.allows(from, to)) {
                    edges.add(from + " -> " + to);
                }
            }
        }
        return edges;
    }
}

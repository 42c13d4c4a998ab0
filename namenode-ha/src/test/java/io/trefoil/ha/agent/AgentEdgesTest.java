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
class AgentEdgesTest {
    private static final Ballot BALLOT = Ballot.of(5);

    private final Set<String> taken = new TreeSet<>();

    @Test
    void everyStageTransitionOccurs() {
        from(() -> OneAgent.serving(BALLOT), agent -> {
            agent.hear(AgentEvent.stepDownRequested(AgentRequest.of(2), 1_000));
            agent.hear(AgentEvent.steppedDown());
        });
        from(() -> OneAgent.serving(BALLOT), agent -> {
            agent.hear(AgentEvent.stepDownRequested(AgentRequest.of(2), 1_000));
            agent.hear(AgentEvent.stepDownFailed("refused"));
        });
        from(() -> OneAgent.serving(BALLOT), OneAgent::fenced);
        from(() -> OneAgent.serving(BALLOT), agent -> agent.role(HaRole.STANDBY));
        from(() -> OneAgent.activating(BALLOT), OneAgent::fenced);
        from(() -> OneAgent.activating(BALLOT), agent -> {
            agent.hear(AgentEvent.activationFailed("refused"));
            agent.hear(AgentEvent.promiseFailed("given up"));
        });
        from(() -> OneAgent.acquiringEpoch(BALLOT), agent -> agent.hear(AgentEvent.promiseFailed("no majority")));
        from(() -> OneAgent.acquiringEpoch(BALLOT), agent -> agent.trouble("ill"));
        from(() -> OneAgent.elected(BALLOT), agent -> agent.trouble("ill"));
        from(OneAgent::new, agent -> {
            agent.takeNoChanges();
            agent.view(BALLOT, Optional.empty());
            agent.hear(AgentEvent.takeoverRequested(AgentRequest.of(1)));
        });
        from(OneAgent::new, agent -> agent.role(HaRole.ACTIVE));
        from(OneAgent::changing, agent -> agent.hear(AgentEvent.roleChangeFailed("refused")));
        from(OneAgent::changing, agent -> agent.pass(agent.state().settings().stepDownMillis()));
        assertThat(taken).isEqualTo(edges());
    }

    @Test
    void rejectsUndeclaredStageTransitions() {
        AgentState begin = new OneAgent().state();
        for (AgentStage from : AgentStage.values()) {
            for (AgentStage to : AgentStage.values()) {
                AgentStep step = new AgentStep(begin.toBuilder().stage(from).build(), 0);
                if (AgentStage.EDGES.has(from, to)) {
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

    private void from(Supplier<OneAgent> begin, Consumer<OneAgent> events) {
        OneAgent agent = begin.get();
        events.accept(agent);
        taken.addAll(agent.path);
    }

    private static Set<String> edges() {
        Set<String> edges = new TreeSet<>();
        for (AgentStage from : AgentStage.values()) {
            for (AgentStage to : AgentStage.values()) {
                if (AgentStage.EDGES.has(from, to)) {
                    edges.add(from + " -> " + to);
                }
            }
        }
        return edges;
    }
}

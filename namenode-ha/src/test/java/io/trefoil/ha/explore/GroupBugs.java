/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.explore;

import io.trefoil.foundation.Step;
import io.trefoil.foundation.explore.PlantedWorld;
import io.trefoil.foundation.explore.WorldBounds;
import io.trefoil.ha.agent.Agent;
import io.trefoil.ha.agent.AgentState;
import io.trefoil.ha.agent.DisturbedEvents;
import io.trefoil.ha.agent.events.AgentEffect;
import io.trefoil.ha.agent.events.AgentEvent;
import io.trefoil.ha.agent.events.AgentStage;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** Broken rules of agents. */
final class GroupBugs {

    static final WorldBounds CALM = WorldBounds.of(
            "group",
            "leases",
            "crashes",
            "starts",
            "sessions",
            "disconnects",
            "wipes",
            "orders",
            "illnesses",
            "pauses",
            "losses",
            "lates",
            "failures");

    private GroupBugs() {}

    static List<PlantedWorld> all() {
        WorldBounds sessions = CALM.with("sessions", 1);
        WorldBounds leases = CALM.with("leases", 1);
        return List.of(
                bug("silence of the pool is taken for a free lease", "A7", seeing(DisturbedEvents::alwaysFree), CALM),
                bug(
                        "an active without ZooKeeper steps down",
                        "A6",
                        seeing(DisturbedEvents::lostWithZooKeeper),
                        CALM.with("disconnects", 1)),
                bug(
                        "an active does not take its lock again",
                        "A7",
                        without(GroupBugs::isActive, AgentEffect.TakeLock.class),
                        sessions),
                bug("an agent never halts", "A3", GroupBugs::neverHalting, leases),
                bug("HDFS becomes active before the epoch is promised", "A7", GroupBugs::hasty, leases),
                bug(
                        "sessions with the pool are left open",
                        "A5",
                        without(state -> true, AgentEffect.CloseSessions.class),
                        leases),
                bug(
                        "an unhealthy NameNode bids",
                        "A4",
                        seeing(DisturbedEvents::alwaysHealthy),
                        leases.with("illnesses", 1)));
    }

    private static PlantedWorld bug(String name, String rule, GroupWorld.Rules wrong, WorldBounds bounds) {
        return new PlantedWorld(name, rule, bounds, () -> new GroupWorld(wrong, bounds));
    }

    private static boolean isActive(AgentState state) {
        return state.stage() == AgentStage.SERVING;
    }

    private static GroupWorld.Rules seeing(UnaryOperator<AgentEvent> otherwise) {
        return (state, event, now) -> Agent.step(state, otherwise.apply(event), now);
    }

    private static GroupWorld.Rules without(Predicate<AgentState> when, Class<? extends AgentEffect> forgotten) {
        return (state, event, now) -> {
            Step<AgentState, AgentEffect> step = Agent.step(state, event, now);
            List<AgentEffect> effects = new ArrayList<>(step.effects());
            effects.removeIf(effect -> when.test(state) && forgotten.isInstance(effect));
            return Step.of(step.next(), effects);
        };
    }

    private static Step<AgentState, AgentEffect> neverHalting(AgentState state, AgentEvent event, long now) {
        Step<AgentState, AgentEffect> step = Agent.step(state, event, now);
        return step.next().stage() == AgentStage.HALTED ? Step.withoutEffects(state) : step;
    }

    private static Step<AgentState, AgentEffect> hasty(AgentState state, AgentEvent event, long now) {
        Step<AgentState, AgentEffect> step = Agent.step(state, event, now);
        List<AgentEffect> effects = new ArrayList<>(step.effects());
        if (effects.contains(AgentEffect.takeEpoch())) {
            effects.add(AgentEffect.activate());
        }
        return Step.of(step.next(), effects);
    }
}

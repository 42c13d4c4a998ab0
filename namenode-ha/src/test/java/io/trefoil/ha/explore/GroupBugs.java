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
            "failures",
            "ticks");

    private GroupBugs() {}

    static List<PlantedWorld> all() {
        WorldBounds sessions = CALM.with("sessions", 1);
        WorldBounds leases = CALM.with("leases", 1);
        return List.of(
                plantedWorld(
                        "silence of the pool is taken for a free lease",
                        "A7",
                        withEventFilter(DisturbedEvents::treatSilenceAsFreeLease),
                        CALM),
                plantedWorld(
                        "an active without ZooKeeper steps down",
                        "A6",
                        withEventFilter(DisturbedEvents::treatUnreachableZooKeeperAsLostLock),
                        CALM.with("disconnects", 1)),
                plantedWorld(
                        "an active does not take its lock again",
                        "A7",
                        withoutEffect(GroupBugs::isActive, AgentEffect.TakeLock.class),
                        sessions),
                plantedWorld("an agent never halts", "A3", GroupBugs::neverHalt, leases),
                plantedWorld(
                        "HDFS becomes active before the epoch is promised", "A7", GroupBugs::activateEarly, leases),
                plantedWorld(
                        "sessions with the pool are left open",
                        "A5",
                        withoutEffect(state -> true, AgentEffect.CloseSessions.class),
                        leases),
                plantedWorld(
                        "an unhealthy NameNode bids",
                        "A4",
                        withEventFilter(DisturbedEvents::ignoreFailedHealthCheck),
                        leases.with("illnesses", 1)));
    }

    private static PlantedWorld plantedWorld(
            String name, String rule, GroupWorld.Rules plantedRules, WorldBounds bounds) {
        return new PlantedWorld(name, rule, bounds, () -> new GroupWorld(plantedRules, bounds));
    }

    private static boolean isActive(AgentState state) {
        return state.stage() == AgentStage.SERVING;
    }

    private static GroupWorld.Rules withEventFilter(UnaryOperator<AgentEvent> eventFilter) {
        return (state, event, now) -> Agent.step(state, eventFilter.apply(event), now);
    }

    private static GroupWorld.Rules withoutEffect(Predicate<AgentState> when, Class<? extends AgentEffect> forgotten) {
        return (state, event, now) -> {
            Step<AgentState, AgentEffect> step = Agent.step(state, event, now);
            List<AgentEffect> effects = new ArrayList<>(step.effects());
            effects.removeIf(effect -> when.test(state) && forgotten.isInstance(effect));
            return Step.of(step.next(), effects);
        };
    }

    private static Step<AgentState, AgentEffect> neverHalt(AgentState state, AgentEvent event, long now) {
        Step<AgentState, AgentEffect> step = Agent.step(state, event, now);
        return step.next().stage() == AgentStage.HALTED ? Step.withoutEffects(state) : step;
    }

    private static Step<AgentState, AgentEffect> activateEarly(AgentState state, AgentEvent event, long now) {
        Step<AgentState, AgentEffect> step = Agent.step(state, event, now);
        List<AgentEffect> effects = new ArrayList<>(step.effects());
        if (effects.contains(AgentEffect.takeEpoch())) {
            effects.add(AgentEffect.activate());
        }
        return Step.of(step.next(), effects);
    }
}

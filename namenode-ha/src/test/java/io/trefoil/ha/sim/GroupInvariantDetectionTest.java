/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.foundation.Step;
import io.trefoil.ha.agent.Agent;
import io.trefoil.ha.agent.AgentState;
import io.trefoil.ha.agent.DisturbedEvents;
import io.trefoil.ha.agent.events.AgentEffect;
import io.trefoil.ha.agent.events.AgentEvent;
import io.trefoil.ha.agent.events.AgentStage;
import io.trefoil.ha.sim.GroupSimulation.Mix;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Invariants find the bugs that they are there for. */
class GroupInvariantDetectionTest {

    @Test
    void findsAgentTreatingSilenceAsFreeLease() {
        assertThat(isFound(Mix.SHORT_PAUSES, DisturbedEvents::treatSilenceAsFreeLease, "causes no failover"))
                .isTrue();
    }

    @Test
    void findsAgentIgnoringFailedHealthCheck() {
        assertThat(isFound(Mix.EVERYTHING, DisturbedEvents::ignoreFailedHealthCheck, "nobody unhealthy is elected"))
                .isTrue();
    }

    @Test
    void findsAgentThatNeverHalts() {
        assertThat(GroupSimulationTest.isFound(
                        Mix.EVERYTHING, neverEnterStage(AgentStage.HALTED), true, "knows that it was deposed"))
                .isTrue();
    }

    @Test
    void findsAgentSteppingDownWithoutZooKeeper() {
        assertThat(isFound(
                        Mix.ZOOKEEPER_ONLY,
                        DisturbedEvents::treatUnreachableZooKeeperAsLostLock,
                        "ZOOKEEPER_ONLY causes no failover"))
                .isTrue();
    }

    @Test
    void findsPoolThatDoesNotFence() {
        assertThat(GroupSimulationTest.isFound(Mix.EVERYTHING, SimMember.Rules.REAL, false, "at most one can commit"))
                .isTrue();
    }

    @Test
    void findsAgentBiddingAsObserver() {
        assertThat(isFound(Mix.EVERYTHING, DisturbedEvents::treatObserverAsStandby, "become active as a standby only"))
                .isTrue();
    }

    @Test
    void findsAgentIgnoringWorkInProgress() {
        assertThat(isFound(
                        Mix.LONG_OPERATIONS, DisturbedEvents::ignoreWorkInProgress, "a long operation ends no process"))
                .isTrue();
    }

    @Test
    void findsAgentNotCountingHandovers() {
        assertThat(GroupSimulationTest.isFound(
                        Mix.TROUBLE_OF_THE_ROLE,
                        (state, event, now) -> Agent.step(DisturbedEvents.withoutInheritedHandovers(state), event, now),
                        true,
                        "one trouble does not go round"))
                .isTrue();
    }

    @Test
    void findsAgentGivingReturningMembersNoTime() {
        assertThat(GroupSimulationTest.isFound(
                        Mix.LOST_MAJORITY,
                        (state, event, now) -> Agent.step(DisturbedEvents.withoutSoleWriterTime(state), event, now),
                        true,
                        "an active whose majority is back goes on"))
                .isTrue();
    }

    @Test
    void findsNonElectableAgentStandingForElection() {
        assertThat(GroupSimulationTest.isFound(
                        Mix.EVERYTHING,
                        (state, event, now) -> Agent.step(DisturbedEvents.alwaysElectable(state), event, now),
                        true,
                        "no NameNode is elected that is not electable"))
                .isTrue();
    }

    @Test
    void findsAgentIgnoringStaleNamespace() {
        assertThat(isFound(
                        Mix.EVERYTHING,
                        DisturbedEvents::ignoreNamespaceObjection,
                        "nobody asks for an epoch whose namespace is from before"))
                .isTrue();
    }

    @Test
    void findsAgentIgnoringDrain() {
        assertThat(isFound(
                        Mix.EVERYTHING,
                        DisturbedEvents::ignoreOrders,
                        "nobody drained is elected while another could be"))
                .isTrue();
    }

    @Test
    void findsDrainedAgentKeepingRole() {
        assertThat(GroupSimulationTest.isFound(
                        Mix.EVERYTHING,
                        (state, event, now) -> state.stage() == AgentStage.SERVING
                                ? Agent.step(state, DisturbedEvents.ignoreOrders(event), now)
                                : Agent.step(state, event, now),
                        true,
                        "nobody drained is active in the end"))
                .isTrue();
    }

    @Test
    void findsAgentLeavingSessionsOpen() {
        assertThat(GroupSimulationTest.isFound(
                        Mix.LONG_OPERATIONS,
                        withoutEffect(AgentEffect.closeSessions()),
                        true,
                        "sessions that nobody needs are closed"))
                .isTrue();
    }

    @Test
    void findsAgentThatNeverChangesRole() {
        assertThat(GroupSimulationTest.isFound(
                        Mix.EVERYTHING,
                        neverEnterStage(AgentStage.CHANGING),
                        true,
                        "all standbys but one answer reads"))
                .isTrue();
    }

    /** Rules that stay what they are instead. */
    private static SimMember.Rules neverEnterStage(AgentStage stage) {
        return (state, event, now) -> {
            Step<AgentState, AgentEffect> step = Agent.step(state, event, now);
            return step.next().stage() == stage ? Step.of(state, List.<AgentEffect>of()) : step;
        };
    }

    /** Rules that forget to want this. */
    private static SimMember.Rules withoutEffect(AgentEffect forgotten) {
        return (state, event, now) -> {
            Step<AgentState, AgentEffect> step = Agent.step(state, event, now);
            List<AgentEffect> effects = new ArrayList<>(step.effects());
            effects.remove(forgotten);
            return Step.of(step.next(), effects);
        };
    }

    private static boolean isFound(Mix mix, UnaryOperator<AgentEvent> disturbance, String invariant) {
        return GroupSimulationTest.isFound(
                mix, (state, event, now) -> Agent.step(state, disturbance.apply(event), now), true, invariant);
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.checkpoint.coordinator.Coordinator;
import io.trefoil.checkpoint.coordinator.WrongCoordinators;
import io.trefoil.checkpoint.participant.Participant;
import io.trefoil.checkpoint.participant.WrongParticipants;
import org.junit.jupiter.api.Test;

/** Invariants find the bugs that they are there for. */
class FederationInvariantDetectionTest {

    @Test
    void findsCutBeforeAllAreFrozen() {
        assertFound(
                new SimRules(WrongCoordinators::cutBeforeAllFrozen, Participant::step), "no effect without its cause");
    }

    @Test
    void findsCutAfterLockWasLost() {
        assertFound(
                new SimRules(Coordinator::step, WrongParticipants::releaseAndRetakeLock),
                "no effect without its cause");
    }

    @Test
    void findsNameNodeWaitingForCoordinator() {
        assertFound(new SimRules(Coordinator::step, WrongParticipants::waitForeverForCoordinator), "lets go in time");
    }

    @Test
    void findsCoordinatorReportingUnknownOutcomeAsFailed() {
        assertFound(
                new SimRules(WrongCoordinators::reportUnknownAsFailed, Participant::step), "failed, counts nowhere");
    }

    @Test
    void findsCoordinatorThatNeverAbandons() {
        assertFound(new SimRules(WrongCoordinators::failSilently, Participant::step), "failed, counts nowhere");
    }

    @Test
    void findsForgottenBarrier() {
        assertFound(
                new SimRules(Coordinator::step, WrongParticipants::treatUnknownAsNeverExisting),
                "failed, counts nowhere");
    }

    private static void assertFound(SimRules rules, String invariant) {
        assertThat(FederationSimulationTest.isFound(rules, invariant)).isTrue();
    }
}

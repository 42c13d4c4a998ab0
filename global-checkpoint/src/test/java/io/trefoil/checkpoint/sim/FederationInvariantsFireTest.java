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
class FederationInvariantsFireTest {

    @Test
    void aCutBeforeAllAreFrozenIsFound() {
        assertFound(new SimRules(WrongCoordinators::hasty, Participant::step), "no effect without its cause");
    }

    @Test
    void aCutAfterTheLockWasLostIsFound() {
        assertFound(new SimRules(Coordinator::step, WrongParticipants::fickle), "no effect without its cause");
    }

    @Test
    void aNameNodeThatWaitsForTheCoordinatorIsFound() {
        assertFound(new SimRules(Coordinator::step, WrongParticipants::patient), "lets go in time");
    }

    @Test
    void aCoordinatorThatDoesNotKnowAndSaysFailedIsFound() {
        assertFound(new SimRules(WrongCoordinators::sure, Participant::step), "failed, counts nowhere");
    }

    @Test
    void aCoordinatorThatTakesNothingBackIsFound() {
        assertFound(new SimRules(WrongCoordinators::silent, Participant::step), "failed, counts nowhere");
    }

    @Test
    void aBarrierThatIsForgottenIsFound() {
        assertFound(new SimRules(Coordinator::step, WrongParticipants::rash), "failed, counts nowhere");
    }

    private static void assertFound(SimRules rules, String invariant) {
        assertThat(FederationSimulationTest.isFound(rules, invariant)).isTrue();
    }
}

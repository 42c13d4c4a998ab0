/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.explore;

import io.trefoil.checkpoint.coordinator.Coordinator;
import io.trefoil.checkpoint.coordinator.WrongCoordinators;
import io.trefoil.checkpoint.participant.Participant;
import io.trefoil.checkpoint.participant.WrongParticipants;
import io.trefoil.checkpoint.sim.SimRules;
import io.trefoil.foundation.explore.PlantedWorld;
import io.trefoil.foundation.explore.WorldBounds;
import java.util.List;

/** Broken rules of checkpoints. */
final class CheckpointBugs {

    static final WorldBounds CALM = WorldBounds.of(
            "checkpoint", "writes", "deadlines", "retries", "failures", "duplicates", "failovers", "crashes");

    private CheckpointBugs() {}

    static List<PlantedWorld> all() {
        WorldBounds written = CALM.with("writes", 1);
        WorldBounds late = CALM.with("deadlines", 2);
        WorldBounds restarted = CALM.with("writes", 1)
                .with("duplicates", 1)
                .with("failovers", 1)
                .with("crashes", 1);
        return List.of(
                coordinator("one cuts before all are frozen", "C1", WrongCoordinators::cutBeforeAllFrozen, written),
                participant("a freeze is not kept", "C1", WrongParticipants::releaseAndRetakeLock, written),
                participant("any grant will do", "C1", WrongParticipants::cutUnderAnyGrant, restarted),
                participant(
                        "a freeze waits for its coordinator",
                        "C2",
                        (state, event, now) -> Participant.step(state, event, now - 1),
                        late),
                participant(
                        "a barrier counts when it is written",
                        "C3",
                        WrongParticipants::answerBeforeCommit,
                        CALM.with("failovers", 1)),
                coordinator(
                        "an unknown end is reported as failed", "C4", WrongCoordinators::reportUnknownAsFailed, late),
                coordinator("a failed checkpoint is not abandoned", "C4", WrongCoordinators::failSilently, late),
                participant(
                        "an earlier run's barrier is forgotten",
                        "C4",
                        WrongParticipants::treatUnknownAsNeverExisting,
                        late),
                participant(
                        "a barrier is removed while it is committed",
                        "C4",
                        WrongParticipants::removeBeforeCommit,
                        late.with("failures", 1)),
                participant(
                        "a failed cut ends nothing",
                        "C2",
                        WrongParticipants::waitForAnotherCut,
                        CALM.with("failures", 1)));
    }

    private static PlantedWorld coordinator(
            String name, String rule, SimRules.CoordinatorRule plantedRule, WorldBounds bounds) {
        return new PlantedWorld(
                name, rule, bounds, () -> new CheckpointWorld(new SimRules(plantedRule, Participant::step), bounds));
    }

    private static PlantedWorld participant(
            String name, String rule, SimRules.ParticipantRule plantedRule, WorldBounds bounds) {
        return new PlantedWorld(
                name, rule, bounds, () -> new CheckpointWorld(new SimRules(Coordinator::step, plantedRule), bounds));
    }
}

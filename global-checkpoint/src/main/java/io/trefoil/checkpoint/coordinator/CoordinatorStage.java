/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.coordinator;

import io.trefoil.foundation.StageTransitions;

/** The stage of a checkpoint; {@link #EDGES} lists the transitions. */
public enum CoordinatorStage {
    /** Asks all participants for their clocks. */
    ASKING_TIME,
    /** Waits until all participants are frozen. */
    FREEZING,
    /** All participants were frozen at one instant; waits for their cuts. */
    CUTTING,
    /** The checkpoint failed; waits until it is known to count nowhere. */
    ABANDONING,
    ENDED;

    /** The allowed transitions between stages; the table in {@code docs/design/code-shape.md} says when. */
    public static final StageTransitions<CoordinatorStage> EDGES = StageTransitions.builder(CoordinatorStage.class)
            .allow(ASKING_TIME, FREEZING)
            .allow(ASKING_TIME, ABANDONING)
            .allow(FREEZING, CUTTING)
            .allow(FREEZING, ABANDONING)
            .allow(CUTTING, ENDED)
            .allow(CUTTING, ABANDONING)
            .allow(ABANDONING, ENDED)
            .build();
}

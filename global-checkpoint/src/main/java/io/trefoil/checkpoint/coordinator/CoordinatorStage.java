/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.coordinator;

import io.trefoil.foundation.StageEdges;

/** How far a checkpoint has come; {@link #EDGES} lists the transitions. */
public enum CoordinatorStage {
    /** Asks all for their clocks. */
    ASKING_TIME,
    /** Waits until all are frozen. */
    FREEZING,
    /** All were frozen at one instant; waits for their cuts. */
    CUTTING,
    /** It failed: waits until it is known to count nowhere. */
    ABANDONING,
    ENDED;

    /** Which stage may follow which; when is in the table of {@code docs/design/code-shape.md}. */
    public static final StageEdges<CoordinatorStage> EDGES = StageEdges.of(CoordinatorStage.class)
            .edge(ASKING_TIME, FREEZING)
            .edge(ASKING_TIME, ABANDONING)
            .edge(FREEZING, CUTTING)
            .edge(FREEZING, ABANDONING)
            .edge(CUTTING, ENDED)
            .edge(CUTTING, ABANDONING)
            .edge(ABANDONING, ENDED)
            .build();
}

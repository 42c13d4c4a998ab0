/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.participant;

import io.trefoil.foundation.StageEdges;

/** The stages of a checkpoint on one NameNode; {@link #EDGES} lists the transitions. */
public enum ParticipantStage {
    IDLE,
    /** Waits for the namesystem's lock. */
    LOCKING,
    /** The participant was told to give up, or is late, while it waited for the lock, which it may still get. */
    GIVING_UP,
    /** Holds the lock. */
    FROZEN,
    /** Holds the lock and ends the segment. */
    CUTTING,
    /** The participant has released the lock; its barrier is being committed. */
    MARKING;

    /** The allowed transitions between stages; the table in {@code docs/design/code-shape.md} says when. */
    public static final StageEdges<ParticipantStage> EDGES = StageEdges.of(ParticipantStage.class)
            .edge(IDLE, LOCKING)
            .edge(LOCKING, FROZEN)
            .edge(LOCKING, GIVING_UP)
            .edge(LOCKING, IDLE)
            .edge(GIVING_UP, IDLE)
            .edge(FROZEN, CUTTING)
            .edge(FROZEN, IDLE)
            .edge(CUTTING, MARKING)
            .edge(CUTTING, IDLE)
            .edge(MARKING, IDLE)
            .build();
}

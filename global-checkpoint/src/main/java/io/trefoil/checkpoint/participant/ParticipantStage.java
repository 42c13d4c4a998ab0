/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.participant;

import io.trefoil.foundation.StageTransitions;

/** The stages of a checkpoint on one NameNode; {@link #EDGES} lists the transitions. */
public enum ParticipantStage {
    IDLE,
    /** Waits for the namesystem's lock. */
    LOCKING,
    /** The participant was ordered to give up, or is late, while waiting for the lock, which it may still get. */
    GIVING_UP,
    /** Holds the lock. */
    FROZEN,
    /** Holds the lock and ends the segment. */
    CUTTING,
    /** The participant has released the lock; its barrier is being committed. */
    MARKING;

    /** The allowed transitions between stages; the table in {@code docs/design/code-shape.md} says when. */
    public static final StageTransitions<ParticipantStage> EDGES = StageTransitions.builder(ParticipantStage.class)
            .allow(IDLE, LOCKING)
            .allow(LOCKING, FROZEN)
            .allow(LOCKING, GIVING_UP)
            .allow(LOCKING, IDLE)
            .allow(GIVING_UP, IDLE)
            .allow(FROZEN, CUTTING)
            .allow(FROZEN, IDLE)
            .allow(CUTTING, MARKING)
            .allow(CUTTING, IDLE)
            .allow(MARKING, IDLE)
            .build();
}

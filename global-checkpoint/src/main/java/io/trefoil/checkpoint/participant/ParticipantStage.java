/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.participant;

/** What a NameNode is doing for a checkpoint. */
public enum ParticipantStage {
    IDLE,
    /** Waits for the namesystem's lock. */
    LOCKING,
    /** Was told to let go, or is late, while it waited for the lock; it may get it yet. */
    GIVING_UP,
    /** Holds the lock. */
    FROZEN,
    /** Holds the lock and ends the segment. */
    CUTTING,
    /** Has let go; its barrier is being committed. */
    MARKING
}

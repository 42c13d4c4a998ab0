/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.coordinator;

/** How far a checkpoint is. */
public enum Stage {
    /** Asks all for their clocks. */
    ASKING_TIME,
    /** Waits until all are frozen. */
    FREEZING,
    /** All were frozen at one instant; waits for their cuts. */
    CUTTING,
    /** It failed: waits until it is known to count nowhere. */
    ABANDONING,
    ENDED
}

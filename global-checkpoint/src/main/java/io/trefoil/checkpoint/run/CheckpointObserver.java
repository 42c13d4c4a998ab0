/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.run;

import io.trefoil.checkpoint.coordinator.CheckpointOutcome;

/** Is told how long the parts of checkpoints took, in nanoseconds. Any thread; must not block. */
public interface CheckpointObserver {

    /** The lock was had, after so long a wait. */
    void locked(long waitedNanos);

    /** It was not had, or the NameNode could make no checkpoint. */
    void notLocked();

    /** The lock was given back; without a cut if the freeze came to nothing. */
    void unlocked(long heldNanos, boolean cut);

    /** The barrier was committed. */
    void marked(long nanos);

    /** It is not known to be committed. */
    void notMarked();

    /** A checkpoint that this NameNode led has ended. */
    void led(CheckpointOutcome.Kind end, long nanos);
}

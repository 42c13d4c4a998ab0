/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.run;

import io.trefoil.checkpoint.coordinator.CheckpointOutcome;

/** Is notified of the duration of each part of a checkpoint, in nanoseconds. Any thread; must not block. */
public interface CheckpointObserver {

    /** The lock was taken, after this wait. */
    void locked(long waitedNanos);

    /** The lock was not taken, or the NameNode could not make a checkpoint. */
    void lockFailed();

    /** The lock was released; without a cut if the freeze was unsuccessful. */
    void unlocked(long heldNanos, boolean wasCut);

    /** The barrier was committed. */
    void marked(long nanos);

    /** The write of the barrier was not confirmed: whether it is committed is unknown. */
    void markFailed();

    /** A checkpoint that this NameNode led has ended. */
    void checkpointEnded(CheckpointOutcome.Kind end, long nanos);
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.run;

import io.trefoil.checkpoint.coordinator.CheckpointOutcome;

/** Makes nothing of what it is told. */
final class SilentObserver implements CheckpointObserver {
    @Override
    public void locked(long waitedNanos) {}

    @Override
    public void lockFailed() {}

    @Override
    public void unlocked(long heldNanos, boolean cut) {}

    @Override
    public void marked(long nanos) {}

    @Override
    public void markFailed() {}

    @Override
    public void checkpointEnded(CheckpointOutcome.Kind end, long nanos) {}
}

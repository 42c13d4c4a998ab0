/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.model;

import com.google.auto.value.AutoValue;

/** Asks a participant to freeze its namesystem. Immutable. */
@AutoValue
public abstract class FreezeOrder {

    /** The upper bound of every freeze, which neither a setting nor an order can exceed. */
    public static final long MAX_HOLD_MILLIS = 60_000;

    /**
     * @param holdMillis how long after receiving this the participant releases the lock, whatever else it is told
     * @param protectData whether to take a snapshot of the root with the cut
     */
    public static FreezeOrder of(CheckpointId id, long holdMillis, boolean protectData) {
        if (holdMillis < 1 || holdMillis > MAX_HOLD_MILLIS) {
            throw new IllegalArgumentException("A freeze lasts 1 to " + MAX_HOLD_MILLIS + " ms, wanted " + holdMillis);
        }
        return new AutoValue_FreezeOrder(id, holdMillis, protectData);
    }

    public abstract CheckpointId id();

    public abstract long holdMillis();

    public abstract boolean protectData();
}

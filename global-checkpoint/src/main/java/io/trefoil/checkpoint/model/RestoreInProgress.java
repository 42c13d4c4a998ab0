/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.model;

import com.google.auto.value.AutoValue;

/**
 * States that a restore of the nameservice's journal is in progress, or did not finish: no NameNode may start from the
 * journal. Immutable.
 */
@AutoValue
public abstract class RestoreInProgress {

    /**
     * @param voidEpoch what {@link RestoreRecord#voidEpoch} will be; recorded because an attempt that continues this one finds less in the
     *     journal
     */
    public static RestoreInProgress of(long epoch, boolean undo, long voidEpoch) {
        return new AutoValue_RestoreInProgress(epoch, undo, voidEpoch);
    }

    /** The epoch of the last attempt. */
    public abstract long epoch();

    /** Whether the operation is an undo, which brings back the state from before a restore. */
    public abstract boolean isUndo();

    public abstract long voidEpoch();
}

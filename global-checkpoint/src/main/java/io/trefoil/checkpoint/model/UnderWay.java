/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.model;

import com.google.auto.value.AutoValue;

/**
 * States that a restore of the nameservice's journal is under way, or did not finish: no NameNode may start from it.
 * Immutable.
 */
@AutoValue
public abstract class UnderWay {

    /** @param voidEpoch as {@link Restored#voidEpoch} will be: a try that goes on with this one finds less in the journal */
    public static UnderWay of(long epoch, boolean undo, long voidEpoch) {
        return new AutoValue_UnderWay(epoch, undo, voidEpoch);
    }

    /** In which it was begun last. */
    public abstract long epoch();

    /** Whether what there was before is being brought back. */
    public abstract boolean undo();

    public abstract long voidEpoch();
}

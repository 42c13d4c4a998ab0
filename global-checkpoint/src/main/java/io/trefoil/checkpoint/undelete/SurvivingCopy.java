/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.undelete;

import com.google.auto.value.AutoValue;

/** The place where a file of the past, known by its inode, still is. Immutable. */
@AutoValue
public abstract class SurvivingCopy {

    /** The place that keeps the copy. */
    public enum Keeper {
        TRASH,
        SNAPSHOT,
        /** It was renamed, and is in use there. */
        OTHER_PATH
    }

    public static SurvivingCopy of(Keeper keeper, String path, long bytes, long modifiedMillis) {
        return new AutoValue_SurvivingCopy(keeper, path, bytes, modifiedMillis);
    }

    public abstract Keeper keeper();

    public abstract String path();

    public abstract long bytes();

    public abstract long modifiedMillis();
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.restore;

import com.google.auto.value.AutoValue;

/** A file of the checkpoint that will be incomplete after the restore. Immutable. */
@AutoValue
public abstract class LostFile {

    public static LostFile of(String path, int blocks, int deleted, int changed) {
        return new AutoValue_LostFile(path, blocks, deleted, changed);
    }

    public abstract String path();

    /** How many blocks it has. */
    public abstract int blocks();

    /** How many of its blocks nothing refers to any more: DataNodes have deleted them, or will. */
    public abstract int deleted();

    /** How many of its blocks were appended to or truncated since: their replicas differ from what the checkpoint knows. */
    public abstract int changed();
}

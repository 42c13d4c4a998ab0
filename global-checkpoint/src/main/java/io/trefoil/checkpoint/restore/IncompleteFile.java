/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.restore;

import com.google.auto.value.AutoValue;

/** A file of the checkpoint that will be incomplete after the restore. Immutable. */
@AutoValue
public abstract class IncompleteFile {

    public static IncompleteFile of(String path, int blocks, int deleted, int changed) {
        return new AutoValue_IncompleteFile(path, blocks, deleted, changed);
    }

    public abstract String path();

    /** The number of blocks in the file. */
    public abstract int blocks();

    /** The number of the file's blocks to which no namespace refers any longer: DataNodes have deleted them, or will. */
    public abstract int deleted();

    /** The number of the file's blocks that were appended to or truncated since: their replicas differ from the checkpoint's metadata. */
    public abstract int changed();
}

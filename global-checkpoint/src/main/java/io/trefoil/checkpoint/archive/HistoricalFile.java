/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.archive;

import com.google.auto.value.AutoValue;

/** A file or directory of a namespace of the past. Immutable. */
@AutoValue
public abstract class HistoricalFile {

    /** The kind of a file, as the first letter of {@code hdfs dfs -ls} says. */
    public enum Kind {
        DIRECTORY,
        FILE,
        SYMLINK
    }

    public static Builder builder() {
        return new AutoValue_HistoricalFile.Builder();
    }

    @AutoValue.Builder
    public abstract static class Builder {
        public abstract Builder path(String path);

        public abstract Builder kind(Kind kind);

        public abstract Builder permission(String permission);

        public abstract Builder owner(String owner);

        public abstract Builder group(String group);

        public abstract Builder bytes(long bytes);

        public abstract Builder modifiedMillis(long modifiedMillis);

        public abstract Builder inode(long inode);

        public abstract HistoricalFile build();
    }

    public abstract String path();

    public abstract Kind kind();

    /** The permission as text, such as {@code rwxr-x---}. */
    public abstract String permission();

    public abstract String owner();

    public abstract String group();

    /** The length; 0 if it is not a file. */
    public abstract long bytes();

    public abstract long modifiedMillis();

    /** The inode's id, which stays the same when it is renamed, and is never used again. */
    public abstract long inode();
}

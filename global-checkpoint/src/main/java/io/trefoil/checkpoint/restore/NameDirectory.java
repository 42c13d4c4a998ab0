/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.restore;

import com.google.auto.value.AutoValue;
import java.util.Optional;

/** A directory of this host's NameNode, for images or for edits, in the state in which it was found. Immutable. */
@AutoValue
public abstract class NameDirectory {

    public static Builder builder() {
        return new AutoValue_NameDirectory.Builder()
                .images(true)
                .storage(Optional.<String>empty())
                .newestTxId(0)
                .installedInEpoch(Optional.<Long>empty())
                .before(Optional.<String>empty())
                .inUse(false)
                .unfinishedUpgrade(false);
    }

    public abstract String path();

    /** Whether the directory is for images; if not, it is only for edits. */
    public abstract boolean images();

    /** The namespace and the layout of its {@code current}; empty if there is none. */
    public abstract Optional<String> storage();

    /** The newest transaction that one of its images or edits files contains, or may contain. */
    public abstract long newestTxId();

    /** The epoch of the restore to this checkpoint that {@code current} was laid for. */
    public abstract Optional<Long> installedInEpoch();

    /**
     * The directory that the restore recorded in the barrier moved aside, if it is of the line that the restore made
     * void; empty if there is none.
     */
    public abstract Optional<String> before();

    public abstract boolean inUse();

    /** Whether the directory contains remains of an upgrade that was neither finalized nor rolled back. */
    public abstract boolean unfinishedUpgrade();

    /** A builder whose path must be set. The defaults describe an empty directory for images that nobody uses. */
    @AutoValue.Builder
    public abstract static class Builder {

        public abstract Builder path(String path);

        public abstract Builder images(boolean belongIntoIt);

        public abstract Builder storage(Optional<String> storage);

        public abstract Builder newestTxId(long txId);

        public abstract Builder installedInEpoch(Optional<Long> epoch);

        public abstract Builder before(Optional<String> path);

        public abstract Builder inUse(boolean is);

        public abstract Builder unfinishedUpgrade(boolean is);

        public abstract NameDirectory build();
    }
}

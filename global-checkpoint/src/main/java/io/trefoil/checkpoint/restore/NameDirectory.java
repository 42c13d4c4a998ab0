/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.restore;

import com.google.auto.value.AutoValue;
import java.util.Optional;

/** A directory of this host's NameNode, for images or for edits, as it was found. Immutable. */
@AutoValue
public abstract class NameDirectory {

    public static Builder builder() {
        return new AutoValue_NameDirectory.Builder()
                .holdsImages(true)
                .storage(Optional.<String>empty())
                .newestTxId(0)
                .installedInEpoch(Optional.<Long>empty())
                .movedAside(Optional.<String>empty())
                .inUse(false)
                .unfinishedUpgrade(false);
    }

    public abstract String path();

    /** Whether the directory is for images; if not, it is only for edits. */
    public abstract boolean holdsImages();

    /** The namespace and the layout of its {@code current}; empty if there is none. */
    public abstract Optional<String> storage();

    /** The newest transaction that one of its images or edits files contains, or may contain. */
    public abstract long newestTxId();

    /** The epoch of the restore to this checkpoint for which {@code current} was prepared. */
    public abstract Optional<Long> installedInEpoch();

    /**
     * The directory moved aside by the restore that the barrier records, if it belongs to the timeline that this restore made void; empty if
     * there is none.
     */
    public abstract Optional<String> movedAside();

    public abstract boolean inUse();

    /** Whether the directory contains remains of an upgrade that was neither finalized nor rolled back. */
    public abstract boolean unfinishedUpgrade();

    /** A builder whose path must be set. The defaults describe an empty directory for images that no NameNode uses. */
    @AutoValue.Builder
    public abstract static class Builder {

        public abstract Builder path(String path);

        public abstract Builder holdsImages(boolean holdsImages);

        public abstract Builder storage(Optional<String> storage);

        public abstract Builder newestTxId(long newestTxId);

        public abstract Builder installedInEpoch(Optional<Long> epoch);

        public abstract Builder movedAside(Optional<String> movedAside);

        public abstract Builder inUse(boolean inUse);

        public abstract Builder unfinishedUpgrade(boolean unfinishedUpgrade);

        public abstract NameDirectory build();
    }
}

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
                .images(true)
                .storage(Optional.<String>empty())
                .newestTxId(0)
                .laidInEpoch(Optional.<Long>empty())
                .before(Optional.<String>empty())
                .inUse(false)
                .unfinishedUpgrade(false);
    }

    public abstract String path();

    /** Whether images belong into it; if not, only edits do. */
    public abstract boolean images();

    /** Of which namespace in which layout its {@code current} is; empty if there is none. */
    public abstract Optional<String> storage();

    /** The newest transaction that one of its images or edits files has, or may have. */
    public abstract long newestTxId();

    /** In which epoch the journal had been restored to this checkpoint when {@code current} was laid for that. */
    public abstract Optional<Long> laidInEpoch();

    /** What the restore of which the barrier tells moved aside, of the line that it made void; empty if there is nothing. */
    public abstract Optional<String> before();

    public abstract boolean inUse();

    /** Whether there is something of an upgrade that was neither finalized nor rolled back. */
    public abstract boolean unfinishedUpgrade();

    /** Collects one; the path must be set. Without the rest, an empty directory for images that nobody uses. */
    @AutoValue.Builder
    public abstract static class Builder {

        public abstract Builder path(String path);

        public abstract Builder images(boolean belongIntoIt);

        public abstract Builder storage(Optional<String> storage);

        public abstract Builder newestTxId(long txId);

        public abstract Builder laidInEpoch(Optional<Long> epoch);

        public abstract Builder before(Optional<String> path);

        public abstract Builder inUse(boolean is);

        public abstract Builder unfinishedUpgrade(boolean is);

        public abstract NameDirectory build();
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.subtree.model;

import com.google.auto.value.AutoValue;
import io.trefoil.tools.subtree.progress.Amount;
import io.trefoil.tools.table.model.SubtreePath;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;

/** How much there is in a subtree. Immutable. */
@AutoValue
public abstract class SubtreeSize {

    public static Builder builder() {
        return new AutoValue_SubtreeSize.Builder();
    }

    public abstract long files();

    /** With the subtree's own. */
    public abstract long folders();

    public abstract long bytes();

    /** With all replicas. */
    public abstract long bytesOnDisks();

    /** At most, if none is smaller than blocks usually are: NameNodes do not count them by folder. */
    public abstract long blocks();

    /** What is in the subtree, without its own folder; blocks are not known by folder. */
    final Amount inside() {
        return Amount.builder()
                .files(files())
                .folders(Math.max(0, folders() - 1))
                .build();
    }

    /** Measures subtrees; must be closed. A NameNode goes through a subtree to answer, so ask for few. */
    public interface Source extends Closeable {

        /** @return empty if there is no such folder in that nameservice */
        Optional<SubtreeSize> of(String nameservice, SubtreePath path) throws IOException;
    }

    /** Collects the parts. */
    @AutoValue.Builder
    public abstract static class Builder {
        public abstract Builder files(long files);

        public abstract Builder folders(long folders);

        public abstract Builder bytes(long bytes);

        public abstract Builder bytesOnDisks(long bytes);

        public abstract Builder blocks(long blocks);

        public abstract SubtreeSize build();
    }
}

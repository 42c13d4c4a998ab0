/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.subtree.model;

import com.google.auto.value.AutoValue;

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

    /** Collects the parts. */
    @AutoValue.Builder
    public abstract static class Builder {
        public abstract Builder files(long files);

        public abstract Builder folders(long folders);

        public abstract Builder bytes(long bytes);

        public abstract Builder bytesOnDisks(long bytes);

        public abstract SubtreeSize build();
    }
}

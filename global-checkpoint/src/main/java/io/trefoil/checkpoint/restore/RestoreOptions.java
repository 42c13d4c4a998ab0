/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.restore;

import com.google.auto.value.AutoValue;

/** An operator's options for a restore, besides the checkpoint. Immutable. */
@AutoValue
public abstract class RestoreOptions {

    public static final RestoreOptions NONE = builder().build();

    public static Builder builder() {
        return new AutoValue_RestoreOptions.Builder().alone(false).again(false);
    }

    /** Whether to restore this host's nameservice without the others. */
    public abstract boolean alone();

    /** Whether to also make void what was written since an earlier restore to the checkpoint. */
    public abstract boolean again();

    /** Builds options; those that are not set are off. */
    @AutoValue.Builder
    public abstract static class Builder {

        public abstract Builder alone(boolean alone);

        public abstract Builder again(boolean again);

        public abstract RestoreOptions build();
    }
}

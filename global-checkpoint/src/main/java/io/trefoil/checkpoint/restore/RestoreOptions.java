/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.restore;

import com.google.auto.value.AutoValue;

/** An operator's options for a restore, in addition to the checkpoint. Immutable. */
@AutoValue
public abstract class RestoreOptions {

    public static final RestoreOptions NONE = builder().build();

    public static Builder builder() {
        return new AutoValue_RestoreOptions.Builder().singleNameservice(false).repeatRestore(false);
    }

    /** Whether to restore this host's nameservice without the others. */
    public abstract boolean singleNameservice();

    /** Whether to also make the edits void that were written since an earlier restore to the checkpoint. */
    public abstract boolean repeatRestore();

    /** Builds options; those that are not set are off. */
    @AutoValue.Builder
    public abstract static class Builder {

        public abstract Builder singleNameservice(boolean singleNameservice);

        public abstract Builder repeatRestore(boolean repeatRestore);

        public abstract RestoreOptions build();
    }
}

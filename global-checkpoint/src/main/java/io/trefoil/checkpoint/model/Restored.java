/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.model;

import com.google.auto.value.AutoValue;

/** That the journal of a nameservice was taken back to a checkpoint, as its barrier says it. Immutable. */
@AutoValue
public abstract class Restored {

    public static Builder builder() {
        return new AutoValue_Restored.Builder();
    }

    /** In which that was done last. */
    public abstract long epoch();

    /** The last of the transactions that the new line begins with: what is behind was written since. */
    public abstract long lastTxId();

    /** To which the new line counted the ids of plain blocks at its beginning, above all that any line before gave out. */
    public abstract long blockId();

    /** To which it counted the generation stamps. */
    public abstract long generationStamp();

    /** Collects one; everything must be set. */
    @AutoValue.Builder
    public abstract static class Builder {

        public abstract Builder epoch(long epoch);

        public abstract Builder lastTxId(long txId);

        public abstract Builder blockId(long id);

        public abstract Builder generationStamp(long stamp);

        public abstract Restored build();
    }
}

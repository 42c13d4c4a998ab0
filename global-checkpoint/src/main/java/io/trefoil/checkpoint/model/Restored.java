/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.model;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.VoidRange;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** States in a barrier that the nameservice's journal was restored to its checkpoint. Immutable. */
@AutoValue
public abstract class Restored {

    public static Builder builder() {
        return new AutoValue_Restored.Builder();
    }

    /** In which that was done last. */
    public abstract long epoch();

    /** In which it was restored to the checkpoint: the same, unless that was undone since. */
    public abstract long restoreEpoch();

    /** In which it was last restored to any checkpoint before that, 0 if never: directories of the void line say no less. */
    public abstract long voidEpoch();

    /**
     * The last transaction before the new line: that of the checkpoint, or, if it was undone, the last one that was brought
     * back.
     */
    public abstract long forkTxId();

    /**
     * Images of transactions behind the checkpoint and up to there have counted plain blocks to less; the id is that of
     * a void line.
     */
    public abstract long voidBlockId();

    /** The last of the transactions that the new line begins with: what is behind was written since. */
    public abstract long lastTxId();

    /** To which the new line counted the ids of plain blocks at its beginning, above all that any line before gave out. */
    public abstract long blockId();

    /** To which it counted the generation stamps. */
    public abstract long generationStamp();

    /** What became void by it, behind the last transaction of the checkpoint. */
    public final List<VoidRange> ranges(long cutTxId) {
        VoidRange behindTheFork = VoidRange.of(forkTxId(), Long.MAX_VALUE, 0, blockId());
        return forkTxId() == cutTxId
                ? Collections.singletonList(behindTheFork)
                : Arrays.asList(VoidRange.of(cutTxId, forkTxId(), voidBlockId(), blockId()), behindTheFork);
    }

    /** Collects one; everything must be set. */
    @AutoValue.Builder
    public abstract static class Builder {

        public abstract Builder epoch(long epoch);

        public abstract Builder restoreEpoch(long epoch);

        public abstract Builder voidEpoch(long epoch);

        public abstract Builder forkTxId(long txId);

        public abstract Builder voidBlockId(long id);

        public abstract Builder lastTxId(long txId);

        public abstract Builder blockId(long id);

        public abstract Builder generationStamp(long stamp);

        public abstract Restored build();
    }
}

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
public abstract class RestoreRecord {

    public static Builder builder() {
        return new AutoValue_RestoreRecord.Builder();
    }

    /** The epoch of the last restore to the checkpoint, or of its undo if that came later. */
    public abstract long epoch();

    /** The epoch of the restore to the checkpoint; differs from {@code epoch} only after an undo. */
    public abstract long restoreEpoch();

    /** The epoch of the last restore to any checkpoint before this restore, 0 if none; no directory of the void timeline has a lower mark. */
    public abstract long voidEpoch();

    /**
     * The last transaction before the new timeline: the checkpoint's last one, or, after an undo, the last one that was brought back.
     */
    public abstract long forkTxId();

    /**
     * The plain block ID at which the IDs of the void timeline begin. Images of transactions after the checkpoint and up to
     * {@code forkTxId} that have counted plain blocks to less are not void.
     */
    public abstract long voidBlockId();

    /** The last of the transactions with which the new timeline begins; any later one was written since. */
    public abstract long lastTxId();

    /** The plain block id to which the new timeline first raised its counter, above any id that an earlier timeline assigned. */
    public abstract long blockId();

    /** The generation stamp to which the new timeline first raised its counter. */
    public abstract long generationStamp();

    /** The ranges after the checkpoint's last transaction that the restore or its undo made void. */
    public final List<VoidRange> ranges(long cutTxId) {
        VoidRange behindTheFork = VoidRange.of(forkTxId(), Long.MAX_VALUE, 0, blockId());
        return forkTxId() == cutTxId
                ? Collections.singletonList(behindTheFork)
                : Arrays.asList(VoidRange.of(cutTxId, forkTxId(), voidBlockId(), blockId()), behindTheFork);
    }

    /** A builder, of which every field must be set. */
    @AutoValue.Builder
    public abstract static class Builder {

        public abstract Builder epoch(long epoch);

        public abstract Builder restoreEpoch(long epoch);

        public abstract Builder voidEpoch(long epoch);

        public abstract Builder forkTxId(long forkTxId);

        public abstract Builder voidBlockId(long voidBlockId);

        public abstract Builder lastTxId(long lastTxId);

        public abstract Builder blockId(long blockId);

        public abstract Builder generationStamp(long stamp);

        public abstract RestoreRecord build();
    }
}

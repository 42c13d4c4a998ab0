/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.model;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.VoidRange;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** The content of the barrier in one nameservice's journal. Immutable. */
@AutoValue
public abstract class Manifest {

    /** @throws IllegalArgumentException if the cut's nameservice is not part of the checkpoint */
    public static Manifest of(Agreement agreement, Cut cut) {
        if (!agreement.nameservices().contains(cut.nameservice())) {
            throw new IllegalArgumentException("Checkpoint " + agreement.id() + " consists of "
                    + agreement.nameservices() + ", got a cut of " + cut.nameservice());
        }
        return new AutoValue_Manifest(
                agreement,
                cut,
                Optional.<RestoreRecord>empty(),
                Optional.<RestoreInProgress>empty(),
                Collections.<VoidRange>emptyList());
    }

    /** A copy of this manifest after the journal was restored to the checkpoint. */
    public final Manifest withRestore(RestoreRecord restoreRecord) {
        return withRestore(Optional.of(restoreRecord), Optional.<RestoreInProgress>empty(), voidBefore());
    }

    /**
     * A copy of this manifest while the journal is being restored to the checkpoint.
     *
     * @param voidBefore what had become void before that
     */
    public final Manifest withRestore(RestoreInProgress underWay, List<VoidRange> voidBefore) {
        return withRestore(restoreRecord(), Optional.of(underWay), voidBefore);
    }

    /** A copy of this manifest with another state of its restore. */
    public final Manifest withRestore(
            Optional<RestoreRecord> restoreRecord, Optional<RestoreInProgress> underWay, List<VoidRange> voidBefore) {
        return new AutoValue_Manifest(
                agreement(), cut(), restoreRecord, underWay, Collections.unmodifiableList(new ArrayList<>(voidBefore)));
    }

    public abstract Agreement agreement();

    public abstract Cut cut();

    /** The journal's last restore to this checkpoint, or the undo of it; empty if there was none. */
    public abstract Optional<RestoreRecord> restoreRecord();

    /** The restore of the journal to this checkpoint, or its undo, that is in progress or did not finish; empty if there is none. */
    public abstract Optional<RestoreInProgress> restoreInProgress();

    /**
     * The ranges that were void before the journal was last restored to this checkpoint. Recorded here so that other
     * checkpoints that say so may be deleted.
     */
    public abstract List<VoidRange> voidBefore();

    /** Everything that this manifest declares void. */
    public final List<VoidRange> voidRanges() {
        List<VoidRange> all = new ArrayList<>(voidBefore());
        restoreRecord().ifPresent(restored -> all.addAll(restored.ranges(cut().txId())));
        return all;
    }

    /**
     * Whether undoing the restore to this checkpoint may bring back another checkpoint that disappeared.
     *
     * @param epoch the epoch of the journal's last restore at the time when the other checkpoint existed
     */
    public final boolean mayRevive(long epoch) {
        return restoreRecord()
                .filter(restored -> restored.forkTxId() == cut().txId() && epoch < restored.restoreEpoch())
                .isPresent();
    }

    /**
     * The longest form that this manifest may take when the journal is restored to it, so that the room for it can be checked in advance.
     */
    public final Manifest longestForm() {
        long number = Long.MAX_VALUE;
        RestoreRecord restoreRecord = RestoreRecord.builder()
                .epoch(number)
                .restoreEpoch(number)
                .voidEpoch(number)
                .forkTxId(number)
                .voidBlockId(number)
                .lastTxId(number)
                .blockId(number)
                .generationStamp(number)
                .build();
        VoidRange range = VoidRange.of(number, number, number, number);
        return withRestore(
                Optional.of(restoreRecord),
                Optional.of(RestoreInProgress.of(number, false, number)),
                Collections.nCopies(VoidRange.MAX_COUNT, range));
    }
}

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

    /** @throws IllegalArgumentException if the cut is of a nameservice that is no part of the checkpoint */
    public static Manifest of(Agreement agreement, Cut cut) {
        if (!agreement.nameservices().contains(cut.nameservice())) {
            throw new IllegalArgumentException("Checkpoint " + agreement.id() + " consists of "
                    + agreement.nameservices() + ", got a cut of " + cut.nameservice());
        }
        return new AutoValue_Manifest(
                agreement,
                cut,
                Optional.<Restored>empty(),
                Optional.<UnderWay>empty(),
                Collections.<VoidRange>emptyList());
    }

    /** The same, after the journal was restored to it. */
    public final Manifest with(Restored restored) {
        return with(Optional.of(restored), Optional.<UnderWay>empty(), voidBefore());
    }

    /**
     * The same, while the journal is restored to it.
     *
     * @param voidBefore what had become void before
     */
    public final Manifest with(UnderWay underWay, List<VoidRange> voidBefore) {
        return with(restored(), Optional.of(underWay), voidBefore);
    }

    /** The same with another end. */
    public final Manifest with(Optional<Restored> restored, Optional<UnderWay> underWay, List<VoidRange> voidBefore) {
        return new AutoValue_Manifest(
                agreement(), cut(), restored, underWay, Collections.unmodifiableList(new ArrayList<>(voidBefore)));
    }

    public abstract Agreement agreement();

    public abstract Cut cut();

    /** How the journal was restored to it last; empty if it never was. */
    public abstract Optional<Restored> restored();

    /** Who is restoring the journal to it, or did not come to the end of that; empty if nobody. */
    public abstract Optional<UnderWay> underWay();

    /** What had become void before the journal was restored to it last: so other checkpoints that say so may be deleted. */
    public abstract List<VoidRange> voidBefore();

    /** What is void. */
    public final List<VoidRange> voidRanges() {
        List<VoidRange> all = new ArrayList<>(voidBefore());
        restored().ifPresent(restored -> all.addAll(restored.ranges(cut().txId())));
        return all;
    }

    /**
     * Whether a checkpoint that is not there any more may come back, if the restore to this one is undone.
     *
     * @param epoch in which the journal had been restored last when the other one was there
     */
    public final boolean mayBringBackWhatIsOf(long epoch) {
        return restored()
                .filter(restored -> restored.forkTxId() == cut().txId() && epoch < restored.restoreEpoch())
                .isPresent();
    }

    /** The longest that it may become when the journal is restored to it; so that room for it can be checked in advance. */
    public final Manifest longest() {
        long number = Long.MAX_VALUE;
        Restored restored = Restored.builder()
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
        return with(
                Optional.of(restored),
                Optional.of(UnderWay.of(number, false, number)),
                Collections.nCopies(VoidRange.MAX_COUNT, range));
    }
}

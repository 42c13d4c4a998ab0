/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.model;

import com.google.auto.value.AutoValue;
import java.util.Optional;

/** What the barrier in one nameservice's journal says. Immutable. */
@AutoValue
public abstract class Manifest {

    /** @throws IllegalArgumentException if the cut is of a nameservice that is no part of the checkpoint */
    public static Manifest of(Agreement agreement, Cut cut) {
        if (!agreement.nameservices().contains(cut.nameservice())) {
            throw new IllegalArgumentException("Checkpoint " + agreement.id() + " consists of "
                    + agreement.nameservices() + ", got a cut of " + cut.nameservice());
        }
        return new AutoValue_Manifest(agreement, cut, Optional.<Restored>empty());
    }

    /** The same, after the journal was taken back to it. */
    public final Manifest with(Restored restored) {
        return new AutoValue_Manifest(agreement(), cut(), Optional.of(restored));
    }

    public abstract Agreement agreement();

    public abstract Cut cut();

    /** How the journal was taken back to it last; empty if it never was. */
    public abstract Optional<Restored> restored();
}

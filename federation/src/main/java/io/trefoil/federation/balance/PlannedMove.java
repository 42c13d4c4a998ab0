/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.balance;

import com.google.auto.value.AutoValue;
import io.trefoil.federation.table.SubtreePath;

/** A move, and its expected effect. Immutable. */
@AutoValue
public abstract class PlannedMove {

    static PlannedMove of(Candidate candidate, String from, String to, double gain) {
        return new AutoValue_PlannedMove(candidate, from, to, gain);
    }

    public abstract Candidate candidate();

    public abstract String from();

    public abstract String to();

    /** The amount by which the higher pressure of the two nameservices falls. */
    public abstract double gain();

    public final SubtreePath path() {
        return candidate().path();
    }
}

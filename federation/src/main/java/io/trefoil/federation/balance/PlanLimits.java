/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.balance;

import com.google.auto.value.AutoValue;
import java.util.Set;

/** The limits within which a move is worth its cost. Immutable. */
@AutoValue
public abstract class PlanLimits {

    public static Builder builder() {
        return new AutoValue_PlanLimits.Builder();
    }

    /** The maximum number of moves. */
    public abstract int moves();

    /** The excess of pressure above 1 up to which a nameservice hands nothing over. */
    public abstract double tolerance();

    /** The least amount by which each move must lower the higher pressure of its two nameservices; above 0. */
    public abstract double gain();

    /** The nameservices that may receive subtrees; all if empty. */
    public abstract Set<String> targets();

    /** Collects the parts. */
    @AutoValue.Builder
    public abstract static class Builder {
        public abstract Builder moves(int moves);

        public abstract Builder tolerance(double tolerance);

        public abstract Builder gain(double gain);

        public abstract Builder targets(Set<String> targets);

        abstract PlanLimits autoBuild();

        public final PlanLimits build() {
            PlanLimits limits = autoBuild();
            if (limits.moves() < 1 || limits.tolerance() < 0 || limits.gain() <= 0) {
                throw new IllegalArgumentException(
                        "Wanted at least one move, a tolerance of at least 0 and a gain above 0, found " + limits);
            }
            return limits;
        }
    }
}

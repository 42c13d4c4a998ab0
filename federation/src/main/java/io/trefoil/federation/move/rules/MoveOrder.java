/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move.rules;

import com.google.auto.value.AutoValue;

/** The goal of a move, and the limits to observe. Immutable. */
@AutoValue
public abstract class MoveOrder {

    /** The goals of a move. */
    public enum Goal {
        /** The target gets the subtree, and nothing is left in the source. */
        MOVE,
        /** The target gets the subtree, and the source is closed and keeps its content. */
        MOVE_AND_KEEP,
        /** The source keeps the subtree, and the target is restored. */
        ABORT
    }

    /**
     * Creates the order of a change of owner.
     *
     * @param source the nameservice that has the subtree
     * @param target the one that is to have it
     */
    public static MoveOrder of(Goal goal, String source, String target) {
        return new AutoValue_MoveOrder.Builder()
                .goal(goal)
                .source(source)
                .target(target)
                .maxRounds(1)
                .fewFilesThreshold(0)
                .maxPauses(1)
                .build();
    }

    abstract Goal goal();

    abstract String source();

    abstract String target();

    /** The maximum number of rounds of copying before clients are paused. */
    abstract int maxRounds();

    /** The number of files copied in a round below which the pause may begin. */
    abstract int fewFilesThreshold();

    /** The maximum number of pauses of clients. */
    abstract int maxPauses();

    /** A copy of this order with other limits for copying while clients work. */
    public final MoveOrder withCopyLimits(int rounds, int fewFiles) {
        return toBuilder().maxRounds(rounds).fewFilesThreshold(fewFiles).build();
    }

    /** A copy of this order with another limit for pauses. */
    public final MoveOrder withMaxPauses(int pauses) {
        return toBuilder().maxPauses(pauses).build();
    }

    abstract Builder toBuilder();

    @AutoValue.Builder
    abstract static class Builder {

        abstract Builder goal(Goal goal);

        abstract Builder source(String source);

        abstract Builder target(String target);

        abstract Builder maxRounds(int rounds);

        abstract Builder fewFilesThreshold(int fewFilesThreshold);

        abstract Builder maxPauses(int pauses);

        abstract MoveOrder build();
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move.rules;

import com.google.auto.value.AutoValue;

/** The goal of a move, and the limits to keep to. Immutable. */
@AutoValue
public abstract class MoveOrder {

    /** The goals of a move. */
    public enum Goal {
        /** The target has the subtree, and the source nothing. */
        MOVE,
        /** The target has the subtree, and the source is closed and keeps what it had. */
        MOVE_AND_KEEP,
        /** The source has the subtree, and the target what it had before. */
        ABORT
    }

    /**
     * A change of owner.
     *
     * @param source the nameservice that has the subtree
     * @param target the one that is to have it
     */
    public static MoveOrder of(Goal goal, String source, String target) {
        return new AutoValue_MoveOrder.Builder()
                .goal(goal)
                .source(source)
                .target(target)
                .rounds(1)
                .fewFiles(0)
                .pauses(1)
                .build();
    }

    abstract Goal goal();

    abstract String source();

    abstract String target();

    /** The most rounds of copying before clients are paused. */
    abstract int rounds();

    /** The number of files copied in a round below which the pause may begin. */
    abstract int fewFiles();

    /** The most pauses of clients. */
    abstract int pauses();

    /** A copy of this order with other limits for copying while clients work. */
    public final MoveOrder copying(int rounds, int fewFiles) {
        return toBuilder().rounds(rounds).fewFiles(fewFiles).build();
    }

    /** A copy of this order with another limit for pauses. */
    public final MoveOrder pausing(int pauses) {
        return toBuilder().pauses(pauses).build();
    }

    abstract Builder toBuilder();

    @AutoValue.Builder
    abstract static class Builder {

        abstract Builder goal(Goal goal);

        abstract Builder source(String nameservice);

        abstract Builder target(String nameservice);

        abstract Builder rounds(int rounds);

        abstract Builder fewFiles(int files);

        abstract Builder pauses(int pauses);

        abstract MoveOrder build();
    }
}

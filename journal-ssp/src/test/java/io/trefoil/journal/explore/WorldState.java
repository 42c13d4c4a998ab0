/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.explore;

/** Where a part of a world stands in its state, and how often each thing has happened. */
final class WorldState {

    static final int NODES_AT = JournalWorld.WRITERS;
    static final int SESSIONS_AT = NODES_AT + JournalWorld.NODES;
    static final int PAST_AT = SESSIONS_AT + JournalWorld.WRITERS * JournalWorld.NODES;
    static final int LOST_AT = PAST_AT + 1;

    /** Where the counts of what has happened begin, four bits each, in the order of {@link Bounds.Bound}. */
    static final int SPENT_AT = LOST_AT + 1;

    private static final Codes<Bounds.Bound> COUNTED = new Codes<>(Bounds.Bound.class);
    private static final int BITS = 4;
    private static final int IN_ONE = Integer.SIZE / BITS;
    static final int LENGTH = SPENT_AT + COUNTED.of(Bounds.Bound.DUPLICATES) / IN_ONE + 1;

    private WorldState() {}

    static int spent(int[] state, Bounds.Bound what) {
        return (state[SPENT_AT + COUNTED.of(what) / IN_ONE] >> shift(what)) & ((1 << BITS) - 1);
    }

    static int[] spending(int[] state, Bounds.Bound what) {
        int[] next = state.clone();
        next[SPENT_AT + COUNTED.of(what) / IN_ONE] += 1 << shift(what);
        return next;
    }

    private static int shift(Bounds.Bound what) {
        return COUNTED.of(what) % IN_ONE * BITS;
    }
}

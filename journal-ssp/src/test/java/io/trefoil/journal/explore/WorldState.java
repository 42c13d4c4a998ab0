/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.explore;

/** Where a part of a world stands in its state, and how often each thing has happened. */
final class WorldState {

    static final int NODES_AT = JournalWorld.WRITERS;
    static final int SESSIONS_AT = NODES_AT + JournalWorld.NODES;
    static final int PAST_AT = SESSIONS_AT + JournalWorld.WRITERS * JournalWorld.NODES;
    static final int LOST_AT = PAST_AT + 1;

    /** Whose clocks have jumped, a bit for each node, and then for each writer. */
    static final int AHEAD_AT = LOST_AT + 1;

    /** The observers beside the last nodes, the last one first, as {@link NearReader#code} says it. */
    static final int READERS_AT = AHEAD_AT + 1;

    /** Where the counts of what has happened begin, four bits each, in the order of {@link Bounds.Bound}. */
    static final int SPENT_AT = READERS_AT + JournalWorld.MAX_OBSERVERS;

    private static final Codes<Bounds.Bound> COUNTED = new Codes<>(Bounds.Bound.class);
    private static final int BITS = 4;
    private static final int COUNTERS_PER_INT = Integer.SIZE / BITS;
    static final int LENGTH = SPENT_AT + COUNTED.codeOf(Bounds.Bound.DUPLICATES) / COUNTERS_PER_INT + 1;

    private WorldState() {}

    static int countOf(int[] state, Bounds.Bound bound) {
        return (state[SPENT_AT + COUNTED.codeOf(bound) / COUNTERS_PER_INT] >> shift(bound)) & ((1 << BITS) - 1);
    }

    static int[] increment(int[] state, Bounds.Bound bound) {
        int[] next = state.clone();
        next[SPENT_AT + COUNTED.codeOf(bound) / COUNTERS_PER_INT] += 1 << shift(bound);
        return next;
    }

    /** @param clock a node's number, or that of a writer behind all nodes */
    static boolean isAhead(int[] state, int clock) {
        return (state[AHEAD_AT] >> clock & 1) == 1;
    }

    private static int shift(Bounds.Bound bound) {
        return COUNTED.codeOf(bound) % COUNTERS_PER_INT * BITS;
    }
}

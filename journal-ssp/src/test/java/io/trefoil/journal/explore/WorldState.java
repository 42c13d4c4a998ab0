/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.explore;

/** Where a part of a world stands in its state, and how often each thing has happened. */
final class WorldState {

    static final int NODES_AT = JournalWorld.WRITERS;
    static final int SESSIONS_AT = NODES_AT + JournalWorld.NODES;
    static final int PAST_AT = SESSIONS_AT + JournalWorld.WRITERS * JournalWorld.NODES;
    static final int SPENT_AT = PAST_AT + 1;
    static final int LOST_AT = SPENT_AT + 1;
    static final int LENGTH = LOST_AT + 1;

    /** Where the count of ticks begins among those of what has happened, which have four bits each. */
    static final int TICKS = 0;

    static final int APPENDS = 4;
    static final int BREAKS = 8;
    static final int CRASHES = 12;
    static final int DUPLICATES = 16;
    static final int LOSSES = 20;
    static final int RETURNS = 24;
    static final int CHANGES = 28;

    private WorldState() {}

    static int spent(int[] state, int what) {
        return (state[SPENT_AT] >> what) & 15;
    }

    static int[] spending(int[] state, int what) {
        int[] next = state.clone();
        next[SPENT_AT] += 1 << what;
        return next;
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move.rules;

import io.trefoil.foundation.StageEdges;

/** The stages of one process's work on a move; {@link #EDGES} lists the transitions. */
public enum MoveStage {
    /** Reads the record, and begins one if there is none and nothing is in the way. */
    STARTING,
    /** Keeps a version that has not come from coming any more, and asks the table who the owner is. */
    TAKING_OVER,
    /** Lets clients work at the source again, if the table says that it is the owner. */
    REOPENING,
    /** Closes the target's folder, and empties it. */
    PREPARING,
    /** Copies while clients work. */
    COPYING,
    /** Copies what a snapshot has, and compares all; clients still work. */
    LAST_ROUND,
    /** Freezes or closes the source, and waits for files that clients have open. */
    PAUSING,
    /** Copies what has changed since, closes the source, and proves that nothing has changed since that. */
    MATCHING,
    /** Makes the version. Whether it is there is unknown until the answer comes. */
    SWITCHING,
    /** Opens the target. */
    OPENING,
    /** Makes the source's NameNodes tell clients where the subtree is. */
    TELLING,
    /** Ends the freeze, and lets go of the target's folder. */
    RELEASING,
    /** Checks that the source may be deleted. */
    CHECKING,
    /** Deletes what the source has. */
    EMPTYING,
    /** Waits for Routers, and files the record away. */
    FINISHING,
    /** Deletes what the target has, and files the record away. */
    UNDOING,
    ENDED;

    /** The allowed transitions between stages; the table in {@code docs/design/subtree-moves.md} says when. */
    public static final StageEdges<MoveStage> EDGES = StageEdges.of(MoveStage.class)
            .edge(STARTING, TAKING_OVER)
            .edge(STARTING, ENDED)
            .edge(TAKING_OVER, REOPENING)
            .edge(TAKING_OVER, PREPARING)
            .edge(TAKING_OVER, OPENING)
            .edge(TAKING_OVER, CHECKING)
            .edge(TAKING_OVER, UNDOING)
            .edge(TAKING_OVER, ENDED)
            .edge(REOPENING, PREPARING)
            .edge(REOPENING, COPYING)
            .edge(REOPENING, LAST_ROUND)
            .edge(REOPENING, UNDOING)
            .edge(REOPENING, ENDED)
            .edge(PREPARING, COPYING)
            .edge(PREPARING, ENDED)
            .edge(COPYING, LAST_ROUND)
            .edge(COPYING, ENDED)
            .edge(LAST_ROUND, PAUSING)
            .edge(LAST_ROUND, REOPENING)
            .edge(PAUSING, MATCHING)
            .edge(PAUSING, REOPENING)
            .edge(MATCHING, SWITCHING)
            .edge(MATCHING, REOPENING)
            .edge(SWITCHING, OPENING)
            .edge(SWITCHING, REOPENING)
            .edge(SWITCHING, ENDED)
            .edge(OPENING, TELLING)
            .edge(OPENING, ENDED)
            .edge(TELLING, RELEASING)
            .edge(TELLING, ENDED)
            .edge(RELEASING, CHECKING)
            .edge(RELEASING, ENDED)
            .edge(CHECKING, EMPTYING)
            .edge(CHECKING, FINISHING)
            .edge(CHECKING, ENDED)
            .edge(EMPTYING, FINISHING)
            .edge(EMPTYING, ENDED)
            .edge(FINISHING, ENDED)
            .edge(UNDOING, ENDED)
            .build();
}

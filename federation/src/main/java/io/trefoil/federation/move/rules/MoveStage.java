/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move.rules;

import io.trefoil.foundation.StageTransitions;

/** The stages of one process's work on a move; {@link #EDGES} lists the transitions. */
public enum MoveStage {
    /** Reads the record, and creates one if there is none and nothing prevents the move. */
    STARTING,
    /** Makes sure that a version not written yet never will be, and asks the table which nameservice owns the subtree. */
    TAKING_OVER,
    /** Lets clients work at the source again, if it is the owner according to the table. */
    REOPENING,
    /** Closes the target's directory, and empties it. */
    PREPARING,
    /** Copies while clients work. */
    COPYING,
    /** Copies the content of a snapshot, and compares everything; clients still work. */
    LAST_ROUND,
    /** Freezes or closes the source, and waits for files that clients have open. */
    PAUSING,
    /** Copies the changes since then, closes the source, and proves that nothing has changed after that. */
    MATCHING,
    /** Writes the new version of the table. Whether it is written is unknown until the answer comes. */
    SWITCHING,
    /** Opens the target. */
    OPENING,
    /** Makes the source's NameNodes redirect clients to the subtree's new owner. */
    TELLING,
    /** Ends the freeze, and releases the target's directory. */
    RELEASING,
    /** Checks that the source may be deleted. */
    CHECKING,
    /** Deletes the source's content. */
    EMPTYING,
    /** Waits for Routers, and files the record away. */
    FINISHING,
    /** Deletes the target's content, and files the record away. */
    UNDOING,
    ENDED;

    /** The allowed transitions between stages; the table in {@code docs/design/subtree-moves.md} says when. */
    public static final StageTransitions<MoveStage> EDGES = StageTransitions.builder(MoveStage.class)
            .allow(STARTING, TAKING_OVER)
            .allow(STARTING, ENDED)
            .allow(TAKING_OVER, REOPENING)
            .allow(TAKING_OVER, PREPARING)
            .allow(TAKING_OVER, OPENING)
            .allow(TAKING_OVER, CHECKING)
            .allow(TAKING_OVER, UNDOING)
            .allow(TAKING_OVER, ENDED)
            .allow(REOPENING, PREPARING)
            .allow(REOPENING, COPYING)
            .allow(REOPENING, LAST_ROUND)
            .allow(REOPENING, UNDOING)
            .allow(REOPENING, ENDED)
            .allow(PREPARING, COPYING)
            .allow(PREPARING, ENDED)
            .allow(COPYING, LAST_ROUND)
            .allow(COPYING, ENDED)
            .allow(LAST_ROUND, PAUSING)
            .allow(LAST_ROUND, REOPENING)
            .allow(PAUSING, MATCHING)
            .allow(PAUSING, REOPENING)
            .allow(MATCHING, SWITCHING)
            .allow(MATCHING, REOPENING)
            .allow(SWITCHING, OPENING)
            .allow(SWITCHING, REOPENING)
            .allow(SWITCHING, ENDED)
            .allow(OPENING, TELLING)
            .allow(OPENING, ENDED)
            .allow(TELLING, RELEASING)
            .allow(TELLING, ENDED)
            .allow(RELEASING, CHECKING)
            .allow(RELEASING, ENDED)
            .allow(CHECKING, EMPTYING)
            .allow(CHECKING, FINISHING)
            .allow(CHECKING, ENDED)
            .allow(EMPTYING, FINISHING)
            .allow(EMPTYING, ENDED)
            .allow(FINISHING, ENDED)
            .allow(UNDOING, ENDED)
            .build();
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move.progress;

/** The steps of a move. */
public enum MoveStep {
    /** Checks whether the subtree can be moved; nothing has changed yet. */
    CHECKING("checking"),
    /** Names, permissions and attributes at the source. */
    READING("reading"),
    /** Files are made at the target, and their blocks linked. */
    COPYING("copying"),
    /** Files and folders at the target get owners, permissions, attributes and times. */
    FINISHING("finishing"),
    /** All of the target is read, and compared. */
    COMPARING("comparing"),
    /** Clients wait, or are refused. */
    PAUSED("paused"),
    /** The remains at the source are deleted. */
    DELETING("deleting the source's"),
    /** The process does nothing more for the move, and does not have it any more. */
    ENDED("ended");

    private final String text;

    MoveStep(String text) {
        this.text = text;
    }

    /** The step in a word or two. */
    public String text() {
        return text;
    }

    /** Whether others are to know how far it is: before it has begun, and when it is over, there is no move. */
    boolean isKept() {
        return this != CHECKING && this != ENDED;
    }
}

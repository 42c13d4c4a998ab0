/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move.progress;

/** The steps of a move. */
public enum MoveStep {
    /** Checks whether the subtree can be moved, before anything is changed. */
    CHECKING("checking"),
    /** Reads names, permissions and attributes at the source. */
    READING("reading"),
    /** Files are created at the target, and their blocks are linked. */
    COPYING("copying"),
    /** Files and directories at the target get owners, permissions, attributes and times. */
    FINISHING("finishing"),
    /** The whole target is read and compared. */
    COMPARING("comparing"),
    /** Clients wait, or are refused. */
    PAUSED("paused"),
    /** The remains at the source are deleted. */
    DELETING("deleting the source's"),
    /** The process does nothing more for the move, and no longer owns it. */
    ENDED("ended");

    private final String text;

    MoveStep(String text) {
        this.text = text;
    }

    /** The step in a word or two. */
    public String text() {
        return text;
    }

    /** Whether progress is saved for other processes: not before the move has begun, nor after its end. */
    boolean isProgressSaved() {
        return this != CHECKING && this != ENDED;
    }
}

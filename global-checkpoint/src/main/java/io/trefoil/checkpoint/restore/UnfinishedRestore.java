/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.restore;

import io.trefoil.checkpoint.model.CheckpointId;
import io.trefoil.checkpoint.model.Manifest;

/** Describes a restore or undo that was begun in a nameservice's journal and did not finish. Pure. */
public final class UnfinishedRestore {

    private UnfinishedRestore() {}

    /** Whether the unfinished operation is the one being planned now: the restore to this checkpoint, or its undo. */
    static boolean isSameOperation(Manifest begun, CheckpointId id, boolean undo) {
        return begun.agreement().id().equals(id)
                && begun.restoreInProgress().get().isUndo() == undo;
    }

    /** Describes a restore or undo that was begun but not finished, and how to finish it. */
    public static String describe(Manifest begun) {
        boolean undo = begun.restoreInProgress().get().isUndo();
        CheckpointId id = begun.agreement().id();
        return (undo ? "the undo of the restore" : "the restore") + " of nameservice "
                + begun.cut().nameservice() + " to checkpoint " + id
                + " was begun and not finished; with all its NameNodes stopped, run hdfs trefoil checkpoint "
                + "restore "
                + id + (undo ? " --undo" : "") + " --execute";
    }
}

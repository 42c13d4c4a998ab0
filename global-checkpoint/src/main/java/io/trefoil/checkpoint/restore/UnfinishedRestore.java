/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.restore;

import io.trefoil.checkpoint.model.CheckpointId;
import io.trefoil.checkpoint.model.Manifest;

/** Describes a restore or undo that was begun in a nameservice's journal and did not finish. Pure. */
public final class UnfinishedRestore {

    private UnfinishedRestore() {}

    /** Whether the unfinished operation is the one being planned now: the restore to this checkpoint, or its undo. */
    static boolean isSameOperation(Manifest startedRestore, CheckpointId id, boolean undo) {
        return startedRestore.agreement().id().equals(id)
                && startedRestore.restoreInProgress().get().isUndo() == undo;
    }

    /** Describes a restore or undo that was begun but not finished, and how to finish it. */
    public static String describe(Manifest startedRestore) {
        boolean undo = startedRestore.restoreInProgress().get().isUndo();
        CheckpointId id = startedRestore.agreement().id();
        return (undo ? "the undo of the restore" : "the restore") + " of nameservice "
                + startedRestore.cut().nameservice() + " to checkpoint " + id
                + " was begun and not finished; with all its NameNodes stopped, run hdfs trefoil checkpoint "
                + "restore "
                + id + (undo ? " --undo" : "") + " --execute";
    }
}

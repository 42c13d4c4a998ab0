/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move.rules;

import com.google.auto.value.AutoValue;

/** The record of the move in progress, as read by a process. Immutable. */
@AutoValue
public abstract class RecordCheck {

    /** The owner of the record. */
    public enum RecordOwner {
        /** The record of no move: none is in progress. */
        NONE,
        /** The record of no move: none is in progress, and this one was filed away. */
        ENDED,
        /** The record of the move for which this process is connected. */
        OURS,
        /** The record of a move of the same subtree to the same nameservice that began meanwhile; its source may be a different one. */
        BEGUN_MEANWHILE,
        /** The record of a move of another subtree, or to another nameservice. */
        OTHER
    }

    /** Describes the record of another move, or that there is none. */
    public static RecordCheck of(RecordOwner owner) {
        return new AutoValue_RecordCheck(owner, MovePhase.COPYING, true, "");
    }

    /**
     * Creates the record of this process's move, whose tree was checked.
     *
     * @param contradiction in what the move contradicts what the source had; empty if it was not seen to
     */
    public static RecordCheck ofCheckedTree(MovePhase phase, String contradiction) {
        return new AutoValue_RecordCheck(RecordOwner.OURS, phase, true, contradiction);
    }

    /** Creates the record of this process's move, whose tree has not been compared with the source's yet. */
    public static RecordCheck ofUncheckedTree(MovePhase phase) {
        return new AutoValue_RecordCheck(RecordOwner.OURS, phase, false, "");
    }

    abstract RecordOwner recordOwner();

    abstract MovePhase phase();

    abstract boolean isChecked();

    abstract String contradiction();
}

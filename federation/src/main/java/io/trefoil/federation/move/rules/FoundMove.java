/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move.rules;

import com.google.auto.value.AutoValue;

/** What a process found when it read the record of the move under way. Immutable. */
@AutoValue
public abstract class FoundMove {

    /** Whose record it is. */
    public enum Standing {
        /** No move is under way. */
        NONE,
        /** No move is under way, and this one was filed away. */
        ENDED,
        /** It is the move that this process is connected for. */
        OURS,
        /** It is one of the same subtree to the same nameservice that began meanwhile; its source may be another. */
        BEGUN_MEANWHILE,
        /** It is one of another subtree, or to another nameservice. */
        OTHER
    }

    /** A record that is not ours, or none. */
    public static FoundMove of(Standing standing) {
        return new AutoValue_FoundMove(standing, MovePhase.COPYING, true, "");
    }

    /**
     * Our record.
     *
     * @param contradiction in what the move contradicts what the source had; empty if it was not seen to
     */
    public static FoundMove checked(MovePhase phase, String contradiction) {
        return new AutoValue_FoundMove(Standing.OURS, phase, true, contradiction);
    }

    /** Our record, which tells that nobody has checked whether what was moved is what the source had. */
    public static FoundMove unchecked(MovePhase phase) {
        return new AutoValue_FoundMove(Standing.OURS, phase, false, "");
    }

    abstract Standing standing();

    abstract MovePhase phase();

    abstract boolean isChecked();

    abstract String contradiction();
}

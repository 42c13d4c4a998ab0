/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.model;

import com.google.auto.value.AutoValue;

/** A pool node in the list of members. Immutable. */
@AutoValue
public abstract class Member {

    /** Whether a member counts for majorities or only receives entries. */
    public enum Kind {
        VOTER,
        /** A member that only receives entries, and becomes a voter when it is in sync. */
        LEARNER,
        /** A member that only receives entries until an operator makes it a voter. */
        PERMANENT_LEARNER
    }

    public static Member of(NodeId id, NodeAddress address, Kind role) {
        return new AutoValue_Member(id, address, role);
    }

    public static Member voter(NodeId id, NodeAddress address) {
        return of(id, address, Kind.VOTER);
    }

    public static Member learner(NodeId id, NodeAddress address) {
        return of(id, address, Kind.LEARNER);
    }

    public static Member permanentLearner(NodeId id, NodeAddress address) {
        return of(id, address, Kind.PERMANENT_LEARNER);
    }

    public abstract NodeId id();

    public abstract NodeAddress address();

    public abstract Kind role();

    public final boolean isVoter() {
        return role() == Kind.VOTER;
    }

    @Override
    public final String toString() {
        return id() + " " + address() + " " + role();
    }
}

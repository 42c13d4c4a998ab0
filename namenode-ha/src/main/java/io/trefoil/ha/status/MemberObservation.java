/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.status;

import com.google.auto.value.AutoValue;
import io.trefoil.ha.model.MemberState;
import java.util.Optional;

/** The observation of one NameNode: what it reports about itself, or why it is silent. Immutable. */
@AutoValue
public abstract class MemberObservation {

    /** The component that decides whether a NameNode is active. */
    public enum Failover {
        TREFOIL,
        /** A ZKFC, and Trefoil's plugin is not there. */
        ZKFC,
        /** Operators alone decide. */
        NONE
    }

    /** A silent NameNode. */
    public static MemberObservation silent(String name, String trouble) {
        return silent(name, trouble, Failover.TREFOIL);
    }

    /** A NameNode that says nothing of the group, and perhaps is none of ours. */
    public static MemberObservation silent(String name, String trouble, Failover failover) {
        return builder().name(name).silenceReason(trouble).failover(failover).build();
    }

    public static Builder builder() {
        return new AutoValue_MemberObservation.Builder()
                .silenceReason("")
                .failover(Failover.TREFOIL)
                .state(Optional.<MemberState>empty())
                .reason("")
                .electable(true)
                .drained(false)
                .changing(false)
                .zooKeeperReachable(false);
    }

    /** The NameNode's id. */
    public abstract String name();

    /** Why it is silent; empty if it is not. */
    public abstract String silenceReason();

    abstract Failover failover();

    /** The member's state; empty if it is silent, or is starting. */
    public abstract Optional<MemberState> state();

    /** Why it is a junior, or what is wrong with it; empty if nothing is. */
    public abstract String reason();

    /** Whether its configuration lets it be active. */
    public abstract boolean electable();

    /** Whether operators want it to leave the active's role to others. */
    public abstract boolean drained();

    /** Whether its role is changing. */
    public abstract boolean changing();

    public abstract boolean zooKeeperReachable();

    abstract Builder toBuilder();

    /** A copy that is drained or not. */
    public final MemberObservation drained(boolean drained) {
        return toBuilder().drained(drained).build();
    }

    public final boolean answered() {
        return silenceReason().isEmpty();
    }

    final boolean is(MemberState wanted) {
        return state().filter(own -> own == wanted).isPresent();
    }

    /** Collects what was observed. */
    @AutoValue.Builder
    public abstract static class Builder {

        public abstract Builder name(String name);

        abstract Builder silenceReason(String trouble);

        abstract Builder failover(Failover failover);

        public abstract Builder state(Optional<MemberState> state);

        public abstract Builder reason(String reason);

        public abstract Builder electable(boolean electable);

        public abstract Builder drained(boolean drained);

        public abstract Builder changing(boolean changing);

        public abstract Builder zooKeeperReachable(boolean reachable);

        public abstract MemberObservation build();
    }
}

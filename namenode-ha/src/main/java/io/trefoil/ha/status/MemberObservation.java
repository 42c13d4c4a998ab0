/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.status;

import com.google.auto.value.AutoValue;
import io.trefoil.ha.model.MemberState;
import java.util.Optional;

/** The observation of one NameNode: its report about itself, or the reason why it is silent. Immutable. */
@AutoValue
public abstract class MemberObservation {

    /** The component that decides whether a NameNode is active. */
    public enum Failover {
        TREFOIL,
        /** A ZKFC, while Trefoil's plugin is absent. */
        ZKFC,
        /** Nothing: only operators make NameNodes active. */
        NONE
    }

    /** Describes a silent NameNode. */
    public static MemberObservation silent(String name, String problem) {
        return silent(name, problem, Failover.TREFOIL);
    }

    /** Describes a NameNode that reports nothing about the group, and may not be one of ours. */
    public static MemberObservation silent(String name, String problem, Failover failover) {
        return builder().name(name).silenceReason(problem).failover(failover).build();
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

    /** Returns why the NameNode is silent; empty if it is not. */
    public abstract String silenceReason();

    abstract Failover failover();

    /** The member's state; empty if it is silent or starting. */
    public abstract Optional<MemberState> state();

    /** Returns why it is a junior, or which problem it has; empty if there is none. */
    public abstract String reason();

    /** Whether its configuration allows it to be active. */
    public abstract boolean electable();

    /** Whether operators want it to leave the active role to others. */
    public abstract boolean drained();

    /** Whether its role is changing. */
    public abstract boolean changing();

    public abstract boolean zooKeeperReachable();

    abstract Builder toBuilder();

    /** A copy with the given drained state. */
    public final MemberObservation withDrained(boolean drained) {
        return toBuilder().drained(drained).build();
    }

    public final boolean answered() {
        return silenceReason().isEmpty();
    }

    final boolean isInState(MemberState expectedState) {
        return state().filter(own -> own == expectedState).isPresent();
    }

    /** Collects the observations. */
    @AutoValue.Builder
    public abstract static class Builder {

        public abstract Builder name(String name);

        abstract Builder silenceReason(String silenceReason);

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

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.home;

import com.google.auto.value.AutoValue;

/** A NameNode, as the status of the nameservice shows it. Immutable. */
@AutoValue
abstract class NameNodeObservation {

    static Builder builder(String name) {
        return new AutoValue_NameNodeObservation.Builder()
                .name(name)
                .site("")
                .state(State.JUNIOR)
                .electable(true)
                .drained(false)
                .preferred(false)
                .priority(0)
                .votersWanted(2);
    }

    /** The states of a NameNode that matter to a move. */
    enum State {
        ACTIVE,
        STANDBY,
        /** An operator made it an observer, and it stays one: it is not elected. */
        OBSERVER,
        /** Cannot become active at once: it starts, is behind, or is not well. */
        JUNIOR,
        /** Does not answer: it may be any of these. */
        SILENT
    }

    abstract String name();

    /** The NameNode's site; empty if it is not known. */
    abstract String site();

    abstract State state();

    abstract boolean electable();

    abstract boolean drained();

    abstract boolean preferred();

    abstract int priority();

    /** {@code trefoil.journal.replicas.min}: for how many voters it waits before it becomes active. */
    abstract int votersWanted();

    abstract Builder toBuilder();

    /** The reason why the NameNode could not become active at once; empty if it could, or is active. */
    final String obstacle() {
        if (!electable()) {
            return name() + " is not electable";
        }
        if (drained()) {
            return name() + " is drained";
        }
        switch (state()) {
            case OBSERVER:
                return name() + " is an observer, and none that makes itself a standby";
            case JUNIOR:
                return name() + " is no standby that is up to date";
            case SILENT:
                return name() + " does not answer";
            default:
                return "";
        }
    }

    @AutoValue.Builder
    abstract static class Builder {
        abstract Builder name(String name);

        abstract Builder site(String site);

        abstract Builder state(State state);

        abstract Builder electable(boolean electable);

        abstract Builder drained(boolean drained);

        abstract Builder preferred(boolean preferred);

        abstract Builder priority(int priority);

        abstract Builder votersWanted(int votersWanted);

        abstract NameNodeObservation build();
    }
}

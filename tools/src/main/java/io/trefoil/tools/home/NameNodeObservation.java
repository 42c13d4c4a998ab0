/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.home;

import com.google.auto.value.AutoValue;

/** A NameNode, as shown in the status of the nameservice. Immutable. */
@AutoValue
abstract class NameNodeObservation {

    static Builder builder(String name) {
        return new AutoValue_NameNodeObservation.Builder()
                .name(name)
                .site("")
                .state(State.JUNIOR)
                .isElectable(true)
                .isDrained(false)
                .isPreferred(false)
                .priority(0)
                .requiredVoters(2);
    }

    /** The states of a NameNode that matter to a move. */
    enum State {
        ACTIVE,
        STANDBY,
        /** An operator made it an observer, which it stays: it is never elected. */
        OBSERVER,
        /** Cannot become active at once: it is starting, is behind, or is unhealthy. */
        JUNIOR,
        /** Does not answer, so that it may be in any of these states. */
        SILENT
    }

    abstract String name();

    /** The NameNode's site; empty if it is not known. */
    abstract String site();

    abstract State state();

    abstract boolean isElectable();

    abstract boolean isDrained();

    abstract boolean isPreferred();

    abstract int priority();

    /** The value of {@code trefoil.journal.replicas.min}: the number of voters for which it waits before it becomes active. */
    abstract int requiredVoters();

    abstract Builder toBuilder();

    /** The reason why the NameNode could not become active at once; empty if it could, or is active. */
    final String obstacle() {
        if (!isElectable()) {
            return name() + " is not electable";
        }
        if (isDrained()) {
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

        abstract Builder isElectable(boolean electable);

        abstract Builder isDrained(boolean drained);

        abstract Builder isPreferred(boolean preferred);

        abstract Builder priority(int priority);

        abstract Builder requiredVoters(int requiredVoters);

        abstract NameNodeObservation build();
    }
}

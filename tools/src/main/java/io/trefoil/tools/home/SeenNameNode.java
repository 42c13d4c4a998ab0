/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.home;

import com.google.auto.value.AutoValue;

/** A NameNode, as the status of the nameservice shows it. Immutable. */
@AutoValue
abstract class SeenNameNode {

    static Builder builder(String name) {
        return new AutoValue_SeenNameNode.Builder()
                .name(name)
                .site("")
                .state(State.JUNIOR)
                .electable(true)
                .drained(false)
                .preferred(false)
                .priority(0);
    }

    /** What matters of a NameNode's state. */
    enum State {
        ACTIVE,
        STANDBY,
        /** Cannot become active at once: it starts, is behind, is not well, or does not answer. */
        JUNIOR
    }

    abstract String name();

    /** Empty if it is not known. */
    abstract String site();

    abstract State state();

    abstract boolean electable();

    abstract boolean drained();

    abstract boolean preferred();

    abstract int priority();

    abstract Builder toBuilder();

    /** Why it could not become active at once; empty if it could, or is. */
    final String obstacle() {
        if (!electable()) {
            return name() + " is not electable";
        }
        if (drained()) {
            return name() + " is drained";
        }
        return state() == State.JUNIOR ? name() + " is no standby that is up to date" : "";
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

        abstract SeenNameNode build();
    }
}

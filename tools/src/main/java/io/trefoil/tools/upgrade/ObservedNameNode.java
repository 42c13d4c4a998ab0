/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.upgrade;

import com.google.auto.value.AutoValue;

/** A NameNode with its pool node, as an upgrade sees it. Immutable. */
@AutoValue
abstract class ObservedNameNode {

    /** A builder of one that answers, and is as it should be; version, state and the voters that are left must be set. */
    static Builder builder(String name) {
        return new AutoValue_ObservedNameNode.Builder()
                .name(name)
                .missing("")
                .answered(true)
                .drained(false)
                .electable(true)
                .preparing(false)
                .priority(0);
    }

    abstract String name();

    /** The version of Trefoil that it runs, or ran when it was last heard of. */
    abstract String version();

    /** In small letters; empty if it does not say. */
    abstract String state();

    /** What it lacks to serve as it should; empty if nothing. */
    abstract String missing();

    abstract boolean answered();

    abstract boolean drained();

    abstract boolean electable();

    /** Whether clients would wait for it if it became active now. */
    abstract boolean preparing();

    abstract int priority();

    /** The voters in sync that are left without its pool node. */
    abstract int votersLeft();

    final boolean isReady() {
        return missing().isEmpty();
    }

    final boolean isActive() {
        return state().equals("active");
    }

    /** Whether it could become active at once. */
    final boolean couldTakeOver() {
        return answered() && isReady() && state().equals("standby") && electable() && !drained() && !preparing();
    }

    abstract Builder toBuilder();

    /** A builder of which everything must be set. */
    @AutoValue.Builder
    abstract static class Builder {
        abstract Builder name(String name);

        abstract Builder version(String version);

        abstract Builder state(String state);

        abstract Builder missing(String missing);

        abstract Builder answered(boolean answered);

        abstract Builder drained(boolean drained);

        abstract Builder electable(boolean electable);

        abstract Builder preparing(boolean preparing);

        abstract Builder priority(int priority);

        abstract Builder votersLeft(int voters);

        abstract ObservedNameNode build();
    }
}

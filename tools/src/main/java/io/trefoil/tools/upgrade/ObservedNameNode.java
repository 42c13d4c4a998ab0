/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.upgrade;

import com.google.auto.value.AutoValue;

/** A NameNode with its pool node, as seen by an upgrade. Immutable. */
@AutoValue
abstract class ObservedNameNode {

    /** A builder for a NameNode that answers, and is in order; version, state and the remaining voters must be set. */
    static Builder builder(String name) {
        return new AutoValue_ObservedNameNode.Builder()
                .name(name)
                .missing("")
                .isAnswering(true)
                .isDrained(false)
                .isElectable(true)
                .isPreparing(false)
                .priority(0);
    }

    abstract String name();

    /** The version of Trefoil that it runs, or ran when it was last heard from. */
    abstract String version();

    /** Returns the state in small letters; empty if it does not report one. */
    abstract String state();

    /** Returns what prevents it from serving as intended; empty if nothing. */
    abstract String missing();

    abstract boolean isAnswering();

    abstract boolean isDrained();

    abstract boolean isElectable();

    /** Whether clients would wait for it if it became active now. */
    abstract boolean isPreparing();

    abstract int priority();

    /** The number of in-sync voters without its pool node. */
    abstract int remainingVoters();

    final boolean isReady() {
        return missing().isEmpty();
    }

    final boolean isActive() {
        return state().equals("active");
    }

    /** Whether it could become active at once. */
    final boolean couldTakeOver() {
        return isAnswering()
                && isReady()
                && state().equals("standby")
                && isElectable()
                && !isDrained()
                && !isPreparing();
    }

    abstract Builder toBuilder();

    /** A builder, of which every field must be set. */
    @AutoValue.Builder
    abstract static class Builder {
        abstract Builder name(String name);

        abstract Builder version(String version);

        abstract Builder state(String state);

        abstract Builder missing(String missing);

        abstract Builder isAnswering(boolean isAnswering);

        abstract Builder isDrained(boolean drained);

        abstract Builder isElectable(boolean electable);

        abstract Builder isPreparing(boolean preparing);

        abstract Builder priority(int priority);

        abstract Builder remainingVoters(int voters);

        abstract ObservedNameNode build();
    }
}

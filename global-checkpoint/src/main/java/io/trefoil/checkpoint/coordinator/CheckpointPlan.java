/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.coordinator;

import com.google.auto.value.AutoValue;
import io.trefoil.checkpoint.model.CheckpointId;
import io.trefoil.checkpoint.model.FreezeOrder;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;

/** A coordinator's task, with the time that each part may take, in milliseconds. Immutable. */
@AutoValue
public abstract class CheckpointPlan {

    public static Builder builder() {
        return new AutoValue_CheckpointPlan.Builder().protectData(false);
    }

    public abstract CheckpointId id();

    public abstract Set<String> nameservices();

    /** The coordinator's own nameservice, which is also a participant. */
    public abstract String timeServer();

    public abstract boolean protectData();

    /** The time from the first order to freeze until all must be frozen; also the longest that a participant holds the lock. */
    public abstract long freezeMillis();

    public FreezeOrder freezeOrder() {
        return FreezeOrder.of(id(), freezeMillis(), protectData());
    }

    /** The time that each of these may take: the preparations with the others' clocks, the cuts, and the end of a failed checkpoint. */
    public abstract long answerMillis();

    /** Builds a plan; everything except {@code protectData} must be set. */
    @AutoValue.Builder
    public abstract static class Builder {

        public abstract Builder id(CheckpointId id);

        public abstract Builder nameservices(Set<String> nameservices);

        public abstract Builder timeServer(String timeServer);

        public abstract Builder protectData(boolean protectData);

        public abstract Builder freezeMillis(long millis);

        public abstract Builder answerMillis(long millis);

        abstract Set<String> nameservices();

        abstract CheckpointPlan autoBuild();

        /** @throws IllegalArgumentException if there is nothing to cut, or the time server does not take part */
        public CheckpointPlan build() {
            nameservices(Collections.unmodifiableSet(new TreeSet<>(nameservices())));
            CheckpointPlan plan = autoBuild();
            if (!plan.nameservices().contains(plan.timeServer())) {
                throw new IllegalArgumentException(
                        "The time server " + plan.timeServer() + " is not one of " + plan.nameservices());
            }
            return plan;
        }
    }
}

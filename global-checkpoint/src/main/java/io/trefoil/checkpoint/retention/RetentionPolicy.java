/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.retention;

import com.google.auto.value.AutoValue;
import java.time.Duration;
import java.util.Optional;

/** How many checkpoints of the same nameservices are kept, and how long. Immutable. */
@AutoValue
public abstract class RetentionPolicy {

    /**
     * @param count how many; empty for all
     * @param age how long; empty for ever
     * @param failedAfter how old what looks like the rest of a checkpoint must be before it is one: what is under way is
     *     younger
     * @throws IllegalArgumentException if none would be kept
     */
    public static RetentionPolicy of(Optional<Integer> count, Optional<Duration> age, Duration failedAfter) {
        if (count.isPresent() && count.get() < 1) {
            throw new IllegalArgumentException("At least 1 checkpoint is kept, got " + count.get());
        }
        return new AutoValue_RetentionPolicy(count, age, failedAfter);
    }

    public abstract Optional<Integer> count();

    public abstract Optional<Duration> age();

    public abstract Duration failedAfter();

    /** Whether a complete checkpoint is ever deleted by it. */
    public final boolean isLimited() {
        return count().isPresent() || age().isPresent();
    }
}

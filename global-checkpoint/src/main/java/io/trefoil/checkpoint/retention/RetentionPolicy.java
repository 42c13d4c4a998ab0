/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.retention;

import com.google.auto.value.AutoValue;
import java.time.Duration;
import java.util.Optional;

/** The number of checkpoints of the same nameservices to keep, and the time for which to keep them. Immutable. */
@AutoValue
public abstract class RetentionPolicy {

    /**
     * @param count how many; empty for no limit
     * @param age for how long; empty for no limit
     * @param failedAfter the age from which what looks like the remains of a failed checkpoint counts as such: a
     *     checkpoint in progress is younger
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

    public abstract Duration failedMinAge();

    /** Whether the policy ever deletes a complete checkpoint. */
    public final boolean isLimited() {
        return count().isPresent() || age().isPresent();
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.move;

import com.google.auto.value.AutoValue;
import io.trefoil.federation.hdfs.directory.SlicedDeleter;
import io.trefoil.federation.hdfs.tree.TrackedTree;
import io.trefoil.federation.move.SubtreeMover.Pace;
import java.time.Duration;
import java.util.function.IntFunction;
import org.apache.hadoop.util.RateLimiting;
import org.apache.hadoop.util.RateLimitingFactory;

/** The limits within which moves use NameNodes; only tests change them. Immutable. */
@AutoValue
public abstract class MoveTuning {

    /** A builder with the tuning of operators' moves. */
    public static Builder builder() {
        return new AutoValue_MoveTuning.Builder()
                .limiters(MoveTuning::limiter)
                .editPollTimeout(TrackedTree.TOLD_WITHIN)
                .lockValidity(MoveLock.GOOD_FOR)
                .sliceSize(SlicedDeleter.SLICE);
    }

    private static Pace.Limiter limiter(int perSecond) {
        RateLimiting limiter = RateLimitingFactory.create(perSecond);
        return () -> limiter.acquire(1);
    }

    abstract IntFunction<Pace.Limiter> limiters();

    abstract Duration editPollTimeout();

    abstract Duration lockValidity();

    abstract long sliceSize();

    /** A builder that sets the limits one by one. */
    @AutoValue.Builder
    public abstract static class Builder {

        /** Sets the factory of limiters, by the number of files and directories that a limiter admits per second. */
        public abstract Builder limiters(IntFunction<Pace.Limiter> limiters);

        /** Sets the time that one query for edits may take while clients wait. */
        public abstract Builder editPollTimeout(Duration editPollTimeout);

        /** Sets the time for which a move continues without checking whether it still holds its lock. */
        public abstract Builder lockValidity(Duration lockValidity);

        /** Sets the maximum number of files and directories that one call deletes. */
        public abstract Builder sliceSize(long sliceSize);

        public abstract MoveTuning build();
    }
}

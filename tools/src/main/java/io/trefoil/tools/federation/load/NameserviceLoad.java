/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.load;

import com.google.auto.value.AutoValue;
import java.time.Duration;
import java.util.List;

/** The load that the active of a nameservice has counted, and the size of its namespace. Immutable. */
@AutoValue
public abstract class NameserviceLoad {

    static Builder builder() {
        return new AutoValue_NameserviceLoad.Builder();
    }

    public abstract String nameservice();

    /** The time over which calls were counted, up to now. */
    public abstract Duration countingTime();

    /** The number of path components by which calls are counted. */
    public abstract int depth();

    public abstract double readsPerMinute();

    public abstract double changesPerMinute();

    /** The upper bound of the error in a subtree's calls, per minute. */
    public abstract double maxErrorPerMinute();

    /** The number of calls counted in that time. */
    public abstract long calls();

    public abstract long inodes();

    public abstract long blocks();

    /** The subtrees with the most calls, heaviest first, without the root. */
    public abstract List<SubtreeCallCount> subtrees();

    public final double callsPerMinute() {
        return readsPerMinute() + changesPerMinute();
    }

    @AutoValue.Builder
    abstract static class Builder {
        abstract Builder nameservice(String nameservice);

        abstract Builder countingTime(Duration countingTime);

        abstract Builder depth(int depth);

        abstract Builder readsPerMinute(double readsPerMinute);

        abstract Builder changesPerMinute(double changesPerMinute);

        abstract Builder maxErrorPerMinute(double maxErrorPerMinute);

        abstract Builder calls(long calls);

        abstract Builder inodes(long inodes);

        abstract Builder blocks(long blocks);

        abstract Builder subtrees(List<SubtreeCallCount> subtrees);

        abstract NameserviceLoad build();
    }
}

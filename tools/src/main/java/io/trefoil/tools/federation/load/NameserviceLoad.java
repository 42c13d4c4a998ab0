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

    /** Over how long calls were counted, up to now. */
    public abstract Duration time();

    /** The number of names of a path by which calls are counted. */
    public abstract int depth();

    public abstract double readsAMinute();

    public abstract double changesAMinute();

    /** The upper bound of the error in a subtree's calls, per minute. */
    public abstract double errorAMinute();

    /** Calls that were counted in all that time. */
    public abstract long calls();

    public abstract long inodes();

    public abstract long blocks();

    /** The heaviest first; without the root. */
    public abstract List<SubtreeCallCount> subtrees();

    public final double callsAMinute() {
        return readsAMinute() + changesAMinute();
    }

    @AutoValue.Builder
    abstract static class Builder {
        abstract Builder nameservice(String nameservice);

        abstract Builder time(Duration time);

        abstract Builder depth(int depth);

        abstract Builder readsAMinute(double reads);

        abstract Builder changesAMinute(double changes);

        abstract Builder errorAMinute(double error);

        abstract Builder calls(long calls);

        abstract Builder inodes(long inodes);

        abstract Builder blocks(long blocks);

        abstract Builder subtrees(List<SubtreeCallCount> subtrees);

        abstract NameserviceLoad build();
    }
}

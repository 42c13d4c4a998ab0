/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.load;

import com.google.auto.value.AutoValue;
import java.time.Duration;
import java.util.List;

/** What the active of a nameservice has counted, and what it holds. Immutable. */
@AutoValue
public abstract class NameserviceLoad {

    static Builder builder() {
        return new AutoValue_NameserviceLoad.Builder();
    }

    public abstract String nameservice();

    /** Over how long calls were counted, up to now. */
    public abstract Duration time();

    /** How many names of a path are counted. */
    public abstract int depth();

    public abstract double readsAMinute();

    public abstract double changesAMinute();

    /** By how much the calls of a subtree may be wrong at most. */
    public abstract double errorAMinute();

    /** Calls that were counted in all that time. */
    public abstract long calls();

    public abstract long inodes();

    public abstract long blocks();

    /** The heaviest first; without the root. */
    public abstract List<CountedSubtree> subtrees();

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

        abstract Builder subtrees(List<CountedSubtree> subtrees);

        abstract NameserviceLoad build();
    }
}

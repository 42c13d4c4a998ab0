/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.load;

import com.google.auto.value.AutoValue;

/** The number of calls in a subtree, estimated. Immutable. */
@AutoValue
abstract class SubtreeCalls {

    static Builder builder(String path) {
        return new AutoValue_SubtreeCalls.Builder().path(path).reads(0).changes(0);
    }

    abstract String path();

    abstract long reads();

    abstract long changes();

    final long totalCalls() {
        return reads() + changes();
    }

    /** Collects the parts. */
    @AutoValue.Builder
    abstract static class Builder {
        abstract Builder path(String path);

        abstract Builder reads(long reads);

        abstract Builder changes(long changes);

        abstract SubtreeCalls build();
    }
}

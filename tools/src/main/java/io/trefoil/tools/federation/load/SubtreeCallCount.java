/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.load;

import com.google.auto.value.AutoValue;

/** The calls in a subtree, as counted by a NameNode. Immutable. */
@AutoValue
public abstract class SubtreeCallCount {

    static SubtreeCallCount of(String path, double readsPerMinute, double changesPerMinute) {
        return new AutoValue_SubtreeCallCount(path, readsPerMinute, changesPerMinute);
    }

    /** The path of the subtree, which may be a file, or be gone by now. */
    public abstract String path();

    public abstract double readsPerMinute();

    public abstract double changesPerMinute();

    public final double callsPerMinute() {
        return readsPerMinute() + changesPerMinute();
    }
}

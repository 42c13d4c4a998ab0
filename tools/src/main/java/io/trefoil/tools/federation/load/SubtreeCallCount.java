/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.load;

import com.google.auto.value.AutoValue;

/** Calls in a subtree, as a NameNode has counted them. Immutable. */
@AutoValue
public abstract class SubtreeCallCount {

    static SubtreeCallCount of(String path, double readsAMinute, double changesAMinute) {
        return new AutoValue_SubtreeCallCount(path, readsAMinute, changesAMinute);
    }

    /** Perhaps a file, or what is gone by now. */
    public abstract String path();

    public abstract double readsAMinute();

    public abstract double changesAMinute();

    public final double callsAMinute() {
        return readsAMinute() + changesAMinute();
    }
}

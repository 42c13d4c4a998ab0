/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.balance;

import com.google.auto.value.AutoValue;
import io.trefoil.federation.table.SubtreePath;

/** A subtree that might be moved, and its load. Immutable. */
@AutoValue
public abstract class Candidate {

    public static Candidate of(SubtreePath path, Load load) {
        return new AutoValue_Candidate(path, load);
    }

    public abstract SubtreePath path();

    public abstract Load load();
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move.rules;

import com.google.auto.value.AutoValue;

/** The owner of a subtree according to the newest version of the table. Immutable. */
@AutoValue
public abstract class Ownership {

    /** Creates a pair of the owner and the newest version of the table. */
    public static Ownership of(String owner, int version) {
        return new AutoValue_Ownership(owner, version);
    }

    abstract String owner();

    abstract int version();
}

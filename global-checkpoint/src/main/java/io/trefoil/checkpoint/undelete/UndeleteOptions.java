/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.undelete;

import com.google.auto.value.AutoValue;

/** The actions that an operator allows. Immutable. */
@AutoValue
public abstract class UndeleteOptions {

    /** @param copyRenamed whether files that are elsewhere now are copied from there */
    public static UndeleteOptions of(boolean copyRenamed) {
        return new AutoValue_UndeleteOptions(copyRenamed);
    }

    public abstract boolean copyRenamed();
}

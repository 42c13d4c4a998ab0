/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.archive;

import com.google.auto.value.AutoValue;

/** A namespace to be made: the transactions in force at an entry of the log, up to one of them. Immutable. */
@AutoValue
public abstract class NamespaceTarget {

    public static NamespaceTarget of(long sn, long txId) {
        return new AutoValue_NamespaceTarget(sn, txId);
    }

    public abstract long sn();

    public abstract long txId();
}

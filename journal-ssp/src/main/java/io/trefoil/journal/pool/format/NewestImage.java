/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.format;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.VoidRange;

/** The newest image of a namespace: how far its transactions and its plain block ids have come. Immutable. */
@AutoValue
public abstract class NewestImage {

    public static NewestImage of(long txId, long blockId) {
        return new AutoValue_NewestImage(txId, blockId);
    }

    public abstract long txId();

    /** The last plain block id that the namespace has assigned. */
    public abstract long blockId();

    /** Whether the namespace was made from what came in place of the lost transactions: its block ids have come that far. */
    final boolean isBehind(VoidRange lostRange) {
        return txId() > lostRange.afterTxId() && !lostRange.contains(txId(), blockId());
    }
}

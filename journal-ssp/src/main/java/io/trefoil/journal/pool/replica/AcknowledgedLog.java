/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.replica;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.NodeId;

/** The log that the replica in this process has acknowledged, known to be committed or not. Immutable. */
@AutoValue
public abstract class AcknowledgedLog {

    public static AcknowledgedLog of(NodeId node, Epoch promisedEpoch, long lastTxId) {
        return new AutoValue_AcknowledgedLog(node, promisedEpoch, lastTxId);
    }

    /** The node whose log it is. */
    public abstract NodeId node();

    /** The epoch promised last. */
    public abstract Epoch promisedEpoch();

    /** The last transaction; nothing later was acknowledged. */
    public abstract long lastTxId();
}

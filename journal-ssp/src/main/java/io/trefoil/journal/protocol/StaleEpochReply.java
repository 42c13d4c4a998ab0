/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.protocol;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.NodeId;

/**
 * Refused: the node promised a higher epoch (rule R1).
 */
@AutoValue
public abstract class StaleEpochReply implements WriterReply {

    public static StaleEpochReply of(NodeId node, Epoch promisedEpoch) {
        return new AutoValue_StaleEpochReply(node, promisedEpoch);
    }

    public abstract NodeId node();

    public abstract Epoch promisedEpoch();

    @Override
    public final void dispatch(Handler handler) {
        handler.on(this);
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.protocol;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.NodeId;

/** A refusal for now: the previous writer may still consider itself the only writer (protocol page, "Lease"). */
@AutoValue
public abstract class LeaseHeldReply implements WriterReply {

    public static LeaseHeldReply of(NodeId node, Epoch promisedEpoch, long remainingMillis) {
        return new AutoValue_LeaseHeldReply(node, promisedEpoch, remainingMillis);
    }

    public abstract NodeId node();

    public abstract Epoch promisedEpoch();

    public abstract long remainingMillis();

    @Override
    public final void dispatch(Handler handler) {
        handler.on(this);
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.protocol;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.NodeId;

/** The outcome of a client's call, sent to the NameNode that forwarded it. */
@AutoValue
public abstract class ForwardedReply implements PoolReply {

    /** The largest answer, in bytes, without the frame around it. */
    public static final int MAX_BYTES = 64 << 20;

    public static ForwardedReply of(NodeId node, Bytes answer) {
        return new AutoValue_ForwardedReply(node, answer);
    }

    public abstract NodeId node();

    /** The answer, as encoded by NameNodes; empty if the node does not report the outcome of the call. */
    public abstract Bytes answer();

    /** A copy that only states that the node no longer owes an answer. */
    public final ForwardedReply withoutAnswer() {
        return of(node(), Bytes.EMPTY);
    }

    @Override
    public final void dispatch(Handler handler) {
        handler.on(this);
    }
}

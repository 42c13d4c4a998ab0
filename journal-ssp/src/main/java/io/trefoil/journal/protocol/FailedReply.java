/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.protocol;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.NodeId;

/** The node could not carry out the request; the text names the request, the finding and the remedy. */
@AutoValue
public abstract class FailedReply implements WriterReply {

    public static FailedReply of(NodeId node, String reason) {
        return new AutoValue_FailedReply(node, reason);
    }

    public abstract NodeId node();

    public abstract String reason();

    @Override
    public final String describe() {
        return reason();
    }

    @Override
    public final void dispatch(Handler handler) {
        handler.on(this);
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.protocol;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.NodeId;

/**
 * The node has no storage for this journal.
 */
@AutoValue
public abstract class NotFormattedReply implements WriterReply {

    public static NotFormattedReply of(NodeId node) {
        return new AutoValue_NotFormattedReply(node);
    }

    public abstract NodeId node();

    @Override
    public final String describe() {
        return "it has no storage for this journal";
    }

    @Override
    public final void dispatch(Handler handler) {
        handler.on(this);
    }
}

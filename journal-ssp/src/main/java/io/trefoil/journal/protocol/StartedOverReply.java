/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.protocol;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.NodeId;

/**
 * A node has started over.
 */
@AutoValue
public abstract class StartedOverReply implements PoolReply {

    public static StartedOverReply of(NodeId node, String movedTo) {
        return new AutoValue_StartedOverReply(node, movedTo);
    }

    public abstract NodeId node();

    /** The place of the node's old storage; empty if the storage could be opened after all, and nothing was moved. */
    public abstract String oldStoragePath();

    @Override
    public final void dispatch(Handler handler) {
        handler.on(this);
    }
}

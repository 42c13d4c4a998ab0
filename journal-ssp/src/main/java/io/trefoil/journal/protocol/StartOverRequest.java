/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.protocol;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.NodeId;

/**
 * An operator finds that what a node holds is wrong: it is to move its storage aside and fetch everything again.
 */
@AutoValue
public abstract class StartOverRequest implements PoolRequest {

    public static StartOverRequest of(NodeId node) {
        return new AutoValue_StartOverRequest(node);
    }

    /** The node that is meant: whoever took its address meanwhile refuses. */
    public abstract NodeId node();

    @Override
    public final <R> R dispatch(Handler<R> handler) {
        return handler.on(this);
    }
}

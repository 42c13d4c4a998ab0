/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.protocol;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.ChangeProgress;
import io.trefoil.journal.model.NodeId;

/** The progress of a requested membership change. */
@AutoValue
public abstract class ChangeReply implements PoolReply {

    public static ChangeReply of(NodeId node, ChangeProgress progress) {
        return new AutoValue_ChangeReply(node, progress);
    }

    public abstract NodeId node();

    public abstract ChangeProgress progress();

    @Override
    public final void dispatch(Handler handler) {
        handler.on(this);
    }
}

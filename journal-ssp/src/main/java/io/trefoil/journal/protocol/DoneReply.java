/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.protocol;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.NodeId;

/** The request was carried out, durably if there was something to store. */
@AutoValue
public abstract class DoneReply implements WriterReply {

    public static DoneReply of(NodeId node) {
        return new AutoValue_DoneReply(node);
    }

    public abstract NodeId node();

    @Override
    public final void dispatch(Handler handler) {
        handler.on(this);
    }
}

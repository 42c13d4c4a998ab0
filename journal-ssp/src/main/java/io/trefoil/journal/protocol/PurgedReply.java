/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.protocol;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.NodeId;

/** The requested entry is no longer kept; the log begins after {@code base}. */
@AutoValue
public abstract class PurgedReply implements PoolReply {

    public static PurgedReply of(NodeId node, LogSummary base) {
        return new AutoValue_PurgedReply(node, base);
    }

    public abstract NodeId node();

    public abstract LogSummary base();

    @Override
    public final String describe() {
        return "it keeps what follows entry " + base().position().sn() + ", and nothing before";
    }

    @Override
    public final void dispatch(Handler handler) {
        handler.on(this);
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.protocol;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.SegmentInfo;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The committed segments with transactions at or above the one that was asked for, in order. */
@AutoValue
public abstract class SegmentsReply implements PoolReply {

    public static SegmentsReply of(NodeId node, List<SegmentInfo> segments, long committedSn, long committedTxId) {
        return new AutoValue_SegmentsReply(
                node, Collections.unmodifiableList(new ArrayList<>(segments)), committedSn, committedTxId);
    }

    public abstract NodeId node();

    public abstract List<SegmentInfo> segments();

    public abstract long committedSn();

    public abstract long committedTxId();

    @Override
    public final <R> R dispatch(Handler<R> handler) {
        return handler.on(this);
    }
}

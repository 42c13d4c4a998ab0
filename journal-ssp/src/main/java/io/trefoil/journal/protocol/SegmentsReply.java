/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.protocol;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.SegmentInfo;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The committed segments with transactions at or above the requested one, in order. */
@AutoValue
public abstract class SegmentsReply implements PoolReply {

    /** The most that fit into a frame: almost four years of segments at HDFS's default of one every two minutes. */
    public static final int MAX_SEGMENTS = 1_000_000;

    /** @throws IllegalArgumentException if there are more than {@link #MAX_SEGMENTS}, because no frame could hold them */
    public static SegmentsReply of(NodeId node, List<SegmentInfo> segments, long committedSn, long committedTxId) {
        if (segments.size() > MAX_SEGMENTS) {
            throw new IllegalArgumentException(
                    "An answer names at most " + MAX_SEGMENTS + " segments, got " + segments.size());
        }
        return new AutoValue_SegmentsReply(
                node, Collections.unmodifiableList(new ArrayList<>(segments)), committedSn, committedTxId);
    }

    public abstract NodeId node();

    public abstract List<SegmentInfo> segments();

    public abstract long committedSn();

    public abstract long committedTxId();

    @Override
    public final void dispatch(Handler handler) {
        handler.on(this);
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.protocol;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.NodeId;

/** A part of an image as it is on the node's disk; the receiver verifies its checksum. */
@AutoValue
public abstract class ImagePartReply implements PoolReply {

    public static ImagePartReply of(NodeId node, Bytes bytes) {
        return new AutoValue_ImagePartReply(node, bytes);
    }

    public abstract NodeId node();

    public abstract Bytes bytes();

    @Override
    public final void dispatch(Handler handler) {
        handler.on(this);
    }
}

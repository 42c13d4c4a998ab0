/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.protocol;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.HeldImage;
import io.trefoil.journal.model.NodeId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The images that a node holds, oldest first. */
@AutoValue
public abstract class ImagesReply implements PoolReply {

    public static ImagesReply of(NodeId node, List<HeldImage> images) {
        return new AutoValue_ImagesReply(node, Collections.unmodifiableList(new ArrayList<>(images)));
    }

    public abstract NodeId node();

    public abstract List<HeldImage> images();

    @Override
    public final void dispatch(Handler handler) {
        handler.on(this);
    }
}

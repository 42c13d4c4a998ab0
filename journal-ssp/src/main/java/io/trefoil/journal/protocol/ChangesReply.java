/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.protocol;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.MemberChange;
import io.trefoil.journal.model.NodeId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The membership changes that were recently requested from this node. */
@AutoValue
public abstract class ChangesReply implements WriterReply {

    public static ChangesReply of(NodeId node, List<MemberChange> changes) {
        return new AutoValue_ChangesReply(node, Collections.unmodifiableList(new ArrayList<>(changes)));
    }

    public abstract NodeId node();

    public abstract List<MemberChange> changes();

    @Override
    public final void dispatch(Handler handler) {
        handler.on(this);
    }
}

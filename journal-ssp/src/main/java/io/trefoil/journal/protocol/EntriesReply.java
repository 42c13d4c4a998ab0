/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.protocol;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.NodeId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Consecutive entries from the requested serial number on; empty if there are none yet. */
@AutoValue
public abstract class EntriesReply implements PoolReply {

    public static EntriesReply of(NodeId node, List<Entry> entries, long committedSn) {
        return new AutoValue_EntriesReply(node, Collections.unmodifiableList(new ArrayList<>(entries)), committedSn);
    }

    public abstract NodeId node();

    public abstract List<Entry> entries();

    public abstract long committedSn();

    @Override
    public final void dispatch(Handler handler) {
        handler.on(this);
    }
}

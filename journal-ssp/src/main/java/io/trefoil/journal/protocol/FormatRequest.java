/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.protocol;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Asks an empty node to create storage for the journal. With entries, it formats a new journal that begins with them,
 * all committed. Without entries, the node joins an existing journal and is caught up from {@code base}.
 */
@AutoValue
public abstract class FormatRequest implements ReplicaRequest {

    public static FormatRequest of(
            NamespaceId namespace, NodeId node, LogSummary base, List<Entry> entries, boolean force) {
        return new AutoValue_FormatRequest(
                namespace, node, base, Collections.unmodifiableList(new ArrayList<>(entries)), force);
    }

    public abstract NamespaceId namespace();

    /** The node to format: another node that has taken its address refuses. */
    public abstract NodeId node();

    public abstract LogSummary base();

    public abstract List<Entry> entries();

    /** Whether the node moves existing storage of this journal aside instead of refusing. */
    public abstract boolean force();

    @Override
    public final <R, X extends Exception> R dispatch(Handler<R, X> handler) throws X {
        return handler.on(this);
    }
}

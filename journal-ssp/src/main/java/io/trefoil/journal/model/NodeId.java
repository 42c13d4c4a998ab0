/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.model;

import com.google.auto.value.AutoValue;

/**
 * Identifies the storage of one pool node. It is created with the storage, so a node that lost its disk returns with
 * another id (rule R8). Immutable.
 */
@AutoValue
public abstract class NodeId implements Comparable<NodeId> {

    /** @param text a UUID in its usual form, or any other text without white space */
    public static NodeId of(String text) {
        return new AutoValue_NodeId(TextFields.requireToken("node id", text));
    }

    public abstract String text();

    @Override
    public final int compareTo(NodeId other) {
        return text().compareTo(other.text());
    }

    @Override
    public final String toString() {
        return text();
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.model;

import com.google.auto.value.AutoValue;

/**
 * The HDFS namespace that a journal belongs to. It never changes after the format, not even by an upgrade. Two peers
 * that name different namespaces never exchange a byte of a journal. Immutable.
 */
@AutoValue
public abstract class NamespaceId {

    /** The id that a process sends while it does not know its namespace yet (a format, a fresh node). */
    public static final NamespaceId UNKNOWN = new AutoValue_NamespaceId("", 0);

    public static NamespaceId of(String clusterId, int namespaceId) {
        if (clusterId.isEmpty() && namespaceId == 0) {
            return UNKNOWN;
        }
        return new AutoValue_NamespaceId(TextFields.requireToken("cluster id", clusterId), namespaceId);
    }

    public abstract String clusterId();

    public abstract int namespaceId();

    public final boolean isKnown() {
        return !equals(UNKNOWN);
    }

    @Override
    public final String toString() {
        return isKnown() ? "cluster " + clusterId() + " namespace " + namespaceId() : "unknown namespace";
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeId;

/** The identity of a storage: created by the format and never changed (rule R8). Immutable. */
@AutoValue
public abstract class StorageIdentity {

    public static StorageIdentity of(NodeId node, NamespaceId namespace, Incarnation incarnation) {
        if (!namespace.isKnown()) {
            throw new IllegalArgumentException("Storage is made for a known namespace only");
        }
        return new AutoValue_StorageIdentity(node, namespace, incarnation);
    }

    public abstract NodeId node();

    public abstract NamespaceId namespace();

    /** The incarnation of the journal whose entries are in it, or will be (rule R11). */
    public abstract Incarnation incarnation();
}

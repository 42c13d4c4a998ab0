/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeId;

/** A node's answer to a {@link Hello} that it accepts. Immutable. */
@AutoValue
public abstract class Welcome {

    /**
     * Of the protocol: since 2 a node has images, since 3 it says which journal it keeps in the place of a stranger's,
     * since 4 it takes calls that are handed on; the form of frames is that of version 1.
     */
    public static final int NEWEST_VERSION = 4;

    public static Welcome of(NodeId node, boolean formatted, NamespaceId namespace, Epoch promised) {
        return new AutoValue_Welcome(node, formatted, namespace, promised, NEWEST_VERSION);
    }

    /** The same for a session in another version of the protocol than the newest. */
    public final Welcome inVersion(int version) {
        return new AutoValue_Welcome(node(), formatted(), namespace(), promised(), version);
    }

    /** Of the storage of this journal; a node without storage says the id that its storage would get. */
    public abstract NodeId node();

    public abstract boolean formatted();

    public abstract NamespaceId namespace();

    public abstract Epoch promised();

    /** Of the protocol, for this session. */
    public abstract int version();

    /** Whether the node knows what images are; an older one ends the session when it is asked for them. */
    public final boolean knowsImages() {
        return version() >= 2;
    }

    /** Whether the node knows what a call is that is handed on; an older one ends the session. */
    public final boolean knowsCalls() {
        return version() >= 4;
    }
}

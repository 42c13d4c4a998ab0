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
     * The newest version of the protocol. Since 2 a node has images, since 3 it tells a refused caller of another
     * cluster which journal it keeps instead, since 4 it takes forwarded calls. Frames have the form of version 1.
     */
    public static final int NEWEST_VERSION = 4;

    public static Welcome of(NodeId node, boolean formatted, NamespaceId namespace, Epoch promisedEpoch) {
        return new AutoValue_Welcome(node, formatted, namespace, promisedEpoch, NEWEST_VERSION);
    }

    /** A copy for a session in another version of the protocol. */
    public final Welcome withVersion(int version) {
        return new AutoValue_Welcome(node(), formatted(), namespace(), promisedEpoch(), version);
    }

    /** The id of this journal's storage; a node without storage returns the id that its storage would get. */
    public abstract NodeId node();

    public abstract boolean formatted();

    public abstract NamespaceId namespace();

    public abstract Epoch promisedEpoch();

    /** The version of the protocol in this session. */
    public abstract int version();

    /** Whether the node supports images; an older one ends the session when it is asked for them. */
    public final boolean supportsImages() {
        return version() >= 2;
    }

    /** Whether the node supports forwarded calls; an older one ends the session when it gets one. */
    public final boolean supportsForwardedCalls() {
        return version() >= 4;
    }
}

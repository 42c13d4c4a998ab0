/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport;

import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.protocol.PoolRequest;

/**
 * The caller's side of a session with one node. It maintains itself: after a break it reconnects, with short, growing,
 * jittered waits.
 */
public interface Link extends AutoCloseable {

    NodeAddress address();

    /**
     * Hands a request to the connection; it leaves at the next {@link #flush}. Called on the transport's thread
     * only. Dropped if the link is down: the listener hears of the break, and a request is never sent again.
     */
    void send(PoolRequest request);

    /** Lets everything that was handed over leave. Called on the transport's thread only. */
    void flush();

    /** Ends the link; the listener hears nothing more. Called by any thread. */
    @Override
    void close();
}

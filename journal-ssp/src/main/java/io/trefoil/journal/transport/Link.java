/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport;

import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.protocol.PoolRequest;

/** The caller's side of a session with one node. After a break it reconnects by itself, with short, growing, jittered waits. */
public interface Link extends AutoCloseable {

    NodeAddress address();

    /**
     * Hands a request to the connection; the next {@link #flush} sends it. Called on the transport's thread only. A
     * request is dropped if the link is down, and never sent again: the listener learns of the break.
     */
    void send(PoolRequest request);

    /** Sends everything that was handed over. Called on the transport's thread only. */
    void flush();

    /** Ends the link; the listener gets no further events. Called by any thread. */
    @Override
    void close();
}

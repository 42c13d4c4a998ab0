/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport;

import io.trefoil.journal.protocol.PoolRequest;
import java.util.List;

/** The node's side of one accepted connection. */
public interface NodeSession {

    Welcome welcome();

    /**
     * Whether a reader's request may have to wait for the journal's disk: if so, a thread serves it that only readers of this journal wait
     * for. Called by any thread; always the same for one request.
     */
    default boolean mayBlock(PoolRequest request) {
        return true;
    }

    /**
     * Serves requests that were read together, in the order of the wire. The thread of the journal calls a WRITER
     * session, which may block for the disk: requests that arrive until it returns come in the next call, and share its
     * sync. Answers given before it returns are sent with one flush. A reader thread calls a READER session, and not
     * again while its caller leaves answers unread. Any exception ends the connection.
     */
    void handleRequests(List<InboundRequest> requests);

    /**
     * The connection is gone, and no more requests will arrive. Called once, after the last requests, by a thread that serves
     * the session.
     */
    void onClosed();
}

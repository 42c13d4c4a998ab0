/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport;

import io.trefoil.journal.protocol.PoolRequest;
import java.util.List;

/** The node's side of one accepted connection. */
public interface NodeSession {

    Welcome welcome();

    /**
     * Whether a reader's request may have to wait for the journal's disk: then it is served by a thread that nobody else but
     * readers of this journal waits for. By any thread.
     */
    default boolean mayWait(PoolRequest request) {
        return true;
    }

    /**
     * All requests that were read together, in the order of the wire. A WRITER session is called by the thread
     * of its journal and may block for the disk: what arrives meanwhile comes in the next call, and shares its
     * sync. Answers given before it returns leave with one flush. A READER session is called by a reader thread,
     * and not again while its caller leaves answers unread. What this throws ends the connection.
     */
    void requests(List<Inbound> requests);

    /**
     * The connection is gone; nothing more will come. Called once, after the last requests, by a thread that serves
     * the session.
     */
    void closed();
}

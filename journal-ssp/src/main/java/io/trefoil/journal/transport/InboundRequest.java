/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport;

import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;

/** A request that arrived, with the path for its answer. */
public interface InboundRequest {

    PoolRequest request();

    /** Sends the answer; called at most once, by any thread. Dropped if the session is broken. */
    void answer(PoolReply reply);
}

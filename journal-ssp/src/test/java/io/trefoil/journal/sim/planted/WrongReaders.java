/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.planted;

import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.client.ReadQuorum;
import io.trefoil.journal.protocol.PoolReply;
import java.util.Map;
import java.util.Optional;

/** Readers that each break one rule, which the simulator must notice. */
final class WrongReaders {

    private WrongReaders() {}

    /** Believes the node with the longest log among those that answer, however few they are. */
    static Optional<NodeAddress> trustMinority(
            Map<NodeAddress, PoolReply> statuses, Map<NodeAddress, PoolReply> segments) {
        return ReadQuorum.of(statuses, segments).mostAdvanced();
    }
}

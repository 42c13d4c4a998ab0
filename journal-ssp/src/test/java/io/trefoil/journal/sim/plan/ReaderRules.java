/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.plan;

import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.client.ReadQuorum;
import io.trefoil.journal.protocol.PoolReply;
import java.util.Map;
import java.util.Optional;

/** Whom a reader believes that asked all nodes: by the real rules, or by wrong ones to show that it is noticed. */
public interface ReaderRules {

    /** The real ones. */
    ReaderRules REAL = (statuses, segments) -> {
        ReadQuorum quorum = ReadQuorum.of(statuses, segments);
        return quorum.furthest().filter(node -> quorum.isMajority());
    };

    /** The node that is believed; empty if none is. */
    Optional<NodeAddress> believed(Map<NodeAddress, PoolReply> statuses, Map<NodeAddress, PoolReply> segments);
}

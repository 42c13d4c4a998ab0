/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.plan;

import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.client.ReadQuorum;
import io.trefoil.journal.protocol.PoolReply;
import java.util.Map;
import java.util.Optional;

/** Which node a reader believes after asking all nodes: by the real rules, or by wrong ones that must be noticed. */
public interface ReaderRules {

    /** The real rules. */
    ReaderRules REAL = (statuses, segments) -> {
        ReadQuorum quorum = ReadQuorum.of(statuses, segments);
        return quorum.mostAdvanced().filter(node -> quorum.hasMajority());
    };

    /** The node that is believed; empty if none is. */
    Optional<NodeAddress> selectNode(Map<NodeAddress, PoolReply> statuses, Map<NodeAddress, PoolReply> segments);
}

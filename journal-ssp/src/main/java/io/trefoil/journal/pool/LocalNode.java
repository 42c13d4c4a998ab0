/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool;

import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.replica.JournalReplica;
import io.trefoil.journal.pool.replica.LocalNamespace;
import io.trefoil.journal.pool.server.PoolNode;
import java.time.Duration;
import java.util.Optional;

/** The pool node in this process, if there is one, and its replica of one journal. Thread-safe. */
final class LocalNode {
    private final Optional<PoolNode> node;
    private final JournalId journal;
    private final Duration longestSilence;

    /** @param longestSilence how long a disk may be silent before it counts as hung */
    LocalNode(Optional<PoolNode> node, JournalId journal, Duration longestSilence) {
        this.node = node;
        this.journal = journal;
        this.longestSilence = longestSilence;
    }

    Optional<NodeAddress> address() {
        return node.map(PoolNode::address);
    }

    boolean isAt(NodeAddress address) {
        return node.isPresent() && node.get().address().equals(address);
    }

    void setLocalNamespace(LocalNamespace namespace) {
        node.ifPresent(own -> own.setLocalNamespace(journal, namespace));
    }

    Optional<JournalReplica> replica() {
        return node.map(own -> own.replica(journal));
    }

    /** The replica, unless its disk is so slow that a remote node would be dropped from the in-sync set for it. */
    Optional<JournalReplica> responsiveReplica() {
        return replica().filter(own -> own.diskStallTime().compareTo(longestSilence) <= 0);
    }
}

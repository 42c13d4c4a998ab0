/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.server;

import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.replica.JournalObserver;
import io.trefoil.journal.pool.replica.ReplicaStatus;
import io.trefoil.journal.pool.writer.WriterStatus;
import java.util.function.Supplier;

/** Is notified of this process's parts of the pool as they are created; see {@code PoolProcess.setObserver}. */
public interface PoolObserver {

    /** Ignores everything. */
    PoolObserver NONE = new PoolObserver() {
        @Override
        public void nodeStarted(PoolNode node) {}

        @Override
        public JournalObserver replicaOpened(NodeAddress node, JournalId journal, Supplier<ReplicaStatus> status) {
            return JournalObserver.NONE;
        }

        @Override
        public JournalObserver writerOpened(JournalId journal, Supplier<WriterStatus> status) {
            return JournalObserver.NONE;
        }
    };

    /** A node listens on its port. */
    void nodeStarted(PoolNode node);

    /** A node has a replica of a journal, perhaps an empty one. */
    JournalObserver replicaOpened(NodeAddress node, JournalId journal, Supplier<ReplicaStatus> status);

    /** A term of this process begins and replaces the previous one. */
    JournalObserver writerOpened(JournalId journal, Supplier<WriterStatus> status);
}

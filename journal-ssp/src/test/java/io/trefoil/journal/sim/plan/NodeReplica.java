/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.plan;

import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;

/** A node's replica of the journal as the simulator drives it: the real one, or a wrong one around it. */
public interface NodeReplica {

    void open();

    List<Optional<PoolReply>> perform(List<PoolRequest> requests);

    NodeId node();

    boolean isFormatted();

    Epoch promisedEpoch();

    void onWriterLost(WriterId writer);

    /** Answers a reader if the replica may do so alone; otherwise empty. */
    Optional<PoolReply> performIfCaughtUp(PoolRequest request, Duration within);

    /** Reports the highest serial number that readers may see, whenever it changes. */
    void onShown(LongConsumer listener);

    /** Delegates everything; subclasses break something. */
    class Around implements NodeReplica {
        private final NodeReplica replica;

        public Around(NodeReplica replica) {
            this.replica = replica;
        }

        @Override
        public void open() {
            replica.open();
        }

        @Override
        public List<Optional<PoolReply>> perform(List<PoolRequest> requests) {
            return replica.perform(requests);
        }

        @Override
        public NodeId node() {
            return replica.node();
        }

        @Override
        public boolean isFormatted() {
            return replica.isFormatted();
        }

        @Override
        public Epoch promisedEpoch() {
            return replica.promisedEpoch();
        }

        @Override
        public void onWriterLost(WriterId writer) {
            replica.onWriterLost(writer);
        }

        @Override
        public Optional<PoolReply> performIfCaughtUp(PoolRequest request, Duration within) {
            return replica.performIfCaughtUp(request, within);
        }

        @Override
        public void onShown(LongConsumer listener) {
            replica.onShown(listener);
        }
    }
}

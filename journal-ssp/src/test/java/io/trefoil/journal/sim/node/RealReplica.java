/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.node;

import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.pool.replica.JournalReplica;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.sim.plan.NodeReplica;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;

/** The production driver, over a simulated disk. */
final class RealReplica implements NodeReplica {

    private final JournalReplica replica;

    RealReplica(JournalReplica replica) {
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
        replica.promisedWriter().shortenLeaseOf(writer);
    }

    @Override
    public Optional<PoolReply> performIfCaughtUp(PoolRequest request, Duration within) {
        return replica.performIfCaughtUp(request, within);
    }

    @Override
    public void onShown(LongConsumer listener) {
        replica.commitSignal().add(() -> listener.accept(replica.commitSignal().committedSn()));
    }
}

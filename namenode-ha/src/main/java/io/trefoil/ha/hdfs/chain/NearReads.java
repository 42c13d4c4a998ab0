/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.chain;

import io.trefoil.ha.hdfs.calls.LeasedReads;
import io.trefoil.ha.hdfs.calls.LeasedReadsMetrics;
import io.trefoil.ha.hdfs.forward.ActiveLocator;
import io.trefoil.ha.hdfs.near.ReadLeaseGranter;
import io.trefoil.ha.hdfs.near.ReadLeaseRenewer;
import io.trefoil.journal.hdfs.NameNodeJournal;
import io.trefoil.journal.pool.client.CallLink;
import io.trefoil.journal.pool.server.ForwardedCalls;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;

/**
 * Reads under leases, from both sides: this NameNode asks the active for a lease while it is an observer, and grants leases while it is
 * active itself. {@code trefoil.ha.near-reads}.
 */
final class NearReads implements Closeable {
    /**
     * A read that is not up to date after this time is sent to the active. It is longer than an observer's lease, so a
     * longer wait is pointless.
     */
    private static final Duration TIMEOUT = Duration.ofSeconds(1);

    private final NameNode nameNode;
    private final BooleanSupplier locked;
    private final ReadLeaseGranter granter;
    private final CallLink link;
    private final ReadLeaseRenewer keeper;

    /**
     * @param link to the other NameNodes; closed with this
     * @param locked whether something holds the namesystem's lock for long
     * @param others executes what others send that is no question for a lease
     */
    NearReads(
            NameNode nameNode,
            NameNodeJournal journal,
            CallLink link,
            BooleanSupplier locked,
            ActiveLocator active,
            ForwardedCalls others)
            throws IOException {
        this.nameNode = nameNode;
        this.locked = locked;
        this.granter = new ReadLeaseGranter(journal::latestTerm, others);
        this.link = link;
        this.keeper =
                new ReadLeaseRenewer(nameNode::isObserverState, journal.open()::acknowledgedLog, active, link::forward);
    }

    /** The part that answers requests of other NameNodes. */
    ForwardedCalls granter() {
        return granter;
    }

    void start() {
        keeper.start();
    }

    boolean hasLease() {
        return !locked.getAsBoolean() && keeper.requiredTxId().isPresent();
    }

    /** @param atOnce how many reads may wait at the same time */
    BlockingService wrap(BlockingService calls, int atOnce) {
        LeasedReads reads = new LeasedReads(
                calls,
                nameNode::isActiveState,
                locked,
                keeper::requiredTxId,
                nameNode.getFSImage()::getLastAppliedOrWrittenTxId,
                atOnce,
                TIMEOUT);
        LeasedReadsMetrics.register(reads);
        return reads;
    }

    @Override
    public void close() {
        keeper.close();
        link.close();
        granter.close();
    }
}

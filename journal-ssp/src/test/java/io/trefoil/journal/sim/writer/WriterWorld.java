/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.writer;

import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.protocol.FetchRequest;
import io.trefoil.journal.sim.node.NodeWorld;
import io.trefoil.journal.sim.node.SimNode;
import io.trefoil.journal.sim.plan.DriverMix;
import io.trefoil.journal.sim.plan.FaultMix;
import io.trefoil.journal.sim.plan.Rules;
import io.trefoil.journal.sim.world.SimHost;
import java.util.List;
import java.util.Set;

/** What writers need from the simulation around them. */
public interface WriterWorld extends NodeWorld {

    long seed();

    FaultMix mix();

    Rules rules();

    /** Whether the production drivers run the rules. */
    boolean isDriven();

    DriverMix drivers();

    /** The request that a writer really sends when it wants entries of a node. */
    FetchRequest effectiveRequest(FetchRequest request);

    List<SimNode> nodes();

    SimNode node(NodeAddress address);

    Set<NodeAddress> addresses();

    /** Adds a machine for a writer alone. */
    void addHost(SimHost host);

    SimWriters writers();

    /** A node's process dies, and with it the writers in it. */
    void stop(SimNode node, boolean power);

    /** Starts a node again after a while, if it is down. */
    void scheduleRestart(SimNode node);

    /** Whether everything that will ever be healed is. */
    boolean isHealed();

    /** Whether a node was healed, or needed no healing. */
    boolean isHealthy(NodeAddress address);
}

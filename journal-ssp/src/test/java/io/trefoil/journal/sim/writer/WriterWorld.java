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

/** What writers ask of the simulation around them. */
public interface WriterWorld extends NodeWorld {

    long seed();

    FaultMix mix();

    Rules rules();

    /** Whether the drivers that run in production are around the rules. */
    boolean isDriven();

    DriverMix drivers();

    /** What a writer asks for that wants entries of a node. */
    FetchRequest asked(FetchRequest request);

    List<SimNode> nodes();

    SimNode node(NodeAddress address);

    Set<NodeAddress> addresses();

    /** A machine for a writer alone. */
    void addHost(SimHost host);

    SimWriters writers();

    /** A node's process dies, and with it the writers in it. */
    void stop(SimNode node, boolean power);

    /** Somebody starts a node that is down. */
    void restartLater(SimNode node);

    /** Whether everything that will ever be whole is. */
    boolean isHealed();

    /** Whether a node was made whole, or needed no healing. */
    boolean isHealthy(NodeAddress address);
}

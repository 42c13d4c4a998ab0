/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.node;

import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.sim.history.Fact;
import io.trefoil.journal.sim.history.SimLedger;
import io.trefoil.journal.sim.world.SimNetwork;
import io.trefoil.journal.sim.world.World;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** What a node needs from the simulation around it. */
public interface NodeWorld extends World {

    NamespaceId NAMESPACE = NamespaceId.of("CID-simulated", 1);

    SimNetwork network();

    /** What follows from the facts so far. */
    SimLedger ledger();

    void report(Fact fact);

    /** The incarnation of the journal that is in force. */
    Incarnation incarnation();

    /** Whether a host that was cut off formatted this incarnation alone, not knowing of the one in force. */
    boolean isLone(Incarnation other);

    /** The machine of a node loses power; it is started again later. */
    void cutPower(SimNode node);

    /** The process of a node dies; it is started again later. */
    void kill(SimNode node);

    /**
     * Ends the writers that are acquiring an epoch: one with a promise of a node that is formatted next would begin a
     * term of a journal that no longer exists.
     */
    void endAcquiringWriters();

    /** Runs the simulation until a condition holds, and fails if it does not in time. */
    void runUntil(String operation, BooleanSupplier condition, Duration timeout);
}

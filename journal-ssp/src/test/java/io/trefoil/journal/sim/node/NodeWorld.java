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

/** What a node asks of the simulation around it. */
public interface NodeWorld extends World {

    NamespaceId NAMESPACE = NamespaceId.of("CID-simulated", 1);

    SimNetwork network();

    /** What is known of the journal from the facts so far. */
    SimLedger ledger();

    void tell(Fact fact);

    /** The beginning of the journal that is in force. */
    Incarnation incarnation();

    /** The power of a node's machine fails; somebody starts it later. */
    void powerFails(SimNode node);

    /** The process of a node is no more; somebody starts it later. */
    void kill(SimNode node);

    /** Who has a promise of a node that is formatted next would begin a term of a journal that is no more. */
    void giveWayToFormat();

    /** Lets things happen until a condition holds, and fails when it does not in time. */
    void runUntil(String what, BooleanSupplier condition, Duration patience);
}

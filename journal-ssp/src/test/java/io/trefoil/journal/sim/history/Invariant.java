/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.history;

import java.util.Optional;

/** A condition that must hold after every event of every simulation. */
public interface Invariant {

    /** The rule of the protocol page that it checks, and what the rule says. */
    String name();

    /**
     * Judges one fact, given everything that happened before it.
     *
     * @return what is wrong; empty if nothing is
     */
    Optional<String> judge(Fact fact, SimLedger before);
}

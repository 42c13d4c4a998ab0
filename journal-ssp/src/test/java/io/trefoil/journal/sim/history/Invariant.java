/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.history;

import java.util.Optional;

/** Something that must be true after every event of every simulation. */
public interface Invariant {

    /** The rule of the protocol page that it stands for, and what it says. */
    String name();

    /**
     * Judges one fact by all that happened before it.
     *
     * @return what is wrong; empty if nothing is
     */
    Optional<String> judge(Fact fact, SimLedger before);
}

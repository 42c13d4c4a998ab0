/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.invariant.term;

import io.trefoil.journal.sim.history.Fact;
import io.trefoil.journal.sim.history.Invariant;
import io.trefoil.journal.sim.history.SimLedger;
import java.util.Optional;

/** Invariant L4: a writer that has opened its sessions ahead asks no node for anything before its term is wanted. */
public final class NoRequestBeforeTermIsWanted implements Invariant {

    @Override
    public String name() {
        return "L4 nothing is asked before the term is wanted";
    }

    @Override
    public Optional<String> judge(Fact fact, SimLedger before) {
        return fact instanceof Fact.RequestedTooEarly ? Optional.of(fact.toString()) : Optional.empty();
    }
}

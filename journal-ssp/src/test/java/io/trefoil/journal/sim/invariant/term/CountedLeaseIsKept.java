/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.invariant.term;

import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.sim.history.Fact;
import io.trefoil.journal.sim.history.Invariant;
import io.trefoil.journal.sim.history.SimLedger;
import java.util.Map;
import java.util.Optional;

/**
 * What follows from rule L1 for a writer: no other one begins a term before the lease that the writer counts is over, whatever the lengths of
 * leases, unless a node presumed the writer dead.
 */
public final class CountedLeaseIsKept implements Invariant {

    @Override
    public String name() {
        return "L1 a counted lease is kept";
    }

    @Override
    public Optional<String> judge(Fact fact, SimLedger before) {
        if (!(fact instanceof Fact.LeaseBelieved believed) || believed.untilNanos() <= believed.nowNanos()) {
            return Optional.empty();
        }
        for (Map.Entry<WriterId, Long> other : before.leasedUntilNanos().entrySet()) {
            boolean rival = !other.getKey().equals(believed.writer())
                    && !before.hasEnded(other.getKey())
                    && other.getValue() > believed.nowNanos();
            if (rival) {
                return Optional.of(believed.writer() + " has a majority at " + believed.nowNanos() + ", and "
                        + other.getKey() + " counted its lease until " + other.getValue());
            }
        }
        return Optional.empty();
    }
}

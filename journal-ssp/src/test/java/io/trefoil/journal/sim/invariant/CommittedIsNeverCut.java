/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.invariant;

import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.Standing;
import io.trefoil.journal.sim.Fact;
import io.trefoil.journal.sim.Ledger;
import java.util.Optional;

/** Rule R2: a conflicting suffix is cut, but never at or below what the node knows to be committed. What a damaged disk lost (R9) is not cut. */
public final class CommittedIsNeverCut implements Invariant {

    @Override
    public String name() {
        return "R2 what a node showed as committed is never cut";
    }

    @Override
    public Optional<String> judge(Fact fact, Ledger before) {
        if (fact instanceof Fact.Cut cut) {
            return endsBelow(before, cut.at(), cut.lastSn());
        }
        if (fact instanceof Fact.Rebased rebased) {
            return endsBelow(before, rebased.at(), rebased.base().position().sn());
        }
        if (fact instanceof Fact.Opened opened && opened.standing() == Standing.WHOLE) {
            return endsBelow(
                    before,
                    opened.at(),
                    opened.base().position().sn() + opened.log().size());
        }
        return Optional.empty();
    }

    private static Optional<String> endsBelow(Ledger before, NodeAddress at, long lastSn) {
        return before.disk(at)
                .filter(disk -> disk.standing() == Standing.WHOLE && lastSn < disk.shownSn())
                .map(disk ->
                        at + " showed entry " + disk.shownSn() + " as committed, its log ends at " + lastSn + " now");
    }
}

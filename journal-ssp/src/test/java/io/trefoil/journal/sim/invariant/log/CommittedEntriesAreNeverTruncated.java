/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.invariant.log;

import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.sim.history.Fact;
import io.trefoil.journal.sim.history.Invariant;
import io.trefoil.journal.sim.history.SimLedger;
import java.util.Optional;

/**
 * Rule R2: a node cuts a conflicting suffix, but never at or below what it knows to be committed. What a damaged disk
 * lost (R9) is not cut.
 */
public final class CommittedEntriesAreNeverTruncated implements Invariant {

    @Override
    public String name() {
        return "R2 what a node showed as committed is never cut";
    }

    @Override
    public Optional<String> judge(Fact fact, SimLedger before) {
        if (fact instanceof Fact.Cut cut) {
            return findLowEnd(before.disk(cut.at()), cut.lastSn());
        }
        if (fact instanceof Fact.Rebased rebased) {
            return findLowEnd(
                    before.disk(rebased.at()), rebased.base().position().sn());
        }
        if (fact instanceof Fact.Opened opened && opened.completeness() == LogCompleteness.COMPLETE) {
            return findLowEnd(
                    before.disk(opened.node()),
                    opened.base().position().sn() + opened.log().size());
        }
        return Optional.empty();
    }

    private static Optional<String> findLowEnd(Optional<SimLedger.Disk> known, long lastSn) {
        return known.filter(disk -> disk.completeness() == LogCompleteness.COMPLETE && lastSn < disk.shownSn())
                .map(disk -> disk.node() + " showed entry " + disk.shownSn() + " as committed, its log ends at "
                        + lastSn + " now");
    }
}

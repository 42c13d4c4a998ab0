/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.invariant.member;

import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.protocol.AppendedReply;
import io.trefoil.journal.protocol.PromiseReply;
import io.trefoil.journal.sim.history.Fact;
import io.trefoil.journal.sim.history.Invariant;
import io.trefoil.journal.sim.history.LogTree;
import io.trefoil.journal.sim.history.SimLedger;
import java.util.Optional;

/**
 * Rule R9: a node that lost entries to damage counts for nothing until it has again everything that it ever
 * acknowledged, as far as that is committed.
 */
public final class DamagedNodeDoesNotVote implements Invariant {

    @Override
    public String name() {
        return "R9 a damaged node does not vote";
    }

    @Override
    public Optional<String> judge(Fact fact, SimLedger before) {
        if (!(fact instanceof Fact.Answered answered)) {
            return Optional.empty();
        }
        boolean votes =
                (answered.reply() instanceof PromiseReply promise && promise.completeness() == LogCompleteness.COMPLETE)
                        || (answered.reply() instanceof AppendedReply appended
                                && appended.completeness() == LogCompleteness.COMPLETE);
        return votes ? before.votingDisk(answered).flatMap(disk -> findMissingEntry(disk, before)) : Optional.empty();
    }

    private static Optional<String> findMissingEntry(SimLedger.Disk disk, SimLedger before) {
        long sn = Math.min(disk.ackedSn(), before.committedSn());
        if (sn <= disk.base().position().sn()) {
            return Optional.empty();
        }
        Optional<LogTree.Branch> committed = before.committedAt(sn);
        // A node that a newer writer cut may have held another entry there: then it did not acknowledge this one.
        boolean had = before.wasDurableOn(disk.node(), committed.get());
        boolean has = disk.entryAt(sn).isPresent();
        return had && !has
                ? Optional.of(disk.address() + " says that its log is complete; it acknowledged " + committed.get()
                        + ", which is committed, and its log ends at " + disk.last())
                : Optional.empty();
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.invariant;

import io.trefoil.journal.model.Standing;
import io.trefoil.journal.protocol.AppendedReply;
import io.trefoil.journal.protocol.PromiseReply;
import io.trefoil.journal.sim.Fact;
import io.trefoil.journal.sim.Ledger;
import io.trefoil.journal.sim.LogTree;
import java.util.Optional;

/** Rule R9: a node that lost entries to damage counts for nothing until it has again all that it ever acknowledged, as far as that is committed. */
public final class DamagedNodeDoesNotVote implements Invariant {

    @Override
    public String name() {
        return "R9 a damaged node does not vote";
    }

    @Override
    public Optional<String> judge(Fact fact, Ledger before) {
        if (!(fact instanceof Fact.Answered answered)) {
            return Optional.empty();
        }
        boolean votes = (answered.reply() instanceof PromiseReply promise && promise.standing() == Standing.WHOLE)
                || (answered.reply() instanceof AppendedReply appended && appended.standing() == Standing.WHOLE);
        return votes ? before.voting(answered).flatMap(disk -> lacks(disk, before)) : Optional.empty();
    }

    private static Optional<String> lacks(Ledger.Disk disk, Ledger before) {
        long sn = Math.min(disk.ackedSn(), before.committedSn());
        if (sn <= disk.base().position().sn()) {
            return Optional.empty();
        }
        Optional<LogTree.Branch> committed = before.committed(sn);
        // A node that was cut by a newer writer may hold another entry there: then it was not this one it acknowledged.
        boolean had = before.wasDurableOn(disk.node(), committed.get());
        boolean has = disk.at(sn).isPresent();
        return had && !has
                ? Optional.of(disk.address() + " speaks as whole; it acknowledged " + committed.get()
                        + ", which is committed, and its log ends at " + disk.last())
                : Optional.empty();
    }
}

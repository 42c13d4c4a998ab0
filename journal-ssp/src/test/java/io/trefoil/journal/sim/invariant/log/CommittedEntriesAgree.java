/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.invariant.log;

import io.trefoil.journal.model.Entry;
import io.trefoil.journal.sim.history.Fact;
import io.trefoil.journal.sim.history.Invariant;
import io.trefoil.journal.sim.history.LogTree;
import io.trefoil.journal.sim.history.SimLedger;
import java.util.Optional;

/** Rule R3: two committed entries with the same serial number are the same entry, on all nodes, for ever. */
public final class CommittedEntriesAgree implements Invariant {

    @Override
    public String name() {
        return "R3 committed entries are the same everywhere";
    }

    @Override
    public Optional<String> judge(Fact fact, SimLedger before) {
        if (fact instanceof Fact.Committed commit) {
            return judge(commit, before);
        }
        if (fact instanceof Fact.Shown shown) {
            return before.disk(shown.at())
                    .flatMap(disk -> disk.entryAt(shown.committedSn()))
                    .flatMap(entry -> findDifference(before, entry, shown.at().toString()));
        }
        return Optional.empty();
    }

    private static Optional<String> judge(Fact.Committed commit, SimLedger before) {
        long knownSn = Math.min(commit.sn(), before.committedSn());
        if (knownSn == 0) {
            return Optional.empty();
        }
        Optional<LogTree.Branch> own =
                before.term(commit.epoch()).flatMap(SimLedger.Term::end).flatMap(end -> end.ancestorAt(knownSn));
        return own.isPresent()
                ? findDifference(before, own.get().entry(), commit.writer().toString())
                : Optional.of(
                        commit.writer() + " commits up to " + commit.sn() + " and does not have entry " + knownSn);
    }

    private static Optional<String> findDifference(SimLedger before, Entry entry, String who) {
        return before.committedAt(entry.sn())
                .map(LogTree.Branch::entry)
                .filter(committed -> !committed.equals(entry))
                .map(committed -> committed + " is committed, " + who + " has " + entry + " for it");
    }
}

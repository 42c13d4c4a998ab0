/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.invariant.log;

import io.trefoil.journal.model.Entry;
import io.trefoil.journal.sim.history.Fact;
import io.trefoil.journal.sim.history.Invariant;
import io.trefoil.journal.sim.history.LogTree;
import io.trefoil.journal.sim.history.SimLedger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Rule R4: every entry for which an append returned is in the log of every later writer. */
public final class AckedEntriesAreInLaterLogs implements Invariant {

    @Override
    public String name() {
        return "R4 what was acknowledged is in the log of every later writer";
    }

    @Override
    public Optional<String> judge(Fact fact, SimLedger before) {
        if (fact instanceof Fact.Acked ack) {
            return judge(ack, before);
        }
        return fact instanceof Fact.TermBegan began ? judge(began, before) : Optional.empty();
    }

    private static Optional<String> judge(Fact.Acked ack, SimLedger before) {
        for (SimLedger.Term term : before.terms()) {
            if (term.epoch().isAbove(ack.entry().epoch()) && isMissing(term.end(), ack.entry())) {
                return Optional.of(ack.entry() + " was acknowledged, and is not in the log of epoch " + term.epoch()
                        + ", which began behind " + term.chosenLast());
            }
        }
        return Optional.empty();
    }

    private static Optional<String> judge(Fact.TermBegan began, SimLedger before) {
        List<LogTree.Branch> wanted = new ArrayList<>(before.ackedEntries());
        wanted.removeIf(acked -> !acked.entry().epoch().isBelow(began.epoch()));
        wanted.sort(Comparator.comparingLong(acked -> -acked.entry().sn()));
        // Walks down both side by side: logs are long.
        Optional<LogTree.Branch> branch = before.tree().branchAt(began.chosenLast());
        for (LogTree.Branch acked : wanted) {
            branch = branch.flatMap(end -> end.ancestorAt(acked.entry().sn()));
            if (!branch.equals(Optional.of(acked))) {
                return Optional.of(acked + " was acknowledged, " + began.writer() + " begins epoch " + began.epoch()
                        + " without it, behind " + began.chosenLast());
            }
        }
        return Optional.empty();
    }

    private static boolean isMissing(Optional<LogTree.Branch> end, Entry entry) {
        return !end.flatMap(branch -> branch.ancestorAt(entry.sn()))
                .filter(branch -> branch.entry().equals(entry))
                .isPresent();
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.invariant;

import io.trefoil.journal.sim.Fact;
import io.trefoil.journal.sim.Ledger;
import io.trefoil.journal.sim.LogTree;
import java.util.Optional;

/** Rule R5: after a majority has promised an epoch, nothing of a lower one is committed that its writer does not have. */
public final class LaterWriterHasWhatIsCommitted implements Invariant {

    @Override
    public String name() {
        return "R5 nothing is committed behind the back of a later writer";
    }

    @Override
    public Optional<String> judge(Fact fact, Ledger before) {
        if (fact instanceof Fact.Committed commit) {
            return judge(commit, before);
        }
        return fact instanceof Fact.TermBegan began ? judge(began, before) : Optional.empty();
    }

    private static Optional<String> judge(Fact.Committed commit, Ledger before) {
        Optional<LogTree.Branch> last =
                before.term(commit.epoch()).flatMap(Ledger.Term::end).flatMap(end -> end.at(commit.sn()));
        for (Ledger.Term term : before.terms()) {
            boolean lacks = term.epoch().isAbove(commit.epoch())
                    && !term.end().flatMap(end -> end.at(commit.sn())).equals(last);
            if (lacks) {
                return Optional.of(commit.writer() + " commits " + last + " in epoch " + commit.epoch()
                        + ", the writer of epoch " + term.epoch() + " does not have it, it began behind "
                        + term.chosenLast());
            }
        }
        return Optional.empty();
    }

    private static Optional<String> judge(Fact.TermBegan began, Ledger before) {
        Optional<LogTree.Branch> chosen = before.tree().at(began.chosenLast());
        // Only what was committed below this epoch: a late writer that lacks more is harmless, it will be refused.
        for (long sn = before.committedSn(); sn >= 1; sn--) {
            Optional<LogTree.Branch> committed = before.committed(sn);
            if (before.committedIn(sn).isBelow(began.epoch())) {
                long wanted = sn;
                return chosen.flatMap(branch -> branch.at(wanted)).equals(committed)
                        ? Optional.empty()
                        : Optional.of(committed.get() + " is committed, epoch " + began.epoch()
                                + " begins without it, behind " + began.chosenLast());
            }
        }
        return Optional.empty();
    }
}

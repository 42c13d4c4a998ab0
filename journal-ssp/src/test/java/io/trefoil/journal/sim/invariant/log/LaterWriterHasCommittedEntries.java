/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.invariant.log;

import io.trefoil.journal.sim.history.Fact;
import io.trefoil.journal.sim.history.Invariant;
import io.trefoil.journal.sim.history.LogTree;
import io.trefoil.journal.sim.history.SimLedger;
import java.util.Optional;

/**
 * Rule R5: after a majority has promised an epoch, nothing of a lower epoch is committed that the writer of that epoch
 * lacks.
 *
 * <p>Judged in two ways. First the rule itself, for all terms that exist: this notices a later writer only if one
 * comes. Second its basis, at once: a majority has an entry of the writer's own epoch, there or above. A majority with
 * only entries of older epochs may still be outvoted by a log that ends in an epoch between (Raft's figure 8); in a
 * simulation that takes three writers that die at the right moments, which does not happen within 400 seeds.
 */
public final class LaterWriterHasCommittedEntries implements Invariant {

    @Override
    public String name() {
        return "R5 nothing is committed behind the back of a later writer";
    }

    @Override
    public Optional<String> judge(Fact fact, SimLedger before) {
        if (fact instanceof Fact.Committed commit) {
            Optional<String> wrong = judge(commit, before);
            return wrong.isPresent() ? wrong : findOutvotedCommit(commit, before);
        }
        return fact instanceof Fact.TermBegan began ? judge(began, before) : Optional.empty();
    }

    private static Optional<String> judge(Fact.Committed commit, SimLedger before) {
        Optional<LogTree.Branch> last =
                before.term(commit.epoch()).flatMap(SimLedger.Term::end).flatMap(end -> end.ancestorAt(commit.sn()));
        for (SimLedger.Term term : before.terms()) {
            boolean lacks = term.epoch().isAbove(commit.epoch())
                    && !term.end().flatMap(end -> end.ancestorAt(commit.sn())).equals(last);
            if (lacks) {
                return Optional.of(commit.writer() + " commits " + last + " in epoch " + commit.epoch()
                        + ", the writer of epoch " + term.epoch() + " does not have it, it began behind "
                        + term.chosenLast());
            }
        }
        return Optional.empty();
    }

    private static Optional<String> findOutvotedCommit(Fact.Committed commit, SimLedger before) {
        Optional<LogTree.Branch> branch = before.term(commit.epoch()).flatMap(SimLedger.Term::end);
        while (branch.isPresent()
                && branch.get().entry().sn() >= commit.sn()
                && branch.get().entry().epoch().equals(commit.epoch())) {
            LogTree.Branch own = branch.get();
            long count = commit.members().list().stream()
                    .filter(member -> member.isVoter() && before.wasDurableOn(member.id(), own))
                    .count();
            if (count >= commit.members().majority()) {
                return Optional.empty();
            }
            branch = own.predecessor();
        }
        return Optional.of(
                commit.writer() + " commits up to " + commit.sn() + ", and no majority has an entry of its epoch "
                        + commit.epoch() + " there or above: a log that ends in an epoch between would win");
    }

    private static Optional<String> judge(Fact.TermBegan began, SimLedger before) {
        Optional<LogTree.Branch> chosen = before.tree().branchAt(began.chosenLast());
        // Only what was committed below this epoch: a late writer that lacks more is harmless, because it will be
        // refused.
        for (long sn = before.committedSn(); sn >= 1; sn--) {
            Optional<LogTree.Branch> committed = before.committedAt(sn);
            if (before.committedIn(sn).isBelow(began.epoch())) {
                long expected = sn;
                return chosen.flatMap(branch -> branch.ancestorAt(expected)).equals(committed)
                        ? Optional.empty()
                        : Optional.of(committed.get() + " is committed, epoch " + began.epoch()
                                + " begins without it, behind " + began.chosenLast());
            }
        }
        return Optional.empty();
    }
}

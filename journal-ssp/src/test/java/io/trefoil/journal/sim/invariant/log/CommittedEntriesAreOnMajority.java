/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.invariant.log;

import io.trefoil.journal.sim.history.Fact;
import io.trefoil.journal.sim.history.Invariant;
import io.trefoil.journal.sim.history.LogTree;
import io.trefoil.journal.sim.history.SimLedger;
import java.util.Optional;

/** Protocol page, Writing, step 3: an entry is committed when a majority of the voters has it durably. */
public final class CommittedEntriesAreOnMajority implements Invariant {

    @Override
    public String name() {
        return "C1 committed is what a majority has";
    }

    @Override
    public Optional<String> judge(Fact fact, SimLedger before) {
        if (!(fact instanceof Fact.Committed commit)) {
            return Optional.empty();
        }
        Optional<LogTree.Branch> last =
                before.term(commit.epoch()).flatMap(SimLedger.Term::end).flatMap(end -> end.ancestorAt(commit.sn()));
        if (!last.isPresent() || !last.get().entry().epoch().equals(commit.epoch())) {
            return Optional.of(commit.writer() + " commits " + last + ", which is not of its epoch " + commit.epoch());
        }
        long count = commit.members().list().stream()
                .filter(member -> member.isVoter() && before.wasDurableOn(member.id(), last.get()))
                .count();
        return count < commit.members().majority()
                ? Optional.of(commit.writer() + " commits " + last.get() + ", only " + count + " voters of "
                        + commit.members() + " have it")
                : Optional.empty();
    }
}

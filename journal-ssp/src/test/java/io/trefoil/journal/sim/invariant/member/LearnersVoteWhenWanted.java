/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.invariant.member;

import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.sim.history.Fact;
import io.trefoil.journal.sim.history.Invariant;
import io.trefoil.journal.sim.history.LogTree;
import io.trefoil.journal.sim.history.SimLedger;
import java.util.Optional;

/** Rule R7: a learner becomes a voter only when an operator wants one at its address, never by itself. */
public final class LearnersVoteWhenWanted implements Invariant {

    @Override
    public String name() {
        return "R7 learners vote when that is wanted";
    }

    @Override
    public Optional<String> judge(Fact fact, SimLedger before) {
        if (!(fact instanceof Fact.Remembered remembered) || remembered.entry().kind() != EntryKind.MEMBERS) {
            return Optional.empty();
        }
        Optional<LogTree.Branch> branch =
                before.term(remembered.entry().epoch()).flatMap(SimLedger.Term::end);
        while (branch.isPresent() && branch.get().entry().kind() != EntryKind.MEMBERS) {
            branch = branch.get().before();
        }
        if (!branch.isPresent()) {
            return Optional.empty();
        }
        Members older = Members.fromPayload(branch.get().entry().payload());
        for (Member member : Members.fromPayload(remembered.entry().payload()).list()) {
            boolean receivedOnly = older.find(member.id())
                    .filter(old -> old.role() == Member.Kind.PERMANENT_LEARNER)
                    .isPresent();
            if (receivedOnly
                    && member.role() != Member.Kind.PERMANENT_LEARNER
                    && !before.isVoterWanted(member.address())) {
                return Optional.of(remembered.entry() + ": nobody wanted " + member + ", which was to receive only");
            }
        }
        return Optional.empty();
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.invariant.member;

import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.Retired;
import io.trefoil.journal.sim.history.Fact;
import io.trefoil.journal.sim.history.Invariant;
import io.trefoil.journal.sim.history.LogTree;
import io.trefoil.journal.sim.history.SimLedger;
import java.util.Optional;

/**
 * Rule R7: where an operator removed a node, another is let in only together with becoming a member, in a role that an
 * operator wants there.
 */
public final class RemovedReturnWhenWanted implements Invariant {

    @Override
    public String name() {
        return "R7 removed nodes return when that is wanted";
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
        Members now = Members.fromPayload(remembered.entry().payload());
        for (Retired gone : older.retired()) {
            if (older.isBarred(gone.address()) && !now.isBarred(gone.address())) {
                Optional<Member> member = now.at(gone.address());
                if (!member.isPresent()) {
                    return Optional.of(remembered.entry() + ": a node may return to " + gone.address()
                            + ", and is no member there");
                }
                if (!isWanted(member.get(), older, before)) {
                    return Optional.of(remembered.entry() + ": nobody wanted " + member.get() + " back");
                }
            }
        }
        return Optional.empty();
    }

    private static boolean isWanted(Member member, Members older, SimLedger before) {
        NodeAddress address = member.address();
        boolean keepsItsRole = member.role() == Member.Kind.PERMANENT_LEARNER
                || older.find(member.id()).isPresent();
        return before.isVoterWanted(address) || (keepsItsRole && before.isLearnerWanted(address));
    }
}

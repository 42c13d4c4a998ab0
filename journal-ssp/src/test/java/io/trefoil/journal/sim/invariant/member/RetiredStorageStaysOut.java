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

/** Rule R8: storage that was removed from the members is remembered as such, and never becomes a member again. */
public final class RetiredStorageStaysOut implements Invariant {

    @Override
    public String name() {
        return "R8 retired storage stays out";
    }

    @Override
    public Optional<String> judge(Fact fact, SimLedger before) {
        if (!(fact instanceof Fact.EntryAppended remembered)
                || remembered.entry().kind() != EntryKind.MEMBERS) {
            return Optional.empty();
        }
        Members now = Members.fromPayload(remembered.entry().payload());
        Optional<LogTree.Branch> branch =
                before.term(remembered.entry().epoch()).flatMap(SimLedger.Term::end);
        while (branch.isPresent()) {
            if (branch.get().entry().kind() == EntryKind.MEMBERS) {
                Members older = Members.fromPayload(branch.get().entry().payload());
                Optional<String> wrong = judge(older, now);
                if (wrong.isPresent()) {
                    return Optional.of(remembered.entry() + ": " + wrong.get());
                }
            }
            branch = branch.get().predecessor();
        }
        return Optional.empty();
    }

    private static Optional<String> judge(Members older, Members now) {
        for (Member member : now.list()) {
            if (older.isRetired(member.id())) {
                return Optional.of(member + " had retired, and is a member again");
            }
        }
        for (Member member : older.list()) {
            if (!now.find(member.id()).isPresent() && !now.isRetired(member.id())) {
                return Optional.of(member + " is a member no more and has not retired");
            }
        }
        return Optional.empty();
    }
}

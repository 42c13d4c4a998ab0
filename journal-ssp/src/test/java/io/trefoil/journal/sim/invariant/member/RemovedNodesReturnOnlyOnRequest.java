/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.invariant.member;

import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.RetiredStorage;
import io.trefoil.journal.sim.history.Fact;
import io.trefoil.journal.sim.history.Invariant;
import io.trefoil.journal.sim.history.SimLedger;
import java.util.Optional;

/**
 * Rule R7: where an operator removed a node, another is let in only together with becoming a member, in a role that an
 * operator wants there.
 */
public final class RemovedNodesReturnOnlyOnRequest implements Invariant {

    @Override
    public String name() {
        return "R7 removed nodes return when that is wanted";
    }

    @Override
    public Optional<String> judge(Fact fact, SimLedger before) {
        return before.membersChange(fact)
                .flatMap(change -> findUnwantedMember(change, before))
                .map(wrong -> fact + ": " + wrong);
    }

    private static Optional<String> findUnwantedMember(SimLedger.MembersChange change, SimLedger ledger) {
        Members older = change.before();
        for (RetiredStorage gone : older.retiredStorages()) {
            if (older.isRemovedByOperator(gone.address()) && !change.after().isRemovedByOperator(gone.address())) {
                Optional<Member> member = change.after().findByAddress(gone.address());
                if (!member.isPresent()) {
                    return Optional.of("a node may return to " + gone.address() + ", and is no member there");
                }
                if (!isWanted(member.get(), older, ledger)) {
                    return Optional.of("nobody wanted " + member.get() + " back");
                }
            }
        }
        return Optional.empty();
    }

    private static boolean isWanted(Member member, Members older, SimLedger ledger) {
        NodeAddress address = member.address();
        boolean keepsItsRole = member.role() == Member.Kind.PERMANENT_LEARNER
                || older.find(member.id()).isPresent();
        return ledger.isVoterWanted(address) || (keepsItsRole && ledger.isLearnerWanted(address));
    }
}

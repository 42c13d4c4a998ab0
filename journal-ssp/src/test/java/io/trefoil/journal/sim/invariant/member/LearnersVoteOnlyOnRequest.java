/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.invariant.member;

import io.trefoil.journal.model.Member;
import io.trefoil.journal.sim.history.Fact;
import io.trefoil.journal.sim.history.Invariant;
import io.trefoil.journal.sim.history.SimLedger;
import java.util.Optional;

/** Rule R7: a learner becomes a voter only when an operator wants one at its address, never by itself. */
public final class LearnersVoteOnlyOnRequest implements Invariant {

    @Override
    public String name() {
        return "R7 learners vote when that is wanted";
    }

    @Override
    public Optional<String> judge(Fact fact, SimLedger before) {
        return before.membersChange(fact)
                .flatMap(change -> findUnwantedVoter(change, before))
                .map(wrong -> fact + ": " + wrong);
    }

    private static Optional<String> findUnwantedVoter(SimLedger.MembersChange change, SimLedger ledger) {
        for (Member member : change.after().list()) {
            boolean receivedOnly = change.before()
                    .find(member.id())
                    .filter(old -> old.role() == Member.Kind.PERMANENT_LEARNER)
                    .isPresent();
            if (receivedOnly
                    && member.role() != Member.Kind.PERMANENT_LEARNER
                    && !ledger.isVoterWanted(member.address())) {
                return Optional.of("nobody wanted " + member + ", which was to receive only");
            }
        }
        return Optional.empty();
    }
}

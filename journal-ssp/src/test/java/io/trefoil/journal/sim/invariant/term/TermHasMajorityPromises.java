/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.invariant.term;

import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.sim.history.Fact;
import io.trefoil.journal.sim.history.Invariant;
import io.trefoil.journal.sim.history.LogTree;
import io.trefoil.journal.sim.history.SimLedger;
import java.util.Optional;
import java.util.Set;

/**
 * A term begins with the promises of a majority of the voters of the log that it continues: of exactly those storages,
 * not of what is now at their addresses (rule R8).
 */
public final class TermHasMajorityPromises implements Invariant {

    @Override
    public String name() {
        return "R8 storages promise, not places";
    }

    @Override
    public Optional<String> judge(Fact fact, SimLedger before) {
        if (!(fact instanceof Fact.TermBegan began)) {
            return Optional.empty();
        }
        Optional<LogTree.Branch> branch = before.tree().branchAt(began.chosenLast());
        while (branch.isPresent() && branch.get().entry().kind() != EntryKind.MEMBERS) {
            branch = branch.get().predecessor();
        }
        Members members = branch.map(found -> Members.fromPayload(found.entry().payload()))
                .orElse(Members.NONE);
        Set<NodeId> promisers = before.promisers(began.writer(), began.epoch());
        long voters = members.list().stream()
                .filter(Member::isVoter)
                .filter(member -> promisers.contains(member.id()))
                .count();
        return voters < members.majority()
                ? Optional.of(began.writer() + " begins epoch " + began.epoch() + " with the promises of " + promisers
                        + ", the members are " + members)
                : Optional.empty();
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.invariant.member;

import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.protocol.AppendedReply;
import io.trefoil.journal.protocol.PromiseReply;
import io.trefoil.journal.sim.history.Fact;
import io.trefoil.journal.sim.history.Invariant;
import io.trefoil.journal.sim.history.SimLedger;
import java.util.Optional;

/** Rule R8: a node that lost its storage returns with a new id and never uses the old one. */
public final class NodeIdsAreNeverReused implements Invariant {

    @Override
    public String name() {
        return "R8 a node id stands for one storage";
    }

    @Override
    public Optional<String> judge(Fact fact, SimLedger before) {
        if (fact instanceof Fact.Formatted formatted) {
            return before.disk(formatted.node())
                    .map(disk -> formatted.at() + " was formatted as " + formatted.node() + ", as " + disk.address()
                            + " before");
        }
        if (fact instanceof Fact.EntryAppended remembered && remembered.entry().kind() == EntryKind.MEMBERS) {
            return findWrongStorage(Members.fromPayload(remembered.entry().payload()), before);
        }
        if (fact instanceof Fact.Answered answered && isVote(answered)) {
            return before.votingDisk(answered).isPresent()
                    ? Optional.empty()
                    : Optional.of(answered.at() + " answers as somebody else: " + answered.reply());
        }
        return Optional.empty();
    }

    private static Optional<String> findWrongStorage(Members members, SimLedger before) {
        for (Member member : members.list()) {
            boolean exists = before.disk(member.id())
                    .filter(disk -> disk.address().equals(member.address()))
                    .isPresent();
            if (!exists) {
                return Optional.of(member + " is made a member; there is no such storage");
            }
        }
        return Optional.empty();
    }

    private static boolean isVote(Fact.Answered answered) {
        return answered.reply() instanceof PromiseReply || answered.reply() instanceof AppendedReply;
    }
}

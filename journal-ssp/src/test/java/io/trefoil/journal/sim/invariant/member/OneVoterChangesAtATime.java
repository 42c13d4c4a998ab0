/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.invariant.member;

import io.trefoil.journal.model.Entry;
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
import java.util.TreeSet;

/** Rule R7: members change by one voter at a time, and only after the start of the term and the change before are committed. */
public final class OneVoterChangesAtATime implements Invariant {

    @Override
    public String name() {
        return "R7 one voter changes at a time";
    }

    @Override
    public Optional<String> judge(Fact fact, SimLedger before) {
        if (!(fact instanceof Fact.EntryAppended remembered)
                || remembered.entry().kind() != EntryKind.MEMBERS) {
            return Optional.empty();
        }
        Entry entry = remembered.entry();
        Set<NodeId> changed = new TreeSet<>(votersOf(entry));
        boolean startIsCommitted = false;
        Optional<LogTree.Branch> branch = before.term(entry.epoch()).flatMap(SimLedger.Term::end);
        while (branch.isPresent() && branch.get().entry().kind() != EntryKind.MEMBERS) {
            startIsCommitted |= isCommittedStart(branch.get().entry(), remembered);
            branch = branch.get().predecessor();
        }
        if (!branch.isPresent()) {
            return Optional.empty();
        }
        Entry last = branch.get().entry();
        boolean lastIsCommitted = last.sn() <= remembered.committedSn();
        boolean ownBefore = last.epoch().equals(entry.epoch());
        if (!lastIsCommitted || !(ownBefore || startIsCommitted)) {
            return Optional.of(entry + " changes the members while only " + remembered.committedSn()
                    + " is committed; the last change is " + last);
        }
        Set<NodeId> old = votersOf(last);
        Set<NodeId> same = new TreeSet<>(old);
        same.retainAll(changed);
        changed.addAll(old);
        changed.removeAll(same);
        return changed.size() > 1 ? Optional.of(entry + " changes more than one voter: " + changed) : Optional.empty();
    }

    private static boolean isCommittedStart(Entry entry, Fact.EntryAppended remembered) {
        return entry.kind() == EntryKind.EPOCH_START
                && entry.epoch().equals(remembered.entry().epoch())
                && entry.sn() <= remembered.committedSn();
    }

    private static Set<NodeId> votersOf(Entry entry) {
        Set<NodeId> voters = new TreeSet<>();
        for (Member member : Members.fromPayload(entry.payload()).list()) {
            if (member.isVoter()) {
                voters.add(member.id());
            }
        }
        return voters;
    }
}

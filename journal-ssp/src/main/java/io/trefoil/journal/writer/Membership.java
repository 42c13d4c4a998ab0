/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer;

import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.RetiredStorage;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.protocol.FormatRequest;
import io.trefoil.journal.protocol.RetireRequest;
import io.trefoil.journal.writer.peer.Peer;
import io.trefoil.journal.writer.peer.Quorum;
import java.util.Collections;
import java.util.Optional;

/**
 * Changes the members (rules R7 and R8; paper §4.2.3, backup nodes added at run time). An accepted empty node is given
 * storage, is caught up, becomes a learner, and a voter one entry later. A node that returns without its storage replaces
 * its old self in the same way. A node that an operator added as a permanent learner stays one until an operator wants it
 * to vote. One voter changes at a time, only after the term's first entry and the previous change are committed, and only
 * if a majority of the resulting voters is in sync: a change that could not be committed at once is not begun.
 */
final class Membership {

    private Membership() {}

    static void onTick(WriterStep step) {
        MembershipRequestHandler.onTick(step);
        for (Peer peer : step.state().peers()) {
            formatNode(step, peer);
        }
        Optional<Members> changed = nextMembers(step.state());
        if (changed.isPresent()) {
            write(step, changed.get());
        }
    }

    /** Appends the members that are in force from here on. */
    static void write(WriterStep step, Members newMembers) {
        Entry entry = step.append(EntryKind.MEMBERS, TxRange.NONE, newMembers.toPayload());
        step.replaceState(step.state().toBuilder().membersSn(entry.sn()).build());
        Replication.sendToInSync(step);
    }

    /**
     * Gives storage to an empty node. Retired storage is of use only to an operator, so the node first moves it aside.
     */
    private static void formatNode(WriterStep step, Peer peer) {
        if (peer.formatted() && !peer.retired()) {
            return;
        }
        WriterState state = step.state();
        boolean due = !peer.lastSentNanos().isPresent()
                || step.hasElapsedMoreThan(
                        peer.lastSentNanos().get(), state.settings().ackTimeoutMillis());
        boolean wanted = peer.connected() && mayJoin(state, peer.address());
        if (!wanted || !due || !canChange(state)) {
            return;
        }
        NodeId node = peer.node().get();
        if (peer.retired() && peer.formatted()) {
            step.replacePeer(withSentNow(step, peer));
            step.send(
                    peer.address(),
                    RetireRequest.of(state.epoch(), node)
                            .withIncarnation(state.end().incarnation()));
        } else if (!peer.formatted()
                && !peer.retired()
                && !state.members().find(node).isPresent()) {
            step.replacePeer(withSentNow(step, peer));
            step.send(
                    peer.address(),
                    FormatRequest.of(
                            state.settings().namespace(),
                            node,
                            LogSummary.ORIGIN.with(state.end().incarnation()),
                            Collections.<Entry>emptyList(),
                            false));
        }
    }

    private static Peer withSentNow(WriterStep step, Peer peer) {
        return peer.toBuilder().lastSentNanos(Optional.of(step.nowNanos())).build();
    }

    /**
     * Whether nodes at an address may join: a member has that address, the writer's settings name it, or it was requested.
     * Where an operator removed one, only while an operator requests another: an abandoned request must leave nothing
     * behind by which the node could join later, in a role that no operator wanted.
     */
    private static boolean mayJoin(WriterState state, NodeAddress address) {
        return isOpenForJoins(state, address)
                && (state.members().findByAddress(address).isPresent()
                        || state.settings().addresses().contains(address)
                        || state.pendingChanges().isMemberRequested(address));
    }

    /** Whether nodes may join at an address: no operator has barred it, or one now wants a member there. */
    private static boolean isOpenForJoins(WriterState state, NodeAddress address) {
        return !state.members().isRemovedByOperator(address)
                || state.pendingChanges().isVoterRequested(address)
                || state.pendingChanges().isLearnerRequested(address);
    }

    private static Optional<Members> nextMembers(WriterState state) {
        if (!canChange(state)) {
            return Optional.empty();
        }
        Optional<Members> requested =
                MembershipRequestHandler.nextMembers(state).filter(members -> isSafe(state, members));
        if (requested.isPresent()) {
            return requested;
        }
        for (Peer peer : state.peers()) {
            Optional<Members> changed = nextMembers(state, peer).filter(members -> isSafe(state, members));
            if (changed.isPresent()) {
                return changed;
            }
        }
        return Optional.empty();
    }

    private static Optional<Members> nextMembers(WriterState state, Peer peer) {
        if (!peer.isInSync()) {
            return Optional.empty();
        }
        Members members = state.members();
        NodeId node = peer.node().get();
        Optional<Member> member = members.find(node);
        if (!member.isPresent()) {
            return mayJoin(state, peer.address()) ? membersWithLearner(state, peer) : Optional.<Members>empty();
        }
        if (!member.get().address().equals(peer.address())) {
            return membersWithNewAddress(state, peer, member.get());
        }
        Optional<Member> next = nextRole(state, peer, member.get());
        return next.isPresent() ? Optional.of(members.with(next.get())) : Optional.<Members>empty();
    }

    /** The member in its next role; empty if its role stays the same. */
    private static Optional<Member> nextRole(WriterState state, Peer peer, Member member) {
        boolean votesByItself = member.role() == Member.Kind.LEARNER;
        if (votesByItself && state.pendingChanges().isLearnerRequested(member.address())) {
            return Optional.of(Member.permanentLearner(member.id(), member.address()));
        }
        boolean mayVote =
                votesByItself || (!member.isVoter() && state.pendingChanges().isVoterRequested(member.address()));
        return mayVote && peer.matchedSn() >= state.committedSn()
                ? Optional.of(Member.voter(member.id(), member.address()))
                : Optional.<Member>empty();
    }

    /**
     * The members with a new learner; a former member at this address has lost its storage, since otherwise it would answer itself. One
     * entry readmits the address and makes the learner, so that neither is ever without the other.
     */
    private static Optional<Members> membersWithLearner(WriterState state, Peer peer) {
        Members members = state.members().withReadmittedAddress(peer.address());
        Optional<Member> before = members.findByAddress(peer.address());
        boolean neverVotes = state.pendingChanges().isLearnerRequested(peer.address())
                || before.filter(Membership::isPermanentLearner).isPresent();
        Member learner = Member.of(
                peer.node().get(), peer.address(), neverVotes ? Member.Kind.PERMANENT_LEARNER : Member.Kind.LEARNER);
        if (!before.isPresent()) {
            return members.canAddMember() ? Optional.of(members.with(learner)) : Optional.<Members>empty();
        }
        boolean movedAway = state.peers()
                .findByNode(before.get().id())
                .filter(Peer::connected)
                .isPresent();
        return movedAway
                ? Optional.<Members>empty()
                : Optional.of(members.without(before.get().id(), RetiredStorage.Cause.REPLACED)
                        .with(learner));
    }

    static boolean isPermanentLearner(Member member) {
        return member.role() == Member.Kind.PERMANENT_LEARNER;
    }

    /** The members with a new address for storage that has moved, if it no longer answers at its old one. */
    private static Optional<Members> membersWithNewAddress(WriterState state, Peer peer, Member member) {
        Members members = state.members();
        Peer before = state.peers().findByAddress(member.address());
        boolean stillThere = before.connected() && before.node().equals(peer.node());
        boolean taken = members.findByAddress(peer.address()).isPresent() || !isOpenForJoins(state, peer.address());
        return stillThere || taken
                ? Optional.<Members>empty()
                : Optional.of(members.withReadmittedAddress(peer.address())
                        .with(Member.of(member.id(), peer.address(), member.role())));
    }

    /** Whether a membership change may begin. */
    static boolean canChange(WriterState state) {
        return state.committedSn() >= state.termFirstSn() && state.committedSn() >= state.membersSn();
    }

    /** Whether these members could commit at once. */
    static boolean isSafe(WriterState state, Members members) {
        return inSyncVoters(state, members) >= members.majority();
    }

    static int inSyncVoters(WriterState state, Members members) {
        return Quorum.inSyncVoters(members, state.peers(), state.termFirstSn());
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer;

import io.trefoil.journal.model.ChangeProgress;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.MemberChange;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.RetiredStorage;
import io.trefoil.journal.protocol.CollectChangesRequest;
import io.trefoil.journal.writer.events.WriterEffect;
import io.trefoil.journal.writer.peer.Peer;
import io.trefoil.journal.writer.peer.Peers;
import java.util.List;
import java.util.Optional;

/**
 * Handles the membership changes that operators, and nodes that are not yet members, request. They send requests to any
 * node, and the writer collects them from the nodes, because it may be in a process without a port of its own. The
 * progress of a request follows from the state alone, so repeated requests, and those that the previous writer began,
 * need no memory.
 */
final class MembershipRequestHandler {

    /** The interval at which nodes are asked for requests while an operator is waiting for one. */
    private static final long ASK_MILLIS = 100;

    private MembershipRequestHandler() {}

    static void onTick(WriterStep step) {
        WriterState state = step.state();
        PendingChanges pendingChanges = state.pendingChanges().withoutExpired(step.nowNanos());
        for (MemberChange change : pendingChanges.list()) {
            pendingChanges = pendingChanges.with(progress(step, change));
        }
        long everyMillis = pendingChanges.isEmpty() ? state.settings().heartbeatMillis() : ASK_MILLIS;
        if (step.hasElapsedMoreThan(pendingChanges.requestedNanos(), everyMillis)) {
            pendingChanges = pendingChanges.withRequestTime(step.nowNanos());
            requestChanges(step, pendingChanges.progress());
        }
        step.replaceState(state.toBuilder().pendingChanges(pendingChanges).build());
    }

    private static void requestChanges(WriterStep step, List<ChangeProgress> progress) {
        WriterState state = step.state();
        for (Peer peer : state.peers()) {
            if (peer.isServed() && state.members().find(peer.node().get()).isPresent()) {
                step.send(peer.address(), CollectChangesRequest.of(state.epoch(), progress));
            }
        }
    }

    /** A node reports that these changes were requested from it. */
    static void recordReported(WriterStep step, List<MemberChange> changes) {
        for (MemberChange change : changes) {
            ChangeProgress progress = progress(step, change);
            WriterState state = step.state();
            step.replaceState(state.toBuilder()
                    .pendingChanges(state.pendingChanges().withReported(change, progress, step.nowNanos()))
                    .build());
            if (!progress.isFinished() && change.joiningAddress().isPresent()) {
                prepareJoin(step, change, change.joiningAddress().get());
            }
        }
    }

    /** Prepares a join; a node that joins at its own request may have any id, except that of a member on another host (rule R12). */
    private static void prepareJoin(WriterStep step, MemberChange change, NodeAddress address) {
        Peers peers = step.state().peers();
        boolean invited = change.kind() != MemberChange.Kind.JOIN;
        if (!peers.contains(address)) {
            step.replacePeer(Peer.unknown(address).toBuilder().invited(invited).build());
            step.add(WriterEffect.meet(address));
        } else if (invited) {
            step.replacePeer(
                    peers.findByAddress(address).toBuilder().invited(true).build());
        }
    }

    /** The members after the next requested change; empty if no change is requested, or all must wait. */
    static Optional<Members> nextMembers(WriterState state) {
        for (MemberChange change : state.pendingChanges().openChanges()) {
            if (!refusalReason(state, change).isPresent()) {
                Optional<Members> next = nextMembers(state, change);
                if (next.isPresent()) {
                    return next;
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<Members> nextMembers(WriterState state, MemberChange change) {
        Members members = state.members();
        if (!change.leavingNode().isPresent()
                || !members.find(change.leavingNode().get()).isPresent()) {
            return Optional.empty();
        }
        NodeId leavingNode = change.leavingNode().get();
        boolean mayLeave = !change.joiningAddress().isPresent()
                || hasSuccessor(state, leavingNode, change.joiningAddress().get());
        return mayLeave
                ? Optional.of(members.without(leavingNode, RetiredStorage.Cause.REMOVED))
                : Optional.<Members>empty();
    }

    /**
     * Whether the joining node has caught up enough for the leaving one to be removed. A leaving node that works goes only once the
     * other votes, so that there are never fewer working voters. One that does not work goes first: with both in the list,
     * a majority would need more of the other nodes.
     */
    private static boolean hasSuccessor(WriterState state, NodeId leavingNode, NodeAddress joiningNode) {
        Optional<Member> successor = state.members().findByAddress(joiningNode);
        boolean inSync = successor
                .flatMap(member -> state.peers().findByNode(member.id()))
                .filter(Peer::isInSync)
                .isPresent();
        boolean leavingWorks =
                state.peers().findByNode(leavingNode).filter(Peer::isInSync).isPresent();
        return inSync && (successor.get().isVoter() || !leavingWorks);
    }

    private static ChangeProgress progress(WriterStep step, MemberChange change) {
        WriterState state = step.state();
        Optional<String> refusal = refusalReason(state, change);
        if (!refusal.isPresent()) {
            refusal = unsafeReason(step, change);
        }
        if (refusal.isPresent()) {
            return ChangeProgress.of(change.ticket(), ChangeProgress.Stage.REFUSED, refusal.get());
        }
        if (!Membership.canChange(state)) {
            return inProgress(change, "waits until a majority has what was written before");
        }
        if (change.joiningAddress().isPresent()
                && !isMemberAt(state, change, change.joiningAddress().get())) {
            return inProgress(
                    change, waitReason(state, change, change.joiningAddress().get()));
        }
        if (change.leavingNode().isPresent()
                && state.members().find(change.leavingNode().get()).isPresent()) {
            Members after = state.members().without(change.leavingNode().get(), RetiredStorage.Cause.REMOVED);
            return inProgress(change, "waits until voters are in sync without it: " + voterCountText(state, after));
        }
        return ChangeProgress.of(
                change.ticket(),
                ChangeProgress.Stage.DONE,
                "the members are " + state.members().list());
    }

    private static ChangeProgress inProgress(MemberChange change, String text) {
        return ChangeProgress.of(change.ticket(), ChangeProgress.Stage.UNDER_WAY, text);
    }

    /** Whether a node is a member in the requested role; a node that joins at its own request may also be a permanent learner. */
    private static boolean isMemberAt(WriterState state, MemberChange change, NodeAddress address) {
        boolean mayLearn = change.kind() == MemberChange.Kind.JOIN || change.kind() == MemberChange.Kind.ADD_LEARNER;
        Optional<Member> member = state.members().findByAddress(address);
        Peer peer = state.peers().findByAddress(address);
        // A member that lost its storage is about to be replaced.
        boolean another = peer.connected()
                && member.isPresent()
                && !peer.node().equals(Optional.of(member.get().id()));
        boolean hasRole = member.filter(one -> one.isVoter() || (mayLearn && Membership.isPermanentLearner(one)))
                .isPresent();
        return hasRole && !another;
    }

    private static String waitReason(WriterState state, MemberChange change, NodeAddress address) {
        Peer peer = state.peers().findByAddress(address);
        if (!peer.connected()) {
            return "the writer waits for a session with " + address;
        }
        if (peer.retired()) {
            return "the storage at " + address + " was a member once; it is moved aside (in the process of "
                    + "a NameNode: once that was bootstrapped)";
        }
        if (!peer.formatted()) {
            return address + " is given storage";
        }
        if (!peer.isInSync()) {
            return address + " is being caught up, it has entry " + peer.matchedSn() + " of " + state.lastSn();
        }
        return address + " is in sync and becomes "
                + (change.kind() == MemberChange.Kind.ADD_LEARNER ? "a learner" : "a voter");
    }

    /** Returns why a change is refused in the current state; empty if it is not. */
    private static Optional<String> refusalReason(WriterState state, MemberChange change) {
        Optional<String> reason = Optional.empty();
        if (change.joiningAddress().isPresent()) {
            reason = joinRefusalReason(state, change, change.joiningAddress().get());
        }
        if (!reason.isPresent() && change.leavingNode().isPresent()) {
            reason = leaveRefusalReason(state, change, change.leavingNode().get());
        }
        return reason;
    }

    private static Optional<String> joinRefusalReason(WriterState state, MemberChange change, NodeAddress address) {
        if (change.kind() == MemberChange.Kind.JOIN && state.members().isRemovedByOperator(address)) {
            return Optional.of(address + " was removed by an operator; 'journal add " + address + "' adds it again");
        }
        if (!state.members().findByAddress(address).isPresent()
                && !state.members().canAddMember()) {
            return Optional.of("the journal has " + Members.MAX_COUNT + " members, the most that one can have");
        }
        if (change.kind() == MemberChange.Kind.ADD_LEARNER
                && state.members()
                        .findByAddress(address)
                        .filter(Member::isVoter)
                        .isPresent()) {
            return Optional.of(address + " is a voter; remove it, then add it as a learner");
        }
        Peer peer = state.peers().findByAddress(address);
        Optional<Member> same = peer.node().flatMap(node -> state.members().find(node));
        if (change.kind() == MemberChange.Kind.JOIN && peer.connected() && peer.misplaced()) {
            return Optional.of(address + " says that it is the member at "
                    + same.get().address() + "; if that storage was moved, 'journal add " + address + "' says so");
        }
        boolean twice = peer.connected()
                && same.isPresent()
                && !same.get().address().equals(address)
                && state.peers().findByAddress(same.get().address()).connected();
        return twice
                ? Optional.of(address + " is the member at " + same.get().address() + ", one node under two addresses")
                : Optional.<String>empty();
    }

    private static Optional<String> leaveRefusalReason(WriterState state, MemberChange change, NodeId leavingNode) {
        Members members = state.members();
        Optional<Member> member = members.find(leavingNode);
        if (!member.isPresent()) {
            return members.isRetired(leavingNode)
                    ? Optional.<String>empty()
                    : Optional.of("storage " + leavingNode + " is not a member, the members are: " + members.list());
        }
        NodeAddress address = member.get().address();
        if (change.joiningAddress().equals(Optional.of(address))) {
            return Optional.of(address + " cannot take its own place; one that lost its storage does so by itself");
        }
        if (state.settings().localNode().equals(Optional.of(address))) {
            return Optional.of(
                    address + " is in the process of the writer, the active NameNode: make another one active first");
        }
        if (!member.get().isVoter() || change.kind() == MemberChange.Kind.REPLACE) {
            return Optional.empty();
        }
        int left = members.voterCount() - 1;
        if (left == 0) {
            return Optional.of(address + " is the last voter");
        }
        boolean tooFew = left < state.settings().minReplicas() && change.kind() != MemberChange.Kind.FORCED_REMOVE;
        return tooFew
                ? Optional.of("without " + address + " there are " + left + " voters, and a new active waits for "
                        + state.settings().minReplicas()
                        + " (trefoil.journal.replicas.min): add one first, or use force")
                : Optional.<String>empty();
    }

    /** Refuses a removal that would leave no majority in sync, once the writer has had time to hear from all nodes. */
    private static Optional<String> unsafeReason(WriterStep step, MemberChange change) {
        WriterState state = step.state();
        boolean removes = !change.joiningAddress().isPresent();
        boolean heardOfAll = step.hasElapsedMoreThan(
                state.termBeganNanos(), 4 * state.settings().ackTimeoutMillis());
        if (!removes
                || !heardOfAll
                || !Membership.canChange(state)
                || !state.members().find(change.leavingNode().get()).isPresent()) {
            return Optional.empty();
        }
        Members after = state.members().without(change.leavingNode().get(), RetiredStorage.Cause.REMOVED);
        return Membership.isSafe(state, after)
                ? Optional.<String>empty()
                : Optional.of("without it no majority would be in sync: " + voterCountText(state, after)
                        + "; bring one back, or add one, first");
    }

    private static String voterCountText(WriterState state, Members after) {
        return Membership.inSyncVoters(state, after) + " of " + after.voterCount() + " would be, " + after.majority()
                + " are needed";
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer;

import io.trefoil.foundation.Step;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.RetiredStorage;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.protocol.CommitRequest;
import io.trefoil.journal.protocol.FailedReply;
import io.trefoil.journal.protocol.NewEpochRequest;
import io.trefoil.journal.protocol.OtherIncarnationReply;
import io.trefoil.journal.protocol.PromiseReply;
import io.trefoil.journal.writer.events.WriterEffect;
import io.trefoil.journal.writer.events.WriterEvent;
import io.trefoil.journal.writer.events.WriterStage;
import io.trefoil.journal.writer.peer.Peer;
import io.trefoil.journal.writer.peer.Quorum;
import io.trefoil.journal.writer.peer.ReadLeases;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Writers with one rule broken each, to show that the simulator notices. */
public final class WrongWriters {

    private static final long TOO_EARLY_NANOS = 500_000_000;

    private WrongWriters() {}

    /** Counts a longer lease from requests that asked for a shorter one. */
    public static Step<WriterState, WriterEffect> countLongerLeaseAtOnce(
            WriterState state, WriterEvent event, long nowNanos) {
        Step<WriterState, WriterEffect> step = Writer.step(state, event, nowNanos);
        return event instanceof WriterEvent.LeaseWanted
                ? Step.of(step.next().toBuilder().peers(state.peers()).build(), step.effects())
                : step;
    }

    /** Holds for committed what any single voter has. */
    public static Step<WriterState, WriterEffect> commitWithMinority(
            WriterState state, WriterEvent event, long nowNanos) {
        Step<WriterState, WriterEffect> step = Writer.step(state, event, nowNanos);
        WriterState next = step.next();
        long highest = 0;
        for (Peer peer : next.peers()) {
            highest = Math.max(highest, peer.matchedSn());
        }
        return next.isServing() && highest >= next.termFirstSn() ? commitUpTo(step, highest) : step;
    }

    /** Holds for committed what a majority has, of whatever epoch it is (Raft's figure 8). */
    public static Step<WriterState, WriterEffect> countEntriesOfOlderEpochs(
            WriterState state, WriterEvent event, long nowNanos) {
        Step<WriterState, WriterEffect> step = Writer.step(state, event, nowNanos);
        WriterState next = step.next();
        long matchedSn = Quorum.matchedSn(next.members(), next.peers());
        return next.isServing() ? commitUpTo(step, matchedSn) : step;
    }

    /** Commits without those that may be read from. */
    public static Step<WriterState, WriterEffect> ignoreReaders(WriterState state, WriterEvent event, long nowNanos) {
        Step<WriterState, WriterEffect> step = Writer.step(state, event, nowNanos);
        return commitUpTo(step, majoritySn(step.next()));
    }

    /** What a majority has of this term; 0 before the term. */
    private static long majoritySn(WriterState state) {
        long matchedSn = Quorum.matchedSn(state.members(), state.peers());
        return state.isServing() && matchedSn >= state.termFirstSn() ? matchedSn : 0;
    }

    /** Counts leases as over long before they are. */
    public static Step<WriterState, WriterEffect> endLeasesTooEarly(
            WriterState state, WriterEvent event, long nowNanos) {
        Step<WriterState, WriterEffect> step = Writer.step(state, event, nowNanos);
        WriterState next = step.next();
        long readSn = next.readLeases().matchedSn(next.peers(), nowNanos + TOO_EARLY_NANOS);
        return commitUpTo(step, Math.min(majoritySn(next), readSn));
    }

    /** Begins its term as if no node could be read from. */
    public static Step<WriterState, WriterEffect> forgetOlderLeases(
            WriterState state, WriterEvent event, long nowNanos) {
        Step<WriterState, WriterEffect> step = Writer.step(state, event, nowNanos);
        boolean begins = !state.isServing() && step.next().isServing();
        return begins
                ? Step.of(step.next().toBuilder().readLeases(ReadLeases.NONE).build(), step.effects())
                : step;
    }

    /** Tells each node that may be read from what a majority has, whatever the others lack. */
    public static Step<WriterState, WriterEffect> notifyReadersTooEarly(
            WriterState state, WriterEvent event, long nowNanos) {
        Step<WriterState, WriterEffect> step = Writer.step(state, event, nowNanos);
        WriterState next = step.next();
        long matchedSn = majoritySn(next);
        List<WriterEffect> effects = new ArrayList<>(step.effects());
        for (NodeId reader : next.readLeases().nodes()) {
            if (matchedSn > next.committedSn()) {
                next.peers()
                        .findByNode(reader)
                        .ifPresent(peer -> effects.add(WriterEffect.send(
                                peer.address(),
                                CommitRequest.of(next.epoch(), matchedSn)
                                        .withIncarnation(next.end().incarnation()))));
            }
        }
        return Step.of(next, effects);
    }

    /** Commits up to an entry, unless that is committed already. */
    static Step<WriterState, WriterEffect> commitUpTo(Step<WriterState, WriterEffect> step, long sn) {
        if (sn <= step.next().committedSn()) {
            return step;
        }
        List<WriterEffect> effects = new ArrayList<>(step.effects());
        effects.add(WriterEffect.publishCommitted(sn));
        return Step.of(step.next().toBuilder().committedSn(sn).build(), effects);
    }

    /** Now and then takes back a bit of what is committed. */
    public static Step<WriterState, WriterEffect> forgetCommits(WriterState state, WriterEvent event, long nowNanos) {
        Step<WriterState, WriterEffect> step = Writer.step(state, event, nowNanos);
        WriterState next = step.next();
        boolean forgets = next.stage() == WriterStage.WRITING && next.committedSn() % 7 == 6;
        return forgets
                ? Step.of(next.toBuilder().committedSn(next.committedSn() - 3).build(), step.effects())
                : step;
    }

    /** Asks for promises as soon as it has a session, whichever writer has the lease. */
    public static Step<WriterState, WriterEffect> requestBeforeTermIsWanted(
            WriterState state, WriterEvent event, long nowNanos) {
        Step<WriterState, WriterEffect> step = Writer.step(state, event, nowNanos);
        WriterState next = step.next();
        List<WriterEffect> effects = new ArrayList<>(step.effects());
        for (Peer peer : next.peers()) {
            if (next.stage() == WriterStage.MEETING && peer.connected()) {
                effects.add(WriterEffect.send(
                        peer.address(),
                        NewEpochRequest.of(
                                next.highestSeen().next(),
                                next.settings().writer(),
                                next.settings().leaseMillis())));
            }
        }
        return Step.of(next, effects);
    }

    /** Makes two voters at once, and does not wait for anything. */
    public static Step<WriterState, WriterEffect> changeTwoVotersAtOnce(
            WriterState state, WriterEvent event, long nowNanos) {
        Step<WriterState, WriterEffect> step = Writer.step(state, event, nowNanos);
        if (!isItsTurn(step.next())) {
            return step;
        }
        Members members = step.next().members();
        for (int i = 1; i <= 2; i++) {
            String name = "nobody" + step.next().lastSn() + i;
            members = members.with(Member.voter(NodeId.of(name), NodeAddress.of(name, 1)));
        }
        return changeMembers(step, members, nowNanos);
    }

    /** Changes the members while the change before is still on its way. */
    public static Step<WriterState, WriterEffect> changeMembersTooEarly(
            WriterState state, WriterEvent event, long nowNanos) {
        Step<WriterState, WriterEffect> step = Writer.step(state, event, nowNanos);
        if (!isItsTurn(step.next())) {
            return step;
        }
        WriterStep added = new WriterStep(step.next(), nowNanos);
        for (int i = 1; i <= 2; i++) {
            String name = "nobody" + added.state().lastSn();
            Members members = added.state().members().with(Member.learner(NodeId.of(name), NodeAddress.of(name, 1)));
            added.append(EntryKind.MEMBERS, TxRange.NONE, members.toPayload());
        }
        return join(step, added);
    }

    private static Step<WriterState, WriterEffect> join(Step<WriterState, WriterEffect> step, WriterStep added) {
        Replication.sendToInSync(added);
        Step<WriterState, WriterEffect> more = added.toStep();
        List<WriterEffect> effects = new ArrayList<>(step.effects());
        effects.addAll(more.effects());
        return Step.of(more.next(), effects);
    }

    /** Makes storage that retired a member again. */
    public static Step<WriterState, WriterEffect> readmitRetiredStorage(
            WriterState state, WriterEvent event, long nowNanos) {
        Step<WriterState, WriterEffect> step = Writer.step(state, event, nowNanos);
        Members members = step.next().members();
        if (step.next().stage() != WriterStage.WRITING
                || members.retiredStorages().isEmpty()) {
            return step;
        }
        RetiredStorage first = members.retiredStorages().get(0);
        Member again = Member.learner(first.id(), NodeAddress.of(first.id().text(), 1));
        return changeMembers(step, Members.of(members.list()).with(again), nowNanos);
    }

    /** Makes a voter of a node that only receives. */
    public static Step<WriterState, WriterEffect> letEveryLearnerVote(
            WriterState state, WriterEvent event, long nowNanos) {
        Step<WriterState, WriterEffect> step = Writer.step(state, event, nowNanos);
        if (!isSettled(step.next())) {
            return step;
        }
        for (Member member : step.next().members().list()) {
            if (Membership.isPermanentLearner(member)) {
                Members members = step.next().members().with(Member.voter(member.id(), member.address()));
                return changeMembers(step, members, nowNanos);
            }
        }
        return step;
    }

    /** Lets nodes return as soon as an operator wants them to, whatever becomes of that. */
    public static Step<WriterState, WriterEffect> readmitBeforeJoin(
            WriterState state, WriterEvent event, long nowNanos) {
        Step<WriterState, WriterEffect> step = Writer.step(state, event, nowNanos);
        WriterState next = step.next();
        return barredAddresses(next)
                .filter(address -> next.pendingChanges().isMemberRequested(address))
                .map(address -> next.members().withReadmittedAddress(address))
                .findFirst()
                .map(members -> changeMembers(step, members, nowNanos))
                .orElse(step);
    }

    /** Makes learners where an operator removed nodes. */
    public static Step<WriterState, WriterEffect> addRemovedNodes(WriterState state, WriterEvent event, long nowNanos) {
        Step<WriterState, WriterEffect> step = Writer.step(state, event, nowNanos);
        WriterState next = step.next();
        return barredAddresses(next)
                .map(address -> next.members()
                        .withReadmittedAddress(address)
                        .with(Member.learner(NodeId.of("nobody" + next.lastSn()), address)))
                .findFirst()
                .map(members -> changeMembers(step, members, nowNanos))
                .orElse(step);
    }

    /** Where an operator removed nodes; nowhere while a change of the members is on its way. */
    private static Stream<NodeAddress> barredAddresses(WriterState state) {
        return isSettled(state)
                ? state.members().retiredStorages().stream()
                        .map(RetiredStorage::address)
                        .filter(state.members()::isRemovedByOperator)
                : Stream.empty();
    }

    private static boolean isSettled(WriterState state) {
        return state.stage() == WriterStage.WRITING && Membership.canChange(state);
    }

    private static Step<WriterState, WriterEffect> changeMembers(
            Step<WriterState, WriterEffect> step, Members members, long nowNanos) {
        WriterStep added = new WriterStep(step.next(), nowNanos);
        added.append(EntryKind.MEMBERS, TxRange.NONE, members.toPayload());
        return join(step, added);
    }

    /** Drops members without a trace. */
    public static Step<WriterState, WriterEffect> forgetRetiredMembers(
            WriterState state, WriterEvent event, long nowNanos) {
        Step<WriterState, WriterEffect> step = Writer.step(state, event, nowNanos);
        if (!isItsTurn(step.next())) {
            return step;
        }
        Members members = step.next().members();
        List<Member> fewer = members.list().subList(1, members.list().size());
        return changeMembers(step, Members.of(fewer, members.retiredStorages()), nowNanos);
    }

    /** Now and then, so that there is something to get wrong again. */
    private static boolean isItsTurn(WriterState state) {
        return state.stage() == WriterStage.WRITING && state.lastSn() % 11 == 10;
    }

    /** Counts the promise of whatever sits at a member's place as that member's. */
    public static Step<WriterState, WriterEffect> identifyNodesByAddress(
            WriterState state, WriterEvent event, long nowNanos) {
        return Writer.step(state, changeNode(event), nowNanos);
    }

    /** Leaves out a transaction now and then. */
    public static Step<WriterState, WriterEffect> skipTransaction(WriterState state, WriterEvent event, long nowNanos) {
        boolean skips = state.stage() == WriterStage.WRITING && state.lastSn() % 9 == 8;
        return Writer.step(state, skips ? shiftTransactions(event) : event, nowNanos);
    }

    /** Takes a node that holds another beginning of the journal for one that only failed. */
    public static Step<WriterState, WriterEffect> waitForReinitializedNodes(
            WriterState state, WriterEvent event, long nowNanos) {
        return Writer.step(state, hideIncarnation(event), nowNanos);
    }

    /** An event that does not say which beginning of the journal a node holds. */
    private static WriterEvent hideIncarnation(WriterEvent event) {
        return event instanceof WriterEvent.Replied replied && replied.reply() instanceof OtherIncarnationReply other
                ? WriterEvent.replied(
                        replied.address(),
                        FailedReply.of(other.node(), "another incarnation"),
                        replied.sentNanos(),
                        replied.leaseMillis())
                : event;
    }

    /** An event with the edits one transaction later. */
    private static WriterEvent shiftTransactions(WriterEvent event) {
        if (!(event instanceof WriterEvent.AppendRequested asked) || asked.kind() != EntryKind.EDITS) {
            return event;
        }
        TxRange later = TxRange.of(asked.txIds().first() + 1, asked.txIds().last() + 1);
        return WriterEvent.appendRequested(asked.kind(), later, asked.payload());
    }

    /** A promise under the name of the member that its log says to be at this place. */
    private static WriterEvent changeNode(WriterEvent event) {
        if (!(event instanceof WriterEvent.Replied replied) || !(replied.reply() instanceof PromiseReply promise)) {
            return event;
        }
        NodeId node = promise.end()
                .members()
                .findByAddress(replied.address())
                .map(Member::id)
                .orElse(promise.node());
        return WriterEvent.replied(
                replied.address(),
                PromiseReply.of(
                        node,
                        promise.epoch(),
                        promise.end(),
                        promise.committedSn(),
                        promise.knownCommitted(),
                        promise.firstTxId(),
                        promise.completeness()),
                replied.sentNanos(),
                replied.leaseMillis());
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer;

import io.trefoil.foundation.Step;
import io.trefoil.journal.model.Barriers;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.Promise;
import io.trefoil.journal.model.RetiredStorage;
import io.trefoil.journal.writer.events.WriterEffect;
import io.trefoil.journal.writer.events.WriterEvent;
import io.trefoil.journal.writer.events.WriterStage;
import io.trefoil.journal.writer.peer.Peer;
import io.trefoil.journal.writer.peer.Peers;
import io.trefoil.journal.writer.peer.Quorum;
import java.util.Optional;

/** Writers that change the members wrongly, or count those that are none, for the explorer to find. */
public final class WrongChanges {

    private WrongChanges() {}

    /** Makes the successor of a lost disk a voter by the entry that drops the lost one. */
    public static Step<WriterState, WriterEffect> replaceVotersInOneStep(
            WriterState state, WriterEvent event, long nowNanos) {
        boolean looks = event instanceof WriterEvent.Ticked
                && state.stage() == WriterStage.WRITING
                && Membership.canChange(state);
        for (Peer peer : state.peers()) {
            Optional<Member> before = state.members().findByAddress(peer.address());
            if (looks && peer.isInSync() && before.isPresent()) {
                NodeId node = peer.node().get();
                if (!state.members().find(node).isPresent()) {
                    WriterStep step = new WriterStep(state, nowNanos);
                    Membership.write(
                            step,
                            state.members()
                                    .without(before.get().id(), RetiredStorage.Cause.REPLACED)
                                    .with(Member.voter(node, peer.address())));
                    return step.toStep();
                }
            }
        }
        return Writer.step(state, event, nowNanos);
    }

    /** Begins a change of the members while the one before is on its way. */
    public static Step<WriterState, WriterEffect> changeAgainImmediately(
            WriterState state, WriterEvent event, long nowNanos) {
        boolean looks = event instanceof WriterEvent.Ticked;
        return Writer.step(looks ? state.toBuilder().membersSn(0).build() : state, event, nowNanos);
    }

    /** Holds itself for the only writer as long as any one node would. */
    public static Step<WriterState, WriterEffect> trustSingleLease(
            WriterState state, WriterEvent event, long nowNanos) {
        Step<WriterState, WriterEffect> step = Writer.step(state, event, nowNanos);
        WriterState next = step.next();
        Optional<Long> newest = Optional.empty();
        for (Peer peer : next.peers()) {
            Optional<Long> from = peer.leaseFromNanos();
            newest = from.isPresent() && (!newest.isPresent() || from.get() > newest.get()) ? from : newest;
        }
        Peers peers = next.peers();
        for (Peer peer : next.peers()) {
            peers = peers.with(peer.toBuilder().leaseFromNanos(newest).build());
        }
        return Step.of(next.toBuilder().peers(peers).build(), step.effects());
    }

    /** Holds itself for the only writer for as long as nodes would, so that no time is left for clocks that run at different rates. */
    public static Step<WriterState, WriterEffect> trustClocks(WriterState state, WriterEvent event, long nowNanos) {
        Step<WriterState, WriterEffect> step = Writer.step(state, event, nowNanos);
        if (!(event instanceof WriterEvent.Replied replied)) {
            return step;
        }
        Peers peers = step.next().peers();
        Peer peer = peers.findByAddress(replied.address());
        if (peer.leaseFromNanos()
                .equals(state.peers().findByAddress(replied.address()).leaseFromNanos())) {
            return step;
        }
        long marginNanos = (Promise.ALONE_MILLIS - state.settings().soleWriterMillis()) * WriterState.NANOS_PER_MILLI;
        Peers wrong = peers.with(peer.toBuilder()
                .leaseFromNanos(peer.leaseFromNanos().map(from -> from + marginNanos))
                .build());
        return Step.of(step.next().toBuilder().peers(wrong).build(), step.effects());
    }

    /** Goes on to keep what barriers of a line keep that became void. */
    public static Step<WriterState, WriterEffect> keepBarriersOfVoidTimelines(
            WriterState state, WriterEvent event, long nowNanos) {
        Step<WriterState, WriterEffect> step = Writer.step(state, event, nowNanos);
        boolean isVoid = event instanceof WriterEvent.AppendRequested asked && asked.kind() == EntryKind.DISCARD;
        LogSummary end = step.next().end().with(state.end().barriers());
        return isVoid ? Step.of(step.next().toBuilder().end(end).build(), step.effects()) : step;
    }

    /** Forgets what it let the nodes purge, and promises to keep it. */
    public static Step<WriterState, WriterEffect> forgetPurges(WriterState state, WriterEvent event, long nowNanos) {
        Step<WriterState, WriterEffect> step = Writer.step(state, event, nowNanos);
        return Step.of(step.next().toBuilder().purgedBelow(0).build(), step.effects());
    }

    /** Lets the nodes purge whatever its user asks for. */
    public static Step<WriterState, WriterEffect> ignoreBarriers(WriterState state, WriterEvent event, long nowNanos) {
        if (!(event instanceof WriterEvent.PurgeRequested)) {
            return Writer.step(state, event, nowNanos);
        }
        WriterState without = state.toBuilder()
                .end(state.end().with(Barriers.NONE))
                .releasedSn(0)
                .build();
        Step<WriterState, WriterEffect> step = Writer.step(without, event, nowNanos);
        return Step.of(
                step.next().toBuilder()
                        .end(state.end())
                        .releasedSn(state.releasedSn())
                        .build(),
                step.effects());
    }

    /** Lets the nodes purge what a barrier keeps as soon as its release is written. */
    public static Step<WriterState, WriterEffect> purgeBeforeReleasesCommit(
            WriterState state, WriterEvent event, long nowNanos) {
        Step<WriterState, WriterEffect> step = Writer.step(state, event, nowNanos);
        return Step.of(step.next().toBuilder().releasedSn(0).build(), step.effects());
    }

    /** Commits what as many members have as are a majority of the voters. */
    public static Step<WriterState, WriterEffect> countLearners(WriterState state, WriterEvent event, long nowNanos) {
        Step<WriterState, WriterEffect> step = Writer.step(state, event, nowNanos);
        WriterState next = step.next();
        Members all = next.members();
        for (Member member : next.members().list()) {
            all = all.with(Member.voter(member.id(), member.address()));
        }
        long matchedSn = Quorum.matchedSn(all, next.peers());
        boolean commits = next.isServing() && matchedSn >= next.termFirstSn();
        return commits ? WrongWriters.commitUpTo(step, matchedSn) : step;
    }
}

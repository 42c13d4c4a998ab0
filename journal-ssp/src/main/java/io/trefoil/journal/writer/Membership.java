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
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.protocol.FormatRequest;
import java.util.Collections;
import java.util.Optional;

/**
 * How nodes join (rule R7; paper §4.2.3, backup nodes added at run time): an empty node at one of the addresses is given
 * storage, is caught up as a learner, and becomes a voter when it is in sync. One change at a time, only after the
 * term's first entry and the change before are committed.
 */
final class Membership {

    private Membership() {}

    static void ticked(Turn turn) {
        for (Peer peer : turn.state().peers()) {
            adopt(turn, peer);
        }
        Optional<Members> changed = next(turn.state());
        if (changed.isPresent()) {
            Entry entry =
                    turn.append(EntryKind.MEMBERS, TxRange.NONE, changed.get().toPayload());
            turn.become(turn.state().toBuilder().membersSn(entry.sn()).build());
            Replicating.push(turn);
        }
    }

    /** Gives storage to an empty node that takes the place of nobody. */
    private static void adopt(Turn turn, Peer peer) {
        WriterState state = turn.state();
        boolean empty = peer.up()
                && !peer.formatted()
                && peer.node().isPresent()
                && !state.members().at(peer.address()).isPresent()
                && !state.members().find(peer.node().get()).isPresent();
        boolean due = !peer.lastSentNanos().isPresent()
                || turn.isPast(peer.lastSentNanos().get(), state.settings().ackTimeoutMillis());
        if (empty && due && isSettled(state)) {
            turn.become(
                    peer.toBuilder().lastSentNanos(Optional.of(turn.nowNanos())).build());
            turn.send(
                    peer.address(),
                    FormatRequest.of(
                            state.settings().namespace(),
                            peer.node().get(),
                            LogSummary.ORIGIN,
                            Collections.<Entry>emptyList(),
                            false));
        }
    }

    private static Optional<Members> next(WriterState state) {
        if (!isSettled(state)) {
            return Optional.empty();
        }
        Members members = state.members();
        for (Peer peer : state.peers()) {
            boolean joins = peer.isInSync() && peer.node().isPresent();
            if (!joins) {
                continue;
            }
            NodeId node = peer.node().get();
            NodeAddress address = peer.address();
            Optional<Member> member = members.find(node);
            if (!member.isPresent() && !members.at(address).isPresent()) {
                return Optional.of(members.with(Member.learner(node, address)));
            }
            if (member.isPresent() && !member.get().isVoter() && peer.matchedSn() >= state.committedSn()) {
                return Optional.of(members.with(Member.voter(node, address)));
            }
        }
        return Optional.empty();
    }

    /** Whether a change may begin. */
    private static boolean isSettled(WriterState state) {
        return state.committedSn() >= state.termFirstSn() && state.committedSn() >= state.membersSn();
    }
}

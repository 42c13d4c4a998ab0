/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer;

import io.trefoil.foundation.Step;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.writer.events.WriterEffect;
import io.trefoil.journal.writer.peer.Peer;
import io.trefoil.journal.writer.peer.Peers;
import java.util.ArrayList;
import java.util.List;

/** A step of a writer while it is being computed: the state so far, the effects so far, and the time. Lives for one step only. */
final class WriterStep {

    private final long nowNanos;
    private final List<WriterEffect> effects = new ArrayList<>();
    private final Peers before;
    private WriterState state;

    WriterStep(WriterState state, long nowNanos) {
        this.before = state.peers();
        this.state = state;
        this.nowNanos = nowNanos;
    }

    WriterState state() {
        return state;
    }

    long nowNanos() {
        return nowNanos;
    }

    void become(WriterState next) {
        state = next;
    }

    void become(Peer peer) {
        state = state.with(peer);
    }

    void add(WriterEffect effect) {
        effects.add(effect);
    }

    void send(NodeAddress to, PoolRequest request) {
        effects.add(WriterEffect.send(to, request));
    }

    /** Whether more than {@code millis} have passed since {@code sinceNanos}. */
    boolean isPast(long sinceNanos, long millis) {
        return nowNanos - sinceNanos > millis * WriterState.NANOS_PER_MILLI;
    }

    /** Appends an entry of this term to the log. */
    Entry append(EntryKind kind, TxRange txIds, Bytes payload) {
        LogPosition position = LogPosition.of(state.epoch(), state.lastSn() + 1);
        Entry entry = Entry.of(position, kind, txIds, payload);
        long firstSn = state.window().firstSn();
        state = state.endingWith(entry, nowNanos);
        if (kind == EntryKind.MEMBERS) {
            // In force from here on (rule R7).
            state = state.toBuilder()
                    .peers(state.peers().among(state.members()))
                    .build();
        }
        effects.add(WriterEffect.remember(entry));
        if (state.window().firstSn() != firstSn) {
            effects.add(WriterEffect.forget(state.window().firstSn()));
        }
        return entry;
    }

    Step<WriterState, WriterEffect> end() {
        for (Peer peer : state.peers()) {
            if (peer.misplaced() && !before.now(peer).misplaced()) {
                effects.add(WriterEffect.reportImpostor(
                        peer.address(), state.members().find(peer.node().get()).get()));
            }
        }
        return Step.of(state, effects);
    }
}

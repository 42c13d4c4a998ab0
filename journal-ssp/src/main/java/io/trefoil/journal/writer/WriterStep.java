/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer;

import io.trefoil.foundation.Step;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.writer.events.WriterEffect;
import io.trefoil.journal.writer.peer.MemoryWindow;
import io.trefoil.journal.writer.peer.Peer;
import io.trefoil.journal.writer.peer.Peers;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A step of a writer while it is being computed: the next state so far, the effects so far, and the time. Lives for one step only.
 *
 * <p>A batch changes several things in one step. Rules on its way read and change {@link #next}, so that one state is built at the end.
 * All others look at {@link #state}, which is built anew after each change.
 */
final class WriterStep {

    private final long nowNanos;
    private final List<WriterEffect> effects = new ArrayList<>();
    private final Peers before;
    private WriterState.Builder next;
    /** The state that {@link #next} built; empty if it may have changed since. */
    private Optional<WriterState> built;

    WriterStep(WriterState state, long nowNanos) {
        this.before = state.peers();
        this.next = state.toBuilder();
        this.built = Optional.of(state);
        this.nowNanos = nowNanos;
    }

    /** The next state so far. It does not change any longer. */
    WriterState state() {
        if (!built.isPresent()) {
            built = Optional.of(next.build());
        }
        return built.get();
    }

    /** The next state so far, to be read and changed. What was read before a change may be different after it. */
    WriterState.Builder next() {
        built = Optional.empty();
        return next;
    }

    long nowNanos() {
        return nowNanos;
    }

    void replaceState(WriterState state) {
        next = state.toBuilder();
        built = Optional.of(state);
    }

    void replacePeer(Peer peer) {
        WriterState.Builder changed = next();
        changed.peers(changed.peers().with(peer, changed.members()));
    }

    void add(WriterEffect effect) {
        effects.add(effect);
    }

    void send(NodeAddress to, PoolRequest request) {
        effects.add(WriterEffect.send(to, request));
    }

    /** Whether more than {@code millis} have passed since {@code sinceNanos}. */
    boolean hasElapsedMoreThan(long sinceNanos, long millis) {
        return nowNanos - sinceNanos > millis * WriterState.NANOS_PER_MILLI;
    }

    /** Appends an entry of this term to the log; transactions that a barrier kept stay until its release is committed (rule R10). */
    Entry append(EntryKind kind, TxRange txIds, Bytes payload) {
        LogSummary end = next.end();
        Entry entry = Entry.of(LogPosition.of(next.epoch(), end.position().sn() + 1), kind, txIds, payload);
        LogSummary longer = end.plus(entry);
        if (longer.barriers().keepFrom() > end.barriers().keepFrom()) {
            long keptFrom = state().purgeableBelow(Long.MAX_VALUE);
            next().releasedSn(entry.sn()).releasedKeepFrom(keptFrom);
        }
        MemoryWindow window = next.window();
        MemoryWindow grown = window.plus(payload.size(), next.settings().windowBytes(), next.committedSn());
        next().end(longer).window(grown).catchUpBudget(next.catchUpBudget().withAppended(payload.size(), nowNanos));
        if (kind == EntryKind.MEMBERS) {
            // In force from here on (rule R7).
            next().peers(next.peers().withMembers(longer.members()));
        }
        effects.add(WriterEffect.remember(entry));
        if (grown.firstSn() != window.firstSn()) {
            effects.add(WriterEffect.forget(grown.firstSn()));
        }
        return entry;
    }

    Step<WriterState, WriterEffect> toStep() {
        for (Peer peer : next.peers()) {
            if (peer.misplaced() && !before.current(peer).misplaced()) {
                effects.add(WriterEffect.reportImpostor(
                        peer.address(), next.members().find(peer.node().get()).get()));
            }
        }
        return Step.of(state(), effects);
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move.explore;

import io.trefoil.federation.move.rules.MoveEffect;
import io.trefoil.federation.move.rules.MoveEvent;
import io.trefoil.federation.move.rules.MoveState;
import java.util.ArrayList;
import java.util.List;

/** A process that runs a move: the state of its rules, what it has yet to do, and what it remembers. */
final class Mover extends Value {

    MoveState state;
    List<MoveEffect> effects = List.of();
    List<MoveEvent> events = List.of();
    /** How many calls of the first effect are done. */
    int calls;

    /** Whether its present call has left when it had the lock, and may arrive late. */
    boolean isSent;

    /** Whether what its present call refers to is still what it was when the call left. */
    boolean isCurrent;

    WrittenMove record;
    /** The number of the target's directory that it works in. */
    int staged;

    /** The tree that the source was seen with last, and that the target was made like. */
    int seen;

    int copied;
    int fenced;
    boolean hasFrozen;
    boolean hasDraft;
    /** The length of the table for which it has planned a version. */
    int planned;

    /** Whether the file that it is to delete is still the one that it has seen. */
    boolean hasVictim;

    Mover copy() {
        Mover copy = new Mover();
        copy.state = state;
        copy.effects = effects;
        copy.events = events;
        copy.calls = calls;
        copy.isSent = isSent;
        copy.isCurrent = isCurrent;
        copy.record = record;
        copy.staged = staged;
        copy.seen = seen;
        copy.copied = copied;
        copy.fenced = fenced;
        copy.hasFrozen = hasFrozen;
        copy.hasDraft = hasDraft;
        copy.planned = planned;
        copy.hasVictim = hasVictim;
        return copy;
    }

    @Override
    List<Object> components() {
        return List.of(
                state, effects, events, calls, isSent, isCurrent, record, staged, seen, copied, fenced, hasFrozen,
                hasDraft, planned, hasVictim);
    }

    void answer(MoveEvent event) {
        List<MoveEvent> all = new ArrayList<>(events);
        all.add(event);
        events = List.copyOf(all);
    }
}

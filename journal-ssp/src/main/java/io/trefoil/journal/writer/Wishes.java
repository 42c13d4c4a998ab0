/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer;

import io.trefoil.journal.model.ChangeProgress;
import io.trefoil.journal.model.MemberChange;
import io.trefoil.journal.model.NodeAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The changes of the members that somebody wants, as a writer knows them. Who wants something asks for it again and
 * again; what is not asked for any more is dropped, so that nothing is done hours after it was given up. What is done is
 * over, though it may still be asked for: it must not be done again when the next operator has changed his mind.
 * Immutable; times are by the writer's monotonic clock, in nanoseconds.
 */
final class Wishes {

    /** A node passes a change on for as long as this after it was asked; and then it is over. */
    private static final long WANTED_NANOS = 3_000_000_000L;

    /** More than any operator has; a flood of others costs no more than this. */
    private static final int MAX_WISHES = 100;

    private final Map<String, Wish> byTicket;
    private final long askedNanos;

    private Wishes(Map<String, Wish> byTicket, long askedNanos) {
        this.byTicket = byTicket;
        this.askedNanos = askedNanos;
    }

    static Wishes none(long nowNanos) {
        return new Wishes(Collections.<String, Wish>emptyMap(), nowNanos);
    }

    /** When nodes were last asked for changes. */
    long askedNanos() {
        return askedNanos;
    }

    Wishes askedAt(long nowNanos) {
        return new Wishes(byTicket, nowNanos);
    }

    /** In the order in which they were first heard. */
    List<MemberChange> list() {
        List<MemberChange> changes = new ArrayList<>();
        byTicket.values().forEach(wish -> changes.add(wish.change));
        return changes;
    }

    /** Those of them that are not done. */
    List<MemberChange> open() {
        List<MemberChange> changes = new ArrayList<>();
        for (Wish wish : byTicket.values()) {
            if (!wish.isDone()) {
                changes.add(wish.change);
            }
        }
        return changes;
    }

    boolean isEmpty() {
        return byTicket.isEmpty();
    }

    /** Whether somebody wants a member at an address. */
    boolean isWanted(NodeAddress address) {
        return isWanted(address, EnumSet.allOf(MemberChange.Kind.class));
    }

    /** Whether an operator wants a voter at an address. */
    boolean isVoterWanted(NodeAddress address) {
        return isWanted(address, EnumSet.of(MemberChange.Kind.ADD, MemberChange.Kind.REPLACE));
    }

    /** Whether an operator wants a member at an address that never votes. */
    boolean isLearnerWanted(NodeAddress address) {
        return isWanted(address, EnumSet.of(MemberChange.Kind.ADD_LEARNER));
    }

    private boolean isWanted(NodeAddress address, Set<MemberChange.Kind> kinds) {
        for (Wish wish : byTicket.values()) {
            if (wish.change.joining().equals(Optional.of(address))
                    && kinds.contains(wish.change.kind())
                    && !wish.progress.isOver()) {
                return true;
            }
        }
        return false;
    }

    Wishes heard(MemberChange change, ChangeProgress progress, long nowNanos) {
        if (byTicket.size() >= MAX_WISHES && !byTicket.containsKey(change.ticket())) {
            return this;
        }
        Map<String, Wish> next = new LinkedHashMap<>(byTicket);
        Wish old = next.get(change.ticket());
        boolean done = old != null && old.isDone();
        next.put(change.ticket(), new Wish(change, done ? old.progress : progress, nowNanos));
        return new Wishes(next, askedNanos);
    }

    Wishes with(ChangeProgress progress) {
        Map<String, Wish> next = new LinkedHashMap<>(byTicket);
        Wish old = next.get(progress.ticket());
        if (old.isDone()) {
            return this;
        }
        next.put(progress.ticket(), new Wish(old.change, progress, old.heardNanos));
        return new Wishes(next, askedNanos);
    }

    Wishes withoutOld(long nowNanos) {
        Map<String, Wish> next = new LinkedHashMap<>();
        byTicket.forEach((ticket, wish) -> {
            if (nowNanos - wish.heardNanos < WANTED_NANOS) {
                next.put(ticket, wish);
            }
        });
        return next.size() == byTicket.size() ? this : new Wishes(next, askedNanos);
    }

    /** What became of each so far. */
    List<ChangeProgress> progress() {
        List<ChangeProgress> progress = new ArrayList<>();
        byTicket.values().forEach(wish -> progress.add(wish.progress));
        return progress;
    }

    @Override
    public String toString() {
        return progress().toString();
    }

    private static final class Wish {
        private final MemberChange change;
        private final ChangeProgress progress;
        private final long heardNanos;

        Wish(MemberChange change, ChangeProgress progress, long heardNanos) {
            this.change = change;
            this.progress = progress;
            this.heardNanos = heardNanos;
        }

        boolean isDone() {
            return progress.stage() == ChangeProgress.Stage.DONE;
        }
    }
}

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
 * The requested membership changes, as a writer knows them. A request is repeated as long as it matters; one that is no
 * longer repeated is dropped, so that nothing is done hours after it was given up. A change that is done is over, even if
 * its request is still repeated: it must not be done again after another operator has decided otherwise. Immutable; times
 * are by the writer's monotonic clock, in nanoseconds.
 */
final class PendingChanges {

    /** How long a change is kept after a node last passed it on; a node passes one on for 10 s after its last request. */
    private static final long WANTED_NANOS = 3_000_000_000L;

    /** The limit of pending changes: more than operators ever request, so that a flood of other requests costs little. */
    private static final int MAX_PENDING = 100;

    private final Map<String, PendingChange> byTicket;
    private final long askedNanos;

    private PendingChanges(Map<String, PendingChange> byTicket, long askedNanos) {
        this.byTicket = byTicket;
        this.askedNanos = askedNanos;
    }

    static PendingChanges empty(long nowNanos) {
        return new PendingChanges(Collections.<String, PendingChange>emptyMap(), nowNanos);
    }

    /** The time at which nodes were last asked for changes. */
    long requestedNanos() {
        return askedNanos;
    }

    PendingChanges withRequestTime(long nowNanos) {
        return new PendingChanges(byTicket, nowNanos);
    }

    /** The changes in the order in which they first arrived. */
    List<MemberChange> list() {
        List<MemberChange> changes = new ArrayList<>();
        byTicket.values().forEach(pending -> changes.add(pending.change));
        return changes;
    }

    /** The changes that are not done. */
    List<MemberChange> openChanges() {
        List<MemberChange> changes = new ArrayList<>();
        for (PendingChange pending : byTicket.values()) {
            if (!pending.isDone()) {
                changes.add(pending.change);
            }
        }
        return changes;
    }

    boolean isEmpty() {
        return byTicket.isEmpty();
    }

    /** Whether a pending change would make an address a member. */
    boolean isMemberRequested(NodeAddress address) {
        return isMemberRequested(address, EnumSet.allOf(MemberChange.Kind.class));
    }

    /** Whether an operator wants a voter at an address. */
    boolean isVoterRequested(NodeAddress address) {
        return isMemberRequested(address, EnumSet.of(MemberChange.Kind.ADD, MemberChange.Kind.REPLACE));
    }

    /** Whether an operator wants a member that never votes at an address. */
    boolean isLearnerRequested(NodeAddress address) {
        return isMemberRequested(address, EnumSet.of(MemberChange.Kind.ADD_LEARNER));
    }

    private boolean isMemberRequested(NodeAddress address, Set<MemberChange.Kind> kinds) {
        for (PendingChange pending : byTicket.values()) {
            if (pending.change.joiningAddress().equals(Optional.of(address))
                    && kinds.contains(pending.change.kind())
                    && !pending.progress.isFinished()) {
                return true;
            }
        }
        return false;
    }

    PendingChanges withReported(MemberChange change, ChangeProgress progress, long nowNanos) {
        if (byTicket.size() >= MAX_PENDING && !byTicket.containsKey(change.ticket())) {
            return this;
        }
        Map<String, PendingChange> next = new LinkedHashMap<>(byTicket);
        PendingChange old = next.get(change.ticket());
        boolean done = old != null && old.isDone();
        next.put(change.ticket(), new PendingChange(change, done ? old.progress : progress, nowNanos));
        return new PendingChanges(next, askedNanos);
    }

    PendingChanges with(ChangeProgress progress) {
        Map<String, PendingChange> next = new LinkedHashMap<>(byTicket);
        PendingChange old = next.get(progress.ticket());
        if (old.isDone()) {
            return this;
        }
        next.put(progress.ticket(), new PendingChange(old.change, progress, old.heardNanos));
        return new PendingChanges(next, askedNanos);
    }

    PendingChanges withoutExpired(long nowNanos) {
        Map<String, PendingChange> next = new LinkedHashMap<>();
        byTicket.forEach((ticket, pending) -> {
            if (nowNanos - pending.heardNanos < WANTED_NANOS) {
                next.put(ticket, pending);
            }
        });
        return next.size() == byTicket.size() ? this : new PendingChanges(next, askedNanos);
    }

    /** The progress of each change. */
    List<ChangeProgress> progress() {
        List<ChangeProgress> progress = new ArrayList<>();
        byTicket.values().forEach(pending -> progress.add(pending.progress));
        return progress;
    }

    @Override
    public String toString() {
        return progress().toString();
    }

    private static final class PendingChange {
        private final MemberChange change;
        private final ChangeProgress progress;
        private final long heardNanos;

        PendingChange(MemberChange change, ChangeProgress progress, long heardNanos) {
            this.change = change;
            this.progress = progress;
            this.heardNanos = heardNanos;
        }

        boolean isDone() {
            return progress.stage() == ChangeProgress.Stage.DONE;
        }
    }
}

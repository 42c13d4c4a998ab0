/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.explore;

import io.trefoil.checkpoint.coordinator.CheckpointOutcome;
import io.trefoil.checkpoint.coordinator.CoordinatorState;
import io.trefoil.checkpoint.model.Agreement;
import io.trefoil.checkpoint.model.Cut;
import io.trefoil.checkpoint.model.Grant;
import io.trefoil.checkpoint.model.Manifest;
import io.trefoil.checkpoint.participant.ParticipantState;
import io.trefoil.foundation.explore.WorldBounds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A state of the explored federation. Immutable.
 *
 * @param sentPackets the messages that may arrive, each at any time, or never
 * @param client what the client has done that writes an effect after its cause
 * @param left how often what may still happen
 */
record CheckpointState(
        Lead lead, List<Group> groups, List<Packet> sentPackets, Client client, WorldBounds left, String broken) {

    /** The coordinator. That it has crashed makes no difference: it may do nothing more at any time. */
    record Lead(CoordinatorState state, Optional<CheckpointOutcome.Kind> outcome, Map<Integer, Integer> asked) {
        Lead withQueryPlace(int group, int index) {
            Map<Integer, Integer> all = new HashMap<>(asked);
            all.put(group, index);
            return new Lead(state, outcome, Map.copyOf(all));
        }
    }

    /** Where the client is; {@code first} is the nameservice of the cause. */
    record Client(int written, int first) {}

    /** An order to a place, or an answer from a nameservice. */
    sealed interface Packet {
        record Freeze(int group, int place) implements Packet {}

        record MakeCut(int group, int place, Grant grant, Agreement agreement) implements Packet {}

        record Abandon(int group, int place) implements Packet {}

        record Frozen(int group, Grant grant) implements Packet {}

        record CutDone(int group, Cut cut) implements Packet {}

        record Abandoned(int group) implements Packet {}

        record Refused(int group) implements Packet {}
    }

    /** An entry of a journal. */
    sealed interface Entry {
        record Write(String content) implements Entry {}

        record Barrier(Manifest manifest) implements Entry {}

        record NoBarrier() implements Entry {}
    }

    /** The state of the wait for a namesystem's lock. */
    enum Lock {
        FREE,
        WAITING,
        GIVEN_UP,
        HELD
    }

    /**
     * A process of a NameNode that was active once.
     *
     * @param isCutting whether it ends its segment
     * @param isMarking whether it commits its barrier
     * @param isRemoving whether it removes the barrier
     */
    record NodeProcess(ParticipantState state, Lock lock, boolean isCutting, boolean isMarking, boolean isRemoving) {
        NodeProcess withState(ParticipantState next) {
            return new NodeProcess(next, lock, isCutting, isMarking, isRemoving);
        }

        NodeProcess withLock(Lock now) {
            return new NodeProcess(state, now, isCutting, isMarking, isRemoving);
        }

        NodeProcess withCutting(boolean now) {
            return new NodeProcess(state, lock, now, isMarking, isRemoving);
        }

        NodeProcess withMarking(boolean now) {
            return new NodeProcess(state, lock, isCutting, now, isRemoving);
        }

        NodeProcess withRemoving(boolean now) {
            return new NodeProcess(state, lock, isCutting, isMarking, now);
        }
    }

    /**
     * A nameservice.
     *
     * @param log what the active has written
     * @param committed how much of that is
     * @param active whose process is active
     */
    record Group(List<Entry> log, int committed, int active, int runs, List<Optional<NodeProcess>> places) {
        Group withProcess(int index, Optional<NodeProcess> process) {
            List<Optional<NodeProcess>> all = new ArrayList<>(places);
            all.set(index, process);
            return new Group(log, committed, active, runs, List.copyOf(all));
        }

        Group withEntry(Entry entry) {
            List<Entry> all = new ArrayList<>(log);
            all.add(entry);
            return new Group(List.copyOf(all), committed, active, runs, places);
        }

        Group withNextCommitted() {
            return new Group(log, log.size(), active, runs, places);
        }

        /** A new process is active, and has what is committed and a part of what was not. */
        Group withActive(int index, int recovered, NodeProcess process) {
            return new Group(List.copyOf(log.subList(0, recovered)), recovered, index, runs + 1, places)
                    .withProcess(index, Optional.of(process));
        }

        /** The barrier that is committed. */
        Optional<Manifest> committedBarrier() {
            Optional<Manifest> found = Optional.empty();
            for (Entry entry : log.subList(0, committed)) {
                if (entry instanceof Entry.Barrier barrier) {
                    found = Optional.of(barrier.manifest());
                } else if (entry instanceof Entry.NoBarrier) {
                    found = Optional.empty();
                }
            }
            return found;
        }

        boolean hasCommitted(String content) {
            return log.subList(0, committed).contains(new Entry.Write(content));
        }

        /** Whether a checkpoint at the barrier has it. */
        boolean includesAtBarrier(String content) {
            int cut = (int) committedBarrier().orElseThrow().cut().txId();
            return log.subList(0, cut).contains(new Entry.Write(content));
        }
    }

    CheckpointState with(Lead now) {
        return new CheckpointState(now, groups, sentPackets, client, left, broken);
    }

    CheckpointState with(int group, Group now) {
        List<Group> all = new ArrayList<>(groups);
        all.set(group, now);
        return new CheckpointState(lead, List.copyOf(all), sentPackets, client, left, broken);
    }

    CheckpointState withPacket(Packet message) {
        if (sentPackets.contains(message)) {
            return this;
        }
        List<Packet> all = new ArrayList<>(sentPackets);
        all.add(message);
        all.sort(Comparator.comparing(Packet::toString));
        return new CheckpointState(lead, groups, List.copyOf(all), client, left, broken);
    }

    CheckpointState with(Client now) {
        return new CheckpointState(lead, groups, sentPackets, now, left, broken);
    }

    CheckpointState withoutPacket(Packet message) {
        List<Packet> all = new ArrayList<>(sentPackets);
        all.remove(message);
        return new CheckpointState(lead, groups, List.copyOf(all), client, left, broken);
    }

    CheckpointState with(WorldBounds now) {
        return new CheckpointState(lead, groups, sentPackets, client, now, broken);
    }

    CheckpointState withBrokenRule(String rule) {
        return new CheckpointState(lead, groups, sentPackets, client, left, broken.isEmpty() ? rule : broken);
    }
}

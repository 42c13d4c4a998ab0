/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.sim;

import com.fasterxml.jackson.databind.JsonNode;
import io.trefoil.checkpoint.coordinator.CheckpointOutcome;
import io.trefoil.checkpoint.coordinator.CheckpointPlan;
import io.trefoil.checkpoint.coordinator.CoordinatorStage;
import io.trefoil.checkpoint.model.Checkpoint;
import io.trefoil.checkpoint.model.CheckpointId;
import io.trefoil.checkpoint.model.Manifest;
import io.trefoil.checkpoint.sim.SimGroup.Cause;
import io.trefoil.checkpoint.sim.SimGroup.Edit;
import io.trefoil.foundation.SimClock;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;

/** One federation, one seed: checkpoints one after the other, faults for a while, then none. */
final class FederationSimulation {

    static final long FREEZE_MILLIS = 500;
    /** What is done under the lock after the deadline: at most one segment's end that began before. */
    static final long LOCK_WORK_MILLIS = 60;

    private static final long FAULTS_UNTIL = 6_000;
    private static final long HEALED_WITHIN = 5_000;

    final SimClock clock;
    final SimRules rules;
    final List<SimGroup> groups = new ArrayList<>();
    private final long seed;
    private final List<SimCoordinator> coordinators = new ArrayList<>();
    private final Set<CheckpointId> failed = new HashSet<>();
    private final Set<CheckpointId> complete = new HashSet<>();
    private final Set<CheckpointId> examined = new HashSet<>();
    private double loss;
    private double doubling;
    private double lateness;
    private boolean cutOff;
    private boolean healed;
    private long edits;
    private int begun;
    private int unknown;
    private long messages;
    private long bytes;

    FederationSimulation(long seed, SimRules rules) {
        this.seed = seed;
        this.rules = rules;
        this.clock = new SimClock(seed);
        int count = (int) clock.randomBetween(2, 4);
        for (int i = 0; i < count; i++) {
            groups.add(new SimGroup("ns" + (i + 1), this));
        }
        boolean calm = clock.chance(0.2);
        loss = calm ? 0 : 0.03;
        doubling = calm ? 0 : 0.15;
        lateness = calm ? 0 : 0.05;
    }

    /** Nothing goes wrong in this one. */
    static FederationSimulation withoutFaults(int nameservices) {
        FederationSimulation calm = new FederationSimulation(1, SimRules.REAL);
        while (calm.groups.size() > nameservices) {
            calm.groups.remove(calm.groups.size() - 1);
        }
        while (calm.groups.size() < nameservices) {
            calm.groups.add(new SimGroup("ns" + (calm.groups.size() + 1), calm));
        }
        calm.loss = 0;
        calm.doubling = 0;
        calm.lateness = 0;
        return calm;
    }

    /** What is sent for one checkpoint; the bytes are those of the documents, which calls wrap. */
    record Traffic(long messages, long bytes) {}

    /** What a checkpoint takes that completes. Some fail: a lock is held for too long somewhere. */
    Traffic trafficOfOneCheckpoint() {
        for (int i = 0; i < 3; i++) {
            clock.schedule(i, this::write);
        }
        do {
            clock.runUntil(clock.millis() + HEALED_WITHIN);
            messages = 0;
            bytes = 0;
            begin();
            clock.runUntil(clock.millis() + HEALED_WITHIN);
            check(begun < 1_000, "a checkpoint completes");
        } while (complete.isEmpty());
        return new Traffic(messages, bytes);
    }

    /** Counts a document of a message, once, however often it arrives. */
    void countDocument(JsonNode document) {
        bytes += document.toString().getBytes(StandardCharsets.UTF_8).length;
    }

    void run() {
        for (int i = 0; i < 3; i++) {
            clock.schedule(i, this::write);
        }
        clock.schedule(200, this::create);
        clock.schedule(100, this::injectFault);
        clock.schedule(20, this::checkInvariants);
        clock.runUntil(FAULTS_UNTIL);
        healed = true;
        loss = 0;
        lateness = 0;
        doubling = 0;
        cutOff = false;
        clock.runUntil(FAULTS_UNTIL + HEALED_WITHIN / 2);
        int before = complete.size();
        clock.runUntil(FAULTS_UNTIL + HEALED_WITHIN);
        check(complete.size() > before, "after everything is healed checkpoints complete");
    }

    boolean isHealed() {
        return healed;
    }

    int completeCount() {
        return complete.size();
    }

    int failedCount() {
        return failed.size();
    }

    int unknownCount() {
        return unknown;
    }

    void check(boolean condition, String rule) {
        if (!condition) {
            throw new AssertionError("seed " + seed + ", at " + clock.millis() + " ms: not true that " + rule);
        }
    }

    SimGroup group(String name) {
        return groups.stream()
                .filter(group -> group.name.equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** Brings a message, or not, or twice. */
    void deliver(Runnable message) {
        messages++;
        if (cutOff || clock.chance(loss)) {
            return;
        }
        int copies = clock.chance(doubling) ? 2 : 1;
        for (int i = 0; i < copies; i++) {
            clock.schedule(clock.randomBetween(0, i > 0 || clock.chance(lateness) ? 900 : 8), message);
        }
    }

    // Clients.

    /** Writes a cause, and when that is acknowledged its effect in another group. */
    private void write() {
        write(groups.get(clock.random.nextInt(groups.size())), Optional.empty());
    }

    private void write(SimGroup group, Optional<Cause> cause) {
        Edit edit = new Edit(++edits, cause);
        AtomicBoolean settled = new AtomicBoolean();
        boolean taken = group.active
                .filter(nameNode -> nameNode.write(
                        edit,
                        () -> clock.schedule(clock.randomBetween(0, 3), () -> {
                            if (settled.getAndSet(true)) {
                                return;
                            }
                            if (cause.isEmpty()) {
                                write(otherGroup(group), Optional.of(new Cause(group, edit)));
                            } else {
                                write();
                            }
                        })))
                .isPresent();
        if (!taken) {
            clock.schedule(5, () -> write(group, cause));
        } else {
            clock.schedule(400, () -> {
                // A crash swallowed it.
                if (!settled.getAndSet(true)) {
                    write();
                }
            });
        }
    }

    private SimGroup otherGroup(SimGroup group) {
        List<SimGroup> others = new ArrayList<>(groups);
        others.remove(group);
        return others.get(clock.random.nextInt(others.size()));
    }

    // Checkpoints.

    private void create() {
        if (coordinators.stream().noneMatch(SimCoordinator::isRunning) || clock.chance(0.1)) {
            begin();
        }
        clock.schedule(clock.randomBetween(100, 900), this::create);
    }

    private void begin() {
        TreeSet<String> names = new TreeSet<>();
        groups.forEach(group -> names.add(group.name));
        CheckpointPlan plan = CheckpointPlan.builder()
                .id(CheckpointId.of("c" + ++begun, String.format("%08x", clock.random.nextInt())))
                .nameservices(names)
                .timeServer(groups.get(clock.random.nextInt(groups.size())).name)
                .freezeMillis(FREEZE_MILLIS)
                .answerMillis(800)
                .build();
        coordinators.add(new SimCoordinator(plan, this));
    }

    void onFinished(CheckpointOutcome outcome, CheckpointId id) {
        switch (outcome.kind()) {
            case COMPLETE -> {
                complete.add(id);
                check(
                        countedCheckpoints().stream()
                                .anyMatch(one -> one.agreement().id().equals(id)),
                        id + ", complete, counts");
            }
            case FAILED -> failed.add(id);
            case UNKNOWN -> unknown++;
        }
    }

    /** Those that count, by what is committed in the journals and nothing else. */
    private List<Checkpoint> countedCheckpoints() {
        List<Manifest> manifests = new ArrayList<>();
        groups.forEach(group -> manifests.addAll(group.barriers.values()));
        return Checkpoint.assemble(manifests).stream()
                .filter(Checkpoint::isComplete)
                .toList();
    }

    private void checkInvariants() {
        Set<CheckpointId> counting = new HashSet<>();
        for (Checkpoint checkpoint : countedCheckpoints()) {
            CheckpointId id = checkpoint.agreement().id();
            counting.add(id);
            check(!failed.contains(id), id + ", failed, counts nowhere");
            if (examined.add(id)) {
                checkCausality(checkpoint);
            }
        }
        check(counting.containsAll(complete), "what was complete stays");
        clock.schedule(50, this::checkInvariants);
    }

    /** No effect without its cause. */
    private void checkCausality(Checkpoint checkpoint) {
        Set<Long> kept = new HashSet<>();
        groups.forEach(group -> retainedEdits(checkpoint, group).forEach(edit -> kept.add(edit.number())));
        for (SimGroup group : groups) {
            for (Edit edit : retainedEdits(checkpoint, group)) {
                boolean has = edit.cause()
                        .filter(cause -> !kept.contains(cause.edit().number()))
                        .isEmpty();
                check(
                        has,
                        checkpoint.agreement().id() + " has no effect without its cause: " + edit.number() + " in "
                                + group + ", but not " + edit.cause());
            }
        }
    }

    private static List<Edit> retainedEdits(Checkpoint checkpoint, SimGroup group) {
        return group.committed.subList(
                0, (int) checkpoint.manifests().get(group.name).cut().txId());
    }

    // Faults.

    private void injectFault() {
        if (healed) {
            return;
        }
        SimGroup victim = groups.get(clock.random.nextInt(groups.size()));
        Optional<SimCoordinator> leading =
                coordinators.stream().filter(SimCoordinator::isRunning).reduce((one, next) -> next);
        // Most is to be found while something is under way.
        if (leading.filter(one -> one.stage() == CoordinatorStage.CUTTING).isPresent() && clock.chance(0.3)) {
            // All may have their barriers, and no process hears of it until the coordinator has given up.
            partition(clock.randomBetween(2_000, 4_000));
            clock.schedule(4_000, this::injectFault);
        } else if (leading.filter(one -> one.stage() != CoordinatorStage.ASKING_TIME)
                        .isPresent()
                || clock.chance(0.2)) {
            switch (clock.random.nextInt(5)) {
                case 0 -> victim.failOver(true);
                case 1 -> victim.failOver(false);
                case 2 -> leading.ifPresent(SimCoordinator::die);
                case 3 -> partition(clock.randomBetween(20, 2_500));
                default ->
                    victim.active.ifPresent(nameNode -> {
                        nameNode.pause();
                        clock.schedule(clock.randomBetween(20, 900), nameNode::resume);
                    });
            }
            clock.schedule(clock.randomBetween(300, 2_000), this::injectFault);
        } else {
            clock.schedule(clock.randomBetween(5, 60), this::injectFault);
        }
    }

    private void partition(long millis) {
        cutOff = true;
        clock.schedule(millis, () -> cutOff = false);
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.sim;

import io.trefoil.checkpoint.model.CheckpointId;
import io.trefoil.checkpoint.model.Cut;
import io.trefoil.checkpoint.model.FreezeOrder;
import io.trefoil.checkpoint.model.Grant;
import io.trefoil.checkpoint.model.Manifest;
import io.trefoil.checkpoint.participant.ParticipantEffect;
import io.trefoil.checkpoint.participant.ParticipantEffectHandler;
import io.trefoil.checkpoint.participant.ParticipantEvent;
import io.trefoil.checkpoint.participant.ParticipantState;
import io.trefoil.checkpoint.sim.SimGroup.Edit;
import io.trefoil.foundation.SimClock;
import io.trefoil.foundation.Step;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** A NameNode from when it became active: its namespace in memory, its lock, its part in checkpoints. */
final class SimNameNode {

    final SimGroup group;
    final List<Edit> memory;
    private final FederationSimulation world;
    private final SimClock clock;
    private final long epoch;
    private final Map<Long, Consumer<Object>> requests = new HashMap<>();
    private final List<Runnable> whilePaused = new ArrayList<>();
    private long requestNumber;
    private ParticipantState state;
    private boolean alive = true;
    private boolean paused;
    private boolean givenUp;
    private Optional<Long> lockedSinceNanos = Optional.empty();
    private long heldSinceMillis;
    private long resumedMillis;
    private Optional<FreezeOrder> holding = Optional.empty();

    /** A no, in place of an answer. */
    record Refusal(String reason) {}

    SimNameNode(SimGroup group, long epoch, List<Edit> memory) {
        this.group = group;
        this.world = group.world;
        this.clock = world.clock;
        this.epoch = epoch;
        this.memory = new ArrayList<>(memory);
        this.state = ParticipantState.begin(group.name + "-" + epoch);
        tick();
    }

    boolean isAlive() {
        return alive;
    }

    boolean isPaused() {
        return paused;
    }

    boolean isLocked() {
        return lockedSinceNanos.isPresent();
    }

    void die() {
        alive = false;
    }

    void pause() {
        paused = true;
    }

    void resume() {
        if (alive && paused) {
            paused = false;
            resumedMillis = clock.millis();
            List<Runnable> due = new ArrayList<>(whilePaused);
            whilePaused.clear();
            due.forEach(Runnable::run);
        }
    }

    /** A process that stands still does its work later, one that ended never. */
    private void run(Runnable task) {
        if (paused) {
            whilePaused.add(() -> run(task));
        } else if (alive) {
            task.run();
        }
    }

    private void runLater(long minimum, long maximum, Runnable task) {
        clock.schedule(clock.randomBetween(minimum, maximum), () -> run(task));
    }

    private void tick() {
        run(() -> {
            handle(ParticipantEvent.ticked());
            watchLock();
        });
        if (alive) {
            clock.schedule(10, this::tick);
        }
    }

    private void watchLock() {
        if (holding.isPresent()) {
            long since = Math.max(heldSinceMillis, resumedMillis);
            world.check(
                    clock.millis() - since <= holding.get().holdMillis() + FederationSimulation.LOCK_WORK_MILLIS,
                    group + " lets go in time");
        }
    }

    /** Whether a client's write is taken, now; it hears when it is committed. */
    boolean write(Edit edit, Runnable acknowledged) {
        if (!alive || paused || isLocked()) {
            return false;
        }
        memory.add(edit);
        append(2, 15, acknowledged, () -> {});
        return true;
    }

    /** Commits everything up to now. A deposed one cannot; it finds out and ends. */
    private void append(long minimum, long maximum, Runnable committed, Runnable failed) {
        int end = memory.size();
        runLater(minimum, maximum, () -> {
            if (epoch == group.epoch) {
                while (group.committed.size() < end) {
                    group.committed.add(memory.get(group.committed.size()));
                }
                committed.run();
            } else {
                failed.run();
                die();
            }
        });
    }

    // Orders.

    void receive(Object from, java.util.function.LongFunction<ParticipantEvent> order, Consumer<Object> reply) {
        run(() -> {
            long request = ++requestNumber;
            requests.put(request, reply);
            handle(order.apply(request));
        });
    }

    private void handle(ParticipantEvent event) {
        Step<ParticipantState, ParticipantEffect> step =
                world.rules.participant().step(state, event, clock.now());
        state = step.next();
        for (ParticipantEffect effect : step.effects()) {
            effect.dispatch(new Effects());
        }
    }

    private void answer(long request, Object answer) {
        Consumer<Object> reply = requests.remove(request);
        if (reply != null) {
            reply.accept(answer);
        }
    }

    private void releaseLock() {
        lockedSinceNanos = Optional.empty();
        holding = Optional.empty();
    }

    private final class Effects implements ParticipantEffectHandler<RuntimeException> {

        @Override
        public void lock(FreezeOrder order) {
            givenUp = false;
            heldSinceMillis = clock.millis();
            // Long operations hold the lock now and then.
            long maximum = !world.isHealed() && clock.chance(0.1) ? 3 * order.holdMillis() : 30;
            tryLock(order, clock.millis() + clock.randomBetween(0, maximum));
        }

        private void tryLock(FreezeOrder order, long atMillis) {
            runLater(1, 5, () -> {
                if (givenUp && clock.chance(0.8)) {
                    handle(ParticipantEvent.lockFailed("interrupted"));
                } else if (clock.millis() < atMillis && !givenUp) {
                    tryLock(order, atMillis);
                } else {
                    lockedSinceNanos = Optional.of(clock.now());
                    holding = Optional.of(order);
                    heldSinceMillis = clock.millis();
                    handle(ParticipantEvent.locked());
                }
            });
        }

        @Override
        public void abandonLock() {
            givenUp = true;
        }

        @Override
        public void cutSegment(FreezeOrder order) {
            if (!isLocked()) {
                // Only one with a bug.
                lockedSinceNanos = Optional.of(clock.now());
            }
            int txId = memory.size();
            long since = lockedSinceNanos.get();
            append(
                    3,
                    FederationSimulation.LOCK_WORK_MILLIS - 20,
                    () -> {
                        world.check(memory.size() == txId, "nothing is written under a freeze");
                        releaseLock();
                        handle(ParticipantEvent.segmentCut(Cut.builder()
                                .nameservice(group.name)
                                .nameNode("nn" + epoch)
                                .txId(txId)
                                .imageTxId(0)
                                .files(txId)
                                .blocks(0)
                                .waitedMicros(1)
                                .cutMicros(1)
                                .frozenMicros((clock.now() - since) / 1_000)
                                .build()));
                    },
                    () -> {});
        }

        @Override
        public void unlock(FreezeOrder order) {
            releaseLock();
        }

        @Override
        public void mark(Manifest manifest) {
            append(
                    2,
                    40,
                    () -> {
                        group.barriers.put(manifest.agreement().id(), manifest);
                        handle(ParticipantEvent.marked());
                    },
                    () -> handle(ParticipantEvent.markFailed("fenced")));
        }

        @Override
        public void removeMark(CheckpointId id) {
            append(
                    2,
                    40,
                    () -> {
                        group.barriers.remove(id);
                        handle(ParticipantEvent.markRemoved(id));
                    },
                    () -> handle(ParticipantEvent.unmarkFailed(id, "fenced")));
        }

        @Override
        public void answerFrozen(long request, Grant grant) {
            answer(request, grant);
        }

        @Override
        public void answerCut(long request, Cut cut) {
            answer(request, cut);
        }

        @Override
        public void answerAbandoned(long request, CheckpointId id) {
            answer(request, id);
        }

        @Override
        public void refuse(long request, String reason) {
            answer(request, new Refusal(reason));
        }
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.sim;

import io.trefoil.checkpoint.CheckpointJson;
import io.trefoil.checkpoint.coordinator.CheckpointOutcome;
import io.trefoil.checkpoint.coordinator.CheckpointPlan;
import io.trefoil.checkpoint.coordinator.CoordinatorEffect;
import io.trefoil.checkpoint.coordinator.CoordinatorEffectHandler;
import io.trefoil.checkpoint.coordinator.CoordinatorEvent;
import io.trefoil.checkpoint.coordinator.CoordinatorStage;
import io.trefoil.checkpoint.coordinator.CoordinatorState;
import io.trefoil.checkpoint.model.Agreement;
import io.trefoil.checkpoint.model.CheckpointId;
import io.trefoil.checkpoint.model.Cut;
import io.trefoil.checkpoint.model.FreezeOrder;
import io.trefoil.checkpoint.model.Grant;
import io.trefoil.checkpoint.participant.ParticipantEvent;
import io.trefoil.foundation.SimClock;
import io.trefoil.foundation.Step;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongFunction;

/** One checkpoint being led, over a network that loses, delays and doubles. */
final class SimCoordinator {

    private static final long TIMEOUT_MILLIS = 600;

    final CheckpointId id;
    Optional<CheckpointOutcome> outcome = Optional.empty();
    private final FederationSimulation world;
    private final SimClock clock;
    private final Map<String, SimNameNode> asked = new HashMap<>();
    private CoordinatorState state;
    private boolean alive = true;

    SimCoordinator(CheckpointPlan plan, FederationSimulation world) {
        this.id = plan.id();
        this.world = world;
        this.clock = world.clock;
        this.state = CoordinatorState.of(plan, clock.now());
        handle(CoordinatorEvent.begun(clock.millis()));
        tick();
    }

    CoordinatorStage stage() {
        return state.stage();
    }

    boolean isRunning() {
        return alive && outcome.isEmpty();
    }

    void die() {
        alive = false;
    }

    private void tick() {
        if (isRunning()) {
            handle(CoordinatorEvent.ticked());
            clock.schedule(10, this::tick);
        }
    }

    private void handle(CoordinatorEvent event) {
        if (!alive) {
            return;
        }
        Step<CoordinatorState, CoordinatorEffect> step =
                world.rules.coordinator().step(state, event, clock.now());
        state = step.next();
        for (CoordinatorEffect effect : step.effects()) {
            effect.dispatch(new Effects());
        }
    }

    private void send(
            String nameservice,
            Optional<SimNameNode> to,
            LongFunction<ParticipantEvent> order,
            Consumer<Object> onAnswer) {
        AtomicBoolean settled = new AtomicBoolean();
        Consumer<Object> once = answer -> {
            settled.set(true);
            if (answer instanceof SimNameNode.Refusal refusal) {
                handle(CoordinatorEvent.failed(nameservice, refusal.reason()));
            } else {
                onAnswer.accept(answer);
            }
        };
        if (to.isPresent()) {
            world.deliver(() -> to.get().receive(this, order, answer -> world.deliver(() -> once.accept(answer))));
        }
        clock.schedule(TIMEOUT_MILLIS, () -> {
            if (!settled.get()) {
                handle(CoordinatorEvent.failed(nameservice, "no answer"));
            }
        });
    }

    private final class Effects implements CoordinatorEffectHandler<RuntimeException> {

        @Override
        public void requestClock(String nameservice) {
            long sent = clock.now();
            SimGroup group = world.group(nameservice);
            world.countDocument(CheckpointJson.object());
            world.deliver(() -> {
                if (group.active.filter(SimNameNode::isAlive).isPresent()) {
                    long time = clock.millis() + group.clockOffsetMillis;
                    world.countDocument(CheckpointJson.object().put("millis", time));
                    world.deliver(() -> handle(CoordinatorEvent.clockRead(nameservice, sent, time)));
                }
            });
        }

        @Override
        public void freeze(String nameservice, FreezeOrder order) {
            Optional<SimNameNode> active = world.group(nameservice).active;
            active.ifPresent(nameNode -> asked.put(nameservice, nameNode));
            world.countDocument(CheckpointJson.object()
                    .put("id", order.id().toString())
                    .put("holdMillis", order.holdMillis())
                    .put("protectData", order.protectData()));
            send(nameservice, active, request -> ParticipantEvent.freezeRequested(request, order), answer -> {
                world.countDocument(CheckpointJson.object().put("grant", answer.toString()));
                handle(CoordinatorEvent.frozen(nameservice, (Grant) answer));
            });
        }

        @Override
        public void cut(String nameservice, Grant grant, Agreement agreement) {
            world.countDocument(CheckpointJson.object()
                    .put("grant", grant.toString())
                    .set("agreement", CheckpointJson.toJson(agreement)));
            send(
                    nameservice,
                    Optional.ofNullable(asked.get(nameservice)),
                    request -> ParticipantEvent.cutRequested(request, grant, agreement),
                    answer -> {
                        world.countDocument(CheckpointJson.toJson((Cut) answer));
                        handle(CoordinatorEvent.cut(nameservice, (Cut) answer));
                    });
        }

        @Override
        public void abandon(String nameservice, CheckpointId abandoned) {
            SimNameNode first = asked.get(nameservice);
            boolean exists = first != null && first.isAlive() && !first.isPaused();
            send(
                    nameservice,
                    exists ? Optional.of(first) : world.group(nameservice).active,
                    request -> ParticipantEvent.abandonRequested(request, abandoned),
                    answer -> handle(CoordinatorEvent.abandoned(nameservice)));
        }

        @Override
        public void finish(CheckpointOutcome end) {
            outcome = Optional.of(end);
            world.onFinished(end, id);
        }
    }
}

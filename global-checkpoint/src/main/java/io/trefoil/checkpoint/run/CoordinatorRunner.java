/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.run;

import io.trefoil.checkpoint.coordinator.CheckpointOutcome;
import io.trefoil.checkpoint.coordinator.CheckpointPlan;
import io.trefoil.checkpoint.coordinator.Coordinator;
import io.trefoil.checkpoint.coordinator.CoordinatorEffect;
import io.trefoil.checkpoint.coordinator.CoordinatorEffectHandler;
import io.trefoil.checkpoint.coordinator.CoordinatorEvent;
import io.trefoil.checkpoint.coordinator.CoordinatorState;
import io.trefoil.checkpoint.model.Agreement;
import io.trefoil.checkpoint.model.CheckpointId;
import io.trefoil.checkpoint.model.FreezeOrder;
import io.trefoil.checkpoint.model.Grant;
import io.trefoil.foundation.DaemonThreads;
import io.trefoil.foundation.RuleDriver;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Leads one checkpoint: the calling thread steps the rules, and other threads wait for the participants' answers. */
public final class CoordinatorRunner {

    private static final Logger LOG = LoggerFactory.getLogger(CoordinatorRunner.class);

    private static final long TICK_MILLIS = 10;

    private final Participants participants;
    private final BlockingQueue<CoordinatorEvent> events = new LinkedBlockingQueue<>();
    private final ExecutorService calls;
    private final RuleDriver<CoordinatorState, CoordinatorEvent, CoordinatorEffect, RuntimeException> driver;
    private Optional<CheckpointOutcome> outcome = Optional.empty();

    private CoordinatorRunner(CheckpointPlan plan, Participants participants) {
        this.participants = participants;
        Effects effects = new Effects();
        this.driver = new RuleDriver<>(
                "the coordinator of checkpoint " + plan.id(),
                CoordinatorState.of(plan, System.nanoTime()),
                (state, event) -> Coordinator.step(state, event, System.nanoTime()),
                CoordinatorRunner::reportStage,
                effect -> effect.dispatch(effects));
        this.calls = Executors.newCachedThreadPool(DaemonThreads.newFactory("checkpoint-call"));
    }

    /**
     * Makes a checkpoint; returns when it is complete or has failed.
     *
     * @throws InterruptedIOException if the thread was interrupted: the participants then release their locks by
     *     themselves, and only the journals can tell whether the checkpoint counts
     */
    public static CheckpointOutcome run(CheckpointPlan plan, Participants participants) throws InterruptedIOException {
        CoordinatorRunner runner = new CoordinatorRunner(plan, participants);
        try {
            return runner.lead();
        } finally {
            runner.calls.shutdownNow();
        }
    }

    private CheckpointOutcome lead() throws InterruptedIOException {
        driver.handle(CoordinatorEvent.begun(System.currentTimeMillis()));
        while (!outcome.isPresent()) {
            driver.handle(nextEvent());
        }
        return outcome.get();
    }

    private static void reportStage(CoordinatorState before, CoordinatorState after) {
        if (after.stage() != before.stage()) {
            LOG.info("checkpoint={}: coordinator stage={} -> {}", after.plan().id(), before.stage(), after.stage());
        }
    }

    private CoordinatorEvent nextEvent() throws InterruptedIOException {
        try {
            CoordinatorEvent event = events.poll(TICK_MILLIS, TimeUnit.MILLISECONDS);
            return event == null ? CoordinatorEvent.ticked() : event;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException(
                    "Interrupted while checkpoint " + driver.state().plan().id() + " was made");
        }
    }

    /** A call to a participant, whose answer becomes an event. */
    private interface Call {
        CoordinatorEvent execute() throws IOException;
    }

    private void call(String nameservice, Call call) {
        try {
            calls.execute(() -> {
                CoordinatorEvent event;
                try {
                    event = call.execute();
                } catch (IOException | RuntimeException | Error e) {
                    event = toFailedEvent(nameservice, e);
                }
                events.add(event);
            });
        } catch (Error noThread) {
            events.add(toFailedEvent(nameservice, noThread));
        }
    }

    private static CoordinatorEvent toFailedEvent(String nameservice, Throwable cause) {
        LOG.info("Request to a participant failed: nameservice={}", nameservice, cause);
        // Some have no message, such as an exception that the JVM has thrown often.
        return CoordinatorEvent.failed(nameservice, cause.getMessage() == null ? cause.toString() : cause.getMessage());
    }

    private final class Effects implements CoordinatorEffectHandler<RuntimeException> {

        @Override
        public void requestClock(String nameservice) {
            FreezeOrder order = driver.state().plan().freezeOrder();
            call(nameservice, () -> {
                // The first to freeze waits for the last, so everything that can be done before the freeze is done
                // here.
                participants.prepare(nameservice, order);
                long askedNanos = System.nanoTime();
                return CoordinatorEvent.clockRead(nameservice, askedNanos, participants.clock(nameservice));
            });
        }

        @Override
        public void freeze(String nameservice, FreezeOrder order) {
            call(nameservice, () -> CoordinatorEvent.frozen(nameservice, participants.freeze(nameservice, order)));
        }

        @Override
        public void cut(String nameservice, Grant grant, Agreement agreement) {
            call(nameservice, () -> CoordinatorEvent.cut(nameservice, participants.cut(nameservice, grant, agreement)));
        }

        @Override
        public void abandon(String nameservice, CheckpointId id) {
            call(nameservice, () -> {
                participants.abandon(nameservice, id);
                return CoordinatorEvent.abandoned(nameservice);
            });
        }

        @Override
        public void finish(CheckpointOutcome end) {
            outcome = Optional.of(end);
        }
    }
}

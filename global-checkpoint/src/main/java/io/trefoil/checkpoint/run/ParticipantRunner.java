/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.run;

import io.trefoil.checkpoint.model.Agreement;
import io.trefoil.checkpoint.model.CheckpointId;
import io.trefoil.checkpoint.model.Cut;
import io.trefoil.checkpoint.model.FreezeOrder;
import io.trefoil.checkpoint.model.Grant;
import io.trefoil.checkpoint.model.Manifest;
import io.trefoil.checkpoint.participant.Participant;
import io.trefoil.checkpoint.participant.ParticipantEffect;
import io.trefoil.checkpoint.participant.ParticipantEffectHandler;
import io.trefoil.checkpoint.participant.ParticipantEvent;
import io.trefoil.checkpoint.participant.ParticipantState;
import io.trefoil.foundation.DaemonThreads;
import io.trefoil.foundation.OrderRefusedException;
import io.trefoil.foundation.RuleDriver;
import java.io.Closeable;
import java.io.IOException;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one NameNode's part in checkpoints: one thread steps the rules and never waits, one holds the namesystem's lock,
 * and one writes barriers.
 */
public final class ParticipantRunner implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(ParticipantRunner.class);

    /** The longest time after a deadline until the rules notice it. */
    private static final long TICK_MILLIS = 10;

    private final Namesystem namesystem;
    private final CheckpointObserver observer;
    private final ThreadFactory holders;
    private final ScheduledExecutorService steps;
    private final ExecutorService marks;
    /** The requests that have no answer yet, by number. */
    private final Map<Long, CompletableFuture<Object>> requests = new ConcurrentHashMap<>();

    private final RuleDriver<ParticipantState, ParticipantEvent, ParticipantEffect, RuntimeException> driver;
    private FreezeThread holder;
    private final AtomicLong requestNumber = new AtomicLong();

    /** Starts the threads. */
    public ParticipantRunner(Namesystem namesystem, CheckpointObserver observer) {
        this(namesystem, observer, DaemonThreads::newFactory);
    }

    /** @param threads makes threads of a name */
    ParticipantRunner(Namesystem namesystem, CheckpointObserver observer, Function<String, ThreadFactory> threads) {
        this.namesystem = namesystem;
        this.observer = observer;
        this.holders = threads.apply("checkpoint-lock");
        Effects effects = new Effects();
        this.driver = new RuleDriver<>(
                "the participant in checkpoints",
                ParticipantState.begin(UUID.randomUUID().toString()),
                (state, event) -> Participant.step(state, event, System.nanoTime()),
                ParticipantRunner::reportStage,
                effect -> effect.dispatch(effects));
        this.steps = Executors.newSingleThreadScheduledExecutor(threads.apply("checkpoint-participant"));
        this.marks = Executors.newSingleThreadExecutor(threads.apply("checkpoint-barrier"));
        steps.scheduleWithFixedDelay(
                () -> runLogged(() -> driver.handle(ParticipantEvent.ticked())), 0, TICK_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** The current state. Thread-safe. */
    public ParticipantState state() {
        return driver.state();
    }

    /** Freezes; the future fails with an {@link OrderRefusedException}. Thread-safe. */
    public CompletableFuture<Grant> freeze(FreezeOrder order) {
        return submit(Grant.class, request -> ParticipantEvent.freezeRequested(request, order));
    }

    /** Cuts under a freeze; the future fails with an {@link OrderRefusedException}. Thread-safe. */
    public CompletableFuture<Cut> cut(Grant grant, Agreement agreement) {
        return submit(Cut.class, request -> ParticipantEvent.cutRequested(request, grant, agreement));
    }

    /** Removes a checkpoint, whether it was made or not; the future fails with an {@link OrderRefusedException}. Thread-safe. */
    public CompletableFuture<CheckpointId> abandon(CheckpointId id) {
        return submit(CheckpointId.class, request -> ParticipantEvent.abandonRequested(request, id));
    }

    private <T> CompletableFuture<T> submit(Class<T> type, LongFunction<ParticipantEvent> order) {
        CompletableFuture<Object> answer = new CompletableFuture<>();
        long request = requestNumber.incrementAndGet();
        requests.put(request, answer);
        executeOnRules(() -> driver.handle(order.apply(request)));
        if (steps.isShutdown()) {
            refuse(answer);
        }
        return answer.thenApply(type::cast);
    }

    private static void refuse(CompletableFuture<?> answer) {
        answer.completeExceptionally(new OrderRefusedException(
                "This NameNode takes part in no checkpoint any more: it ends, or its log says what failed"));
    }

    private void handle(ParticipantEvent event) {
        executeOnRules(() -> driver.handle(event));
    }

    private void executeOnRules(Runnable task) {
        try {
            steps.execute(() -> runLogged(task));
        } catch (RejectedExecutionException e) {
            LOG.debug("Task dropped: the NameNode is stopping");
        }
    }

    /** Logs a bug, which an executor would swallow; a thread that holds the lock then releases it on its own. */
    private void runLogged(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            close();
            LOG.error(
                    "Checkpoints are no longer possible in this process; do: restart this NameNode at a "
                            + "convenient time, and report the cause",
                    e);
        }
    }

    private static void reportStage(ParticipantState before, ParticipantState after) {
        if (after.stage() != before.stage()) {
            LOG.info(
                    "checkpoint={}: participant stage={} -> {}",
                    stageChangeName(before, after),
                    before.stage(),
                    after.stage());
        }
    }

    private static String stageChangeName(ParticipantState before, ParticipantState after) {
        return (after.order().isPresent() ? after : before)
                .order()
                .map(order -> order.id().toString())
                .orElse("none");
    }

    /** Stops the threads and releases the lock. */
    @Override
    public void close() {
        steps.shutdownNow();
        marks.shutdownNow();
        requests.values().forEach(ParticipantRunner::refuse);
        FreezeThread last = holder;
        if (last != null) {
            last.abandonLock();
            last.release();
        }
    }

    private final class Effects implements ParticipantEffectHandler<RuntimeException> {

        @Override
        public void lock(FreezeOrder order) {
            holder = new FreezeThread(namesystem, order, ParticipantRunner.this::handle, observer, holders);
            holder.start();
        }

        @Override
        public void abandonLock() {
            holder.abandonLock();
        }

        @Override
        public void cutSegment(FreezeOrder order) {
            holder.cut();
        }

        @Override
        public void unlock(FreezeOrder order) {
            holder.release();
        }

        /** @param failure what follows if there is no thread for the task */
        private void executeOnMarks(Function<String, ParticipantEvent> failure, Runnable task) {
            try {
                marks.execute(task);
            } catch (Error noThread) {
                LOG.warn("Cannot start a thread for a barrier; no action needed: only that checkpoint fails", noThread);
                handle(failure.apply(noThread.toString()));
            }
        }

        @Override
        public void mark(Manifest manifest) {
            executeOnMarks(
                    reason -> {
                        observer.markFailed();
                        return ParticipantEvent.markFailed(reason);
                    },
                    () -> {
                        ParticipantEvent event;
                        long begun = System.nanoTime();
                        try {
                            namesystem.mark(manifest);
                            observer.marked(System.nanoTime() - begun);
                            event = ParticipantEvent.marked();
                        } catch (IOException | RuntimeException | Error e) {
                            observer.markFailed();
                            LOG.warn(
                                    "The barrier of checkpoint={} may not have been committed; do: see 'hdfs trefoil "
                                            + "checkpoint list', and create another checkpoint if it failed",
                                    manifest.agreement().id(),
                                    e);
                            event = ParticipantEvent.markFailed(e.toString());
                        }
                        handle(event);
                    });
        }

        @Override
        public void removeMark(CheckpointId id) {
            executeOnMarks(reason -> ParticipantEvent.unmarkFailed(id, reason), () -> {
                ParticipantEvent event;
                try {
                    namesystem.removeMark(id);
                    event = ParticipantEvent.markRemoved(id);
                } catch (IOException | RuntimeException | Error e) {
                    LOG.warn(
                            "checkpoint={} may not have been removed; do: if 'hdfs trefoil checkpoint list' shows "
                                    + "it, delete it again",
                            id,
                            e);
                    event = ParticipantEvent.unmarkFailed(id, e.toString());
                }
                handle(event);
            });
        }

        @Override
        public void answerFrozen(long request, Grant grant) {
            requests.remove(request).complete(grant);
        }

        @Override
        public void answerCut(long request, Cut cut) {
            requests.remove(request).complete(cut);
        }

        @Override
        public void answerAbandoned(long request, CheckpointId id) {
            requests.remove(request).complete(id);
        }

        @Override
        public void refuse(long request, String reason) {
            requests.remove(request).completeExceptionally(new OrderRefusedException(reason));
        }
    }
}

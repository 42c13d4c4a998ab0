/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.run;

import io.trefoil.checkpoint.model.Cut;
import io.trefoil.checkpoint.model.FreezeOrder;
import io.trefoil.checkpoint.participant.ParticipantEvent;
import io.trefoil.foundation.OrderRefusedException;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Holds the namesystem's lock for one freeze, because only the thread that took a lock can release it. */
final class FreezeThread {

    private static final Logger LOG = LoggerFactory.getLogger(FreezeThread.class);

    /** The time for the participant to release the lock itself after its deadline, as it normally does. */
    private static final long MARGIN_MILLIS = 1_000;

    private static final String LET_GO = "the lock was released, as no order came in time";

    private enum Order {
        CUT,
        RELEASE
    }

    private final Namesystem namesystem;
    private final FreezeOrder order;
    private final Consumer<ParticipantEvent> listener;
    private final CheckpointObserver observer;
    private final BlockingQueue<Order> options = new LinkedBlockingQueue<>();
    private final Thread thread;
    /** The latest time at which this thread releases the lock. */
    private final long lastNanos;
    // Guarded by this.
    private boolean over;
    private String whyOver = LET_GO;
    // Of the thread only.
    private long lockingSince;
    private boolean hasCut;

    FreezeThread(
            Namesystem namesystem,
            FreezeOrder order,
            Consumer<ParticipantEvent> listener,
            CheckpointObserver observer,
            ThreadFactory threads) {
        this.namesystem = namesystem;
        this.order = order;
        this.listener = listener;
        this.observer = observer;
        this.lastNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(order.holdMillis() + MARGIN_MILLIS);
        this.thread = threads.newThread(this::run);
    }

    void start() {
        try {
            thread.start();
        } catch (Error noThread) {
            observer.lockFailed();
            listener.accept(ParticipantEvent.lockFailed(text(noThread)));
        }
    }

    /** Stops waiting for the lock. */
    void abandonLock() {
        thread.interrupt();
    }

    /** Cuts and releases the lock. */
    void cut() {
        if (!hasOrder(Order.CUT)) {
            listener.accept(ParticipantEvent.cutFailed(endReason()));
        }
    }

    /** Releases the lock. */
    void release() {
        hasOrder(Order.RELEASE);
    }

    private synchronized boolean hasOrder(Order order) {
        return !over && options.add(order);
    }

    private synchronized String endReason() {
        return whyOver;
    }

    private synchronized void reportFailure(Throwable cause) {
        whyOver = text(cause);
    }

    /** Stops taking orders; returns whether the thread was ordered to cut but did not notice it. */
    private synchronized boolean closeOrders() {
        over = true;
        return options.contains(Order.CUT);
    }

    private void run() {
        if (tryLock()) {
            holdLock();
        }
    }

    /** Takes the lock. Returns whether it has it; if not, the listener was told. */
    private boolean tryLock() {
        try {
            namesystem.prepare(order);
            lockingSince = System.nanoTime();
            namesystem.lock();
            return true;
        } catch (InterruptedException e) {
            observer.lockFailed();
            listener.accept(ParticipantEvent.lockFailed("it was told to wait no longer for the lock"));
        } catch (IOException | RuntimeException e) {
            observer.lockFailed();
            listener.accept(ParticipantEvent.lockFailed(text(e)));
        } catch (Error e) {
            // Without an answer this NameNode would be busy with this checkpoint forever.
            observer.lockFailed();
            listener.accept(ParticipantEvent.lockFailed(text(e)));
            throw e;
        }
        return false;
    }

    /** Holds the lock until ordered to release it, and releases it whatever happens: until then, no client can read or write. */
    private void holdLock() {
        long locked = System.nanoTime();
        Optional<ParticipantEvent> end = Optional.empty();
        boolean reported = false;
        try {
            observer.locked(locked - lockingSince);
            listener.accept(ParticipantEvent.locked());
            if (nextOrder() == Order.CUT) {
                reported = true;
                end = Optional.of(cutNow());
            }
        } catch (RuntimeException | Error e) {
            // Callers that want a cut, now or later, get this as the answer.
            reportFailure(e);
            throw e;
        } finally {
            try {
                namesystem.unlock();
            } finally {
                boolean unheard = closeOrders();
                observer.unlocked(System.nanoTime() - locked, hasCut);
                if (end.isPresent() || reported || unheard) {
                    listener.accept(end.orElseGet(() -> ParticipantEvent.cutFailed(endReason())));
                }
            }
        }
    }

    private ParticipantEvent cutNow() {
        try {
            Cut cut = namesystem.cut(order);
            hasCut = true;
            return ParticipantEvent.segmentCut(cut);
        } catch (IOException | RuntimeException e) {
            return ParticipantEvent.cutFailed(text(e));
        }
    }

    private static String text(Throwable e) {
        return e instanceof OrderRefusedException ? e.getMessage() : e.toString();
    }

    /**
     * Waits for the next order about the lock. An interrupt was meant for the wait for the lock, came too late, and
     * means nothing now. If no order comes for longer than the freeze order allows, the thread that should give one has
     * died, and this one releases the lock.
     */
    private Order nextOrder() {
        while (true) {
            try {
                Order nextOrder = options.poll(lastNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
                if (nextOrder != null) {
                    return nextOrder;
                }
                LOG.warn(
                        "Releasing the namesystem lock: no order for checkpoint={} arrived in time; no action "
                                + "needed: only that checkpoint fails",
                        order.id());
                return Order.RELEASE;
            } catch (InterruptedException e) {
                LOG.debug("Interrupted while holding the lock", e);
            }
        }
    }
}

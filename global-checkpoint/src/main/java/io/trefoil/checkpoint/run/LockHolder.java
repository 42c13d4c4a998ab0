/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.run;

import io.trefoil.checkpoint.model.Cut;
import io.trefoil.checkpoint.model.FreezeOrder;
import io.trefoil.checkpoint.participant.ParticipantEvent;
import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Holds the namesystem's lock for one freeze: only the thread that took a lock can give it back. */
final class LockHolder {

    private static final Logger LOG = LoggerFactory.getLogger(LockHolder.class);

    private enum Wish {
        CUT,
        RELEASE
    }

    private final Namesystem namesystem;
    private final FreezeOrder order;
    private final Consumer<ParticipantEvent> listener;
    private final CheckpointObserver observer;
    private final BlockingQueue<Wish> wishes = new LinkedBlockingQueue<>();
    private final Thread thread = new Thread(this::run, "checkpoint-lock");
    private boolean hasCut;

    LockHolder(
            Namesystem namesystem,
            FreezeOrder order,
            Consumer<ParticipantEvent> listener,
            CheckpointObserver observer) {
        this.namesystem = namesystem;
        this.order = order;
        this.listener = listener;
        this.observer = observer;
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Waits for the lock no longer. */
    void giveUp() {
        thread.interrupt();
    }

    /** Cuts, and lets go. */
    void cut() {
        wishes.add(Wish.CUT);
    }

    /** Lets go. */
    void release() {
        wishes.add(Wish.RELEASE);
    }

    private void run() {
        try {
            namesystem.prepare(order);
            long asked = System.nanoTime();
            namesystem.lock();
            observer.locked(System.nanoTime() - asked);
        } catch (InterruptedException e) {
            observer.notLocked();
            listener.accept(ParticipantEvent.notLocked("it was told to wait no longer for the lock"));
            return;
        } catch (IOException | RuntimeException e) {
            observer.notLocked();
            listener.accept(ParticipantEvent.notLocked(text(e)));
            return;
        }
        long locked = System.nanoTime();
        ParticipantEvent end = null;
        try {
            listener.accept(ParticipantEvent.locked());
            if (nextWish() == Wish.CUT) {
                end = ParticipantEvent.notCut("the cut was not begun");
                end = cutNow();
            }
        } finally {
            namesystem.unlock();
            observer.unlocked(System.nanoTime() - locked, hasCut);
            if (end != null) {
                listener.accept(end);
            }
        }
    }

    private ParticipantEvent cutNow() {
        try {
            Cut cut = namesystem.cut(order);
            hasCut = true;
            return ParticipantEvent.cut(cut);
        } catch (IOException | RuntimeException e) {
            return ParticipantEvent.notCut(text(e));
        }
    }

    private static String text(Exception e) {
        return e instanceof RefusedException ? e.getMessage() : e.toString();
    }

    /** An interrupt was meant for the wait for the lock; it came too late and means nothing now. */
    private Wish nextWish() {
        Wish wish = null;
        while (wish == null) {
            try {
                wish = wishes.take();
            } catch (InterruptedException e) {
                // Who has the lock is told by a wish what to do with it.
                LOG.debug("Interrupted with the lock in hand", e);
            }
        }
        return wish;
    }
}

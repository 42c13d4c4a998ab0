/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.world;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Threads for code that waits in the middle of something. There is one baton: a fiber runs from when the simulation resumes it
 * until it parks or ends, and the simulation stands still meanwhile. So they see each other's memory, and nothing that they do
 * depends on the machine. Who would wait for a lock that another fiber holds stops everything, which is reported as what it is.
 */
public final class Fibers {

    /** Thrown where a fiber stands whose process is no more. */
    static final class Ended extends Error {
        private static final long serialVersionUID = 1L;

        Ended() {
            super("The process of this thread is no more (simulated)", null, false, false);
        }
    }

    private static final int PATIENCE_SECONDS = 60;

    private final World world;
    private final Semaphore mainBaton = new Semaphore(0);
    private final Map<Thread, Fiber> running = new HashMap<>();
    private final Deque<Carrier> idle = new ArrayDeque<>();
    private final List<Carrier> carriers = new ArrayList<>();
    /** In the order of their making: who wakes many has them in none. */
    private final SortedMap<Long, Fiber> woken = new TreeMap<>();

    private long fiberCount;

    public Fibers(World world) {
        this.world = world;
    }

    /** A thread of a process; all its methods but {@link #end} are for itself. */
    public final class Fiber {
        private final SimHost host;
        private final Runnable work;
        private final Object what;
        private final long number = ++fiberCount;
        private Carrier carrier;
        private boolean permit;
        private boolean parked;
        private boolean ended;
        private boolean done;
        private long parkings;

        private Fiber(SimHost host, Object what, Runnable work) {
            this.host = host;
            this.what = what;
            this.work = work;
        }

        private void parkNanos(long nanos) {
            checkAlive();
            if (permit) {
                permit = false;
                return;
            }
            long own = ++parkings;
            parked = true;
            host.after(nanos, what + " wakes", () -> resumeFrom(own));
            giveBack();
            permit = false;
            checkAlive();
        }

        private void checkAlive() {
            if (ended) {
                throw new Ended();
            }
        }

        private void unpark() {
            permit = true;
            if (parked) {
                if (woken.isEmpty()) {
                    world.after(0, "threads are woken", Fibers.this::resumeWoken);
                }
                woken.put(number, this);
            }
        }

        private void resumeSoon() {
            long own = parkings;
            host.after(0, what + " is woken", () -> resumeFrom(own));
        }

        private void resumeFrom(long parking) {
            if (parked && parkings == parking) {
                resume(this);
            }
        }

        private void giveBack() {
            mainBaton.release();
            carrier.baton.acquireUninterruptibly();
        }

        /** As {@link Thread#interrupt}. */
        public void interrupt() {
            if (!done) {
                carrier.interrupt();
                unpark();
            }
        }

        /** Its process is no more: it comes to its end where it stands. */
        public void end() {
            ended = true;
            if (parked) {
                resume(this);
            }
        }

        public boolean isDone() {
            return done;
        }
    }

    /** What a fiber runs on, one after the other. */
    private final class Carrier extends Thread {
        private final Semaphore baton = new Semaphore(0);
        private Fiber fiber;
        private Throwable thrown;
        private volatile boolean over;

        Carrier() {
            super("fiber");
            setDaemon(true);
        }

        @Override
        public void run() {
            baton.acquireUninterruptibly();
            while (!over) {
                try {
                    fiber.work.run();
                } catch (Ended e) {
                    // As it should.
                } catch (Throwable e) {
                    thrown = e;
                }
                // An interrupt that came too late is not the next one's.
                Thread.interrupted();
                fiber.done = true;
                mainBaton.release();
                baton.acquireUninterruptibly();
            }
        }
    }

    /** Runs something in a thread of a process's own, from now on until it parks for the first time. By the simulation's thread. */
    public Fiber start(SimHost host, Object what, Runnable work) {
        Fiber fiber = new Fiber(host, what, work);
        Carrier carrier = idle.poll();
        if (carrier == null) {
            carrier = new Carrier();
            carriers.add(carrier);
            carrier.start();
        }
        carrier.fiber = fiber;
        fiber.carrier = carrier;
        running.put(carrier, fiber);
        resume(fiber);
        return fiber;
    }

    private void resumeWoken() {
        woken.values().forEach(Fiber::resumeSoon);
        woken.clear();
    }

    private void resume(Fiber fiber) {
        fiber.parked = false;
        fiber.carrier.baton.release();
        awaitBaton(fiber);
        if (fiber.done) {
            running.remove(fiber.carrier);
            idle.add(fiber.carrier);
            Throwable thrown = fiber.carrier.thrown;
            fiber.carrier.thrown = null;
            if (thrown instanceof RuntimeException e) {
                throw e;
            }
            if (thrown instanceof Error e) {
                throw e;
            }
        }
    }

    private void awaitBaton(Fiber fiber) {
        try {
            if (!mainBaton.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                StringBuilder at = new StringBuilder();
                for (StackTraceElement frame : fiber.carrier.getStackTrace()) {
                    at.append("\n    ").append(frame);
                }
                throw new IllegalStateException(
                        fiber.what + " neither parks nor ends: it waits for what another thread holds, at" + at);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Whether the caller is a fiber. */
    public boolean isHere() {
        return running.containsKey(Thread.currentThread());
    }

    /** The caller, a fiber, waits for so long, or until it is woken. */
    public void parkNanos(long nanos) {
        running.get(Thread.currentThread()).parkNanos(nanos);
    }

    /** The caller, a fiber, does nothing for so long. */
    void sleep(long nanos) {
        long endNanos = world.nowNanos() + nanos;
        while (world.nowNanos() < endNanos) {
            parkNanos(endNanos - world.nowNanos());
        }
    }

    public void unpark(Thread thread) {
        Fiber fiber = running.get(thread);
        if (fiber != null) {
            fiber.unpark();
        }
    }

    /** Ends all threads. */
    public void close() {
        for (Fiber fiber : new ArrayList<>(running.values())) {
            try {
                fiber.end();
            } catch (RuntimeException | Error e) {
                // The simulation is over; whatever it comes to is nobody's concern any more.
                fiber.ended = true;
            }
        }
        for (Carrier carrier : carriers) {
            carrier.over = true;
            carrier.baton.release();
        }
    }
}

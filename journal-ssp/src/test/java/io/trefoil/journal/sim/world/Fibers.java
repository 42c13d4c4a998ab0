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
 * Threads for code that waits in the middle of something. There is one baton: a fiber runs from when the simulation
 * resumes it until it parks or ends, and the simulation waits during that time. So all of them see each other's memory,
 * and nothing that they do depends on the machine. A fiber that waits for a lock of another fiber would stop
 * everything; that is reported as such.
 */
public final class Fibers {

    /** Thrown in a fiber whose process has died. */
    static final class Ended extends Error {
        private static final long serialVersionUID = 1L;

        Ended() {
            super("The process of this thread is no more (simulated)", null, false, false);
        }
    }

    private static final int TIMEOUT_SECONDS = 60;

    private final World world;
    private final Semaphore mainBaton = new Semaphore(0);
    private final Map<Thread, Fiber> running = new HashMap<>();
    private final Deque<Carrier> idle = new ArrayDeque<>();
    private final List<Carrier> carriers = new ArrayList<>();
    /** In the order of their creation, because a caller that wakes many does so in no order. */
    private final SortedMap<Long, Fiber> woken = new TreeMap<>();

    private long fiberCount;

    public Fibers(World world) {
        this.world = world;
    }

    /** A thread of a process; it alone calls its methods, except {@link #end}. */
    public final class Fiber {
        private final SimHost host;
        private final Runnable task;
        private final Object what;
        private final long number = ++fiberCount;
        private Carrier carrier;
        private boolean permit;
        private boolean parked;
        private boolean ended;
        private boolean done;
        private long parkings;

        private Fiber(SimHost host, Object what, Runnable task) {
            this.host = host;
            this.what = what;
            this.task = task;
        }

        private void parkNanos(long nanos) {
            checkAlive();
            if (permit) {
                permit = false;
                return;
            }
            long own = ++parkings;
            parked = true;
            host.schedule(nanos, what + " wakes", () -> resumeFrom(own));
            returnBaton();
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
                    world.schedule(0, "threads are woken", Fibers.this::resumeWoken);
                }
                woken.put(number, this);
            }
        }

        private void resumeSoon() {
            long own = parkings;
            host.schedule(0, what + " is woken", () -> resumeFrom(own));
        }

        private void resumeFrom(long parking) {
            if (parked && parkings == parking) {
                resume(this);
            }
        }

        private void returnBaton() {
            mainBaton.release();
            carrier.baton.acquireUninterruptibly();
        }

        /** Like {@link Thread#interrupt}. */
        public void interrupt() {
            if (!done) {
                carrier.interrupt();
                unpark();
            }
        }

        /** Its process has died: the fiber ends where it is. */
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

    /** The thread that fibers run on, one after the other. */
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
                    fiber.task.run();
                } catch (Ended e) {
                    // The fiber ended because its process died.
                } catch (Throwable e) {
                    thrown = e;
                }
                // A late interrupt must not hit the next fiber.
                Thread.interrupted();
                fiber.done = true;
                mainBaton.release();
                baton.acquireUninterruptibly();
            }
        }
    }

    /** Runs something in a new thread of a process, from now on until it first parks. For the simulation's thread. */
    public Fiber start(SimHost host, Object what, Runnable task) {
        Fiber fiber = new Fiber(host, what, task);
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
            if (!mainBaton.tryAcquire(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
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
    public boolean isInFiber() {
        return running.containsKey(Thread.currentThread());
    }

    /** Parks the calling fiber for this long, or until it is woken. */
    public void parkNanos(long nanos) {
        running.get(Thread.currentThread()).parkNanos(nanos);
    }

    /** The calling fiber does nothing for this long. */
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
                // The simulation is over; what becomes of the fiber no longer matters.
                fiber.ended = true;
            }
        }
        for (Carrier carrier : carriers) {
            carrier.over = true;
            carrier.baton.release();
        }
    }
}

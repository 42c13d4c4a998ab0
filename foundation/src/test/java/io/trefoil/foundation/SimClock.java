/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation;

import java.util.PriorityQueue;
import java.util.Random;

/** Time and chance of one simulation of rules, whose whole course follows from a seed. Of one thread. */
public final class SimClock {
    /** In nanoseconds. */
    public static final long MILLI = 1_000_000L;

    public final Random random;
    private final PriorityQueue<DueTask> queue = new PriorityQueue<>();
    private long now = 1_000 * MILLI;
    private long count;

    public SimClock(long seed) {
        random = new Random(seed);
    }

    /** In nanoseconds; a simulation does not begin at zero. */
    public long now() {
        return now;
    }

    /** The same in milliseconds. */
    public long millis() {
        return now / MILLI;
    }

    /** Has something done so much later, and by chance up to a millisecond after that. */
    public void schedule(long millis, Runnable task) {
        queue.add(new DueTask(now + millis * MILLI + random.nextInt(1_000_000), ++count, task));
    }

    /** Between the two, both included. */
    public long randomBetween(long minimum, long maximum) {
        return minimum + random.nextInt((int) (maximum - minimum + 1));
    }

    /** Whether what happens so often happens now. */
    public boolean chance(double probability) {
        return random.nextDouble() < probability;
    }

    /** Has everything done that is due by then, in its order. */
    public void runUntil(long millis) {
        while (!queue.isEmpty() && queue.peek().dueTime <= millis * MILLI) {
            DueTask due = queue.poll();
            now = due.dueTime;
            due.task.run();
        }
        now = millis * MILLI;
    }

    private record DueTask(long dueTime, long order, Runnable task) implements Comparable<DueTask> {
        @Override
        public int compareTo(DueTask other) {
            return dueTime != other.dueTime ? Long.compare(dueTime, other.dueTime) : Long.compare(order, other.order);
        }
    }
}

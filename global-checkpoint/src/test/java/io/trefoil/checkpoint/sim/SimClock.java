/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.sim;

import java.util.PriorityQueue;
import java.util.Random;

/** Time and chance of one simulation. */
final class SimClock {
    static final long MILLI = 1_000_000L;

    final Random random;
    private final PriorityQueue<Due> queue = new PriorityQueue<>();
    private long now = 1_000 * MILLI;
    private long count;

    SimClock(long seed) {
        random = new Random(seed);
    }

    long now() {
        return now;
    }

    long millis() {
        return now / MILLI;
    }

    void in(long millis, Runnable task) {
        queue.add(new Due(now + millis * MILLI + random.nextInt(1_000_000), ++count, task));
    }

    /** Between the two, both included. */
    long between(long least, long most) {
        return least + random.nextInt((int) (most - least + 1));
    }

    boolean chance(double probability) {
        return random.nextDouble() < probability;
    }

    void runUntil(long millis) {
        while (!queue.isEmpty() && queue.peek().at <= millis * MILLI) {
            Due due = queue.poll();
            now = due.at;
            due.task.run();
        }
        now = millis * MILLI;
    }

    private record Due(long at, long order, Runnable task) implements Comparable<Due> {
        @Override
        public int compareTo(Due other) {
            return at != other.at ? Long.compare(at, other.at) : Long.compare(order, other.order);
        }
    }
}

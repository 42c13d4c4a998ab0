/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * Many processes that each have one call open when the active NameNode is killed, on a clock of their own: each asks by the waits
 * of {@link RetryDelays} or goes round as a stock client does, and each NameNode serves requests one after the other. Connections cost
 * nothing here.
 */
final class CrowdSimulation {
    /** The one that is killed refuses connections; the next one becomes active. */
    static final int NAMENODES = 3;

    private static final int DEAD = 0;
    private static final int NEXT = 1;
    private static final long ROUND_TRIP_NANOS = TimeUnit.MICROSECONDS.toNanos(200);
    private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(5);
    /** HDFS's own: {@code dfs.client.failover.sleep.base.millis} and {@code .max.millis}. */
    private static final long STOCK_BASE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private static final long STOCK_MOST_NANOS = TimeUnit.SECONDS.toNanos(15);

    /** How a client finds the next active. */
    enum Kind {
        OURS,
        STOCK
    }

    /**
     * What came of it.
     *
     * @param requestsInWorstSecond that reached one NameNode
     * @param longestQueueMillis how long a request waited at a NameNode at most
     */
    record Outcome(
            long requests,
            long requestsInWorstSecond,
            long longestQueueMillis,
            long halfServedMillis,
            long allServedMillis) {}

    private record ScheduledTask(long dueTime, long order, Runnable task) implements Comparable<ScheduledTask> {
        @Override
        public int compareTo(ScheduledTask other) {
            return dueTime != other.dueTime ? Long.compare(dueTime, other.dueTime) : Long.compare(order, other.order);
        }
    }

    private final PriorityQueue<ScheduledTask> queue = new PriorityQueue<>();
    private final Random random = new Random(1);
    private final Kind kind;
    private final int clients;
    private final long serviceNanos;
    private final long activeAtNanos;
    private final long[] freeAtNanos = new long[NAMENODES];
    private final List<long[]> perSecond = new ArrayList<>();
    private final List<Long> served = new ArrayList<>();
    private long nowNanos;
    private long order;
    private long requests;
    private long longestQueueNanos;

    /**
     * @param perSecond how many requests a NameNode answers in a second
     * @param gapMillis when the next one is active, from the kill on
     */
    private CrowdSimulation(Kind kind, int clients, int perSecond, long gapMillis) {
        this.kind = kind;
        this.clients = clients;
        this.serviceNanos = TimeUnit.SECONDS.toNanos(1) / perSecond;
        this.activeAtNanos = TimeUnit.MILLISECONDS.toNanos(gapMillis);
    }

    static Outcome simulate(Kind kind, int clients, int perSecond, long gapMillis) {
        return new CrowdSimulation(kind, clients, perSecond, gapMillis).run();
    }

    private Outcome run() {
        for (int i = 0; i < clients; i++) {
            Runnable begin = kind == Kind.OURS ? new SmartClient()::begin : new StockClient()::call;
            // Who makes 10,000 calls a second does not notice the loss in one moment.
            scheduleAt(random.nextInt(1_000_000), begin);
        }
        while (!queue.isEmpty()) {
            ScheduledTask due = queue.poll();
            nowNanos = due.dueTime();
            due.task().run();
        }
        return new Outcome(
                requests,
                perSecond.stream().flatMapToLong(Arrays::stream).max().orElse(0),
                TimeUnit.NANOSECONDS.toMillis(longestQueueNanos),
                TimeUnit.NANOSECONDS.toMillis(served.get(clients / 2)),
                TimeUnit.NANOSECONDS.toMillis(served.get(clients - 1)));
    }

    private void scheduleAt(long nanos, Runnable task) {
        queue.add(new ScheduledTask(nanos, ++order, task));
    }

    private void scheduleIn(long nanos, Runnable task) {
        scheduleAt(nowNanos + nanos, task);
    }

    /** Queues at a NameNode; {@code answer} runs at the client with whether the NameNode was active when it answered. */
    private void request(int nameNode, Answer answer) {
        if (nameNode == DEAD) {
            scheduleIn(ROUND_TRIP_NANOS, () -> answer.onAnswer(false, false));
            return;
        }
        requests++;
        int second = (int) TimeUnit.NANOSECONDS.toSeconds(nowNanos);
        while (perSecond.size() <= second) {
            perSecond.add(new long[NAMENODES]);
        }
        perSecond.get(second)[nameNode]++;
        long arrivesAt = nowNanos + ROUND_TRIP_NANOS / 2;
        long beginsAt = Math.max(arrivesAt, freeAtNanos[nameNode]);
        longestQueueNanos = Math.max(longestQueueNanos, beginsAt - arrivesAt);
        freeAtNanos[nameNode] = beginsAt + serviceNanos;
        boolean active = nameNode == NEXT && beginsAt >= activeAtNanos;
        scheduleAt(freeAtNanos[nameNode] + ROUND_TRIP_NANOS / 2, () -> answer.onAnswer(true, active));
    }

    private interface Answer {
        void onAnswer(boolean hasAnswered, boolean active);
    }

    /** As {@link ActiveFinder} does it for a process with one client. */
    private final class SmartClient {
        private final long[] askedAt = new long[NAMENODES];
        private final long[] leaveUntil = new long[NAMENODES];
        private final boolean[] owes = new boolean[NAMENODES];
        private boolean found;

        void begin() {
            scheduleIn(RetryDelays.nanosBeforeFirstProbe(), this::round);
        }

        private void round() {
            if (found) {
                return;
            }
            for (int i = 0; i < NAMENODES; i++) {
                boolean silent = owes[i] && nowNanos - askedAt[i] > TIMEOUT_NANOS;
                if (silent || (!owes[i] && nowNanos >= leaveUntil[i])) {
                    ask(i);
                }
            }
            scheduleIn(RetryDelays.nanosAfter(nowNanos), this::round);
        }

        private void ask(int nameNode) {
            long askedNanos = nowNanos;
            askedAt[nameNode] = askedNanos;
            owes[nameNode] = true;
            request(nameNode, (hasAnswered, active) -> {
                owes[nameNode] = false;
                leaveUntil[nameNode] = nowNanos + RetryDelays.nanosAfterSlowAnswer(nowNanos - askedNanos);
                if (active && !found) {
                    found = true;
                    request(nameNode, (ignored, itself) -> served.add(nowNanos));
                }
            });
        }
    }

    /** As HDFS's failover with exponential waits does it. */
    private final class StockClient {
        private int nameNode;
        private int failovers;

        void call() {
            request(nameNode, (hasAnswered, active) -> {
                if (active) {
                    served.add(nowNanos);
                    return;
                }
                nameNode = (nameNode + 1) % NAMENODES;
                scheduleIn(pause(failovers++), this::call);
            });
        }

        private long pause(int times) {
            if (times == 0) {
                return 0;
            }
            long most = Math.min(STOCK_BASE_NANOS << times, STOCK_MOST_NANOS);
            return (long) (most * (random.nextDouble() + 0.5));
        }
    }
}

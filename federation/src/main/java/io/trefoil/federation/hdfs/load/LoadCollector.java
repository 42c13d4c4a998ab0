/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.load;

import io.trefoil.foundation.DaemonThreads;
import java.io.Closeable;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;

/**
 * The calls of the last ten minutes. Older ones are forgotten, a minute at a time. Thread-safe.
 *
 * <p>A call adds to one of a few stripes, under the stripe's lock, so that handlers do not wait for each other; the
 * thread that collects replaces the contents of a stripe, and adds them up outside the lock.
 */
final class LoadCollector implements Closeable {

    static final Duration WINDOW = Duration.ofMinutes(1);
    static final int WINDOWS = 10;

    private static final int MAX_STRIPES = 16;
    /** The period of collection, short enough that a stripe hardly ever holds calls of two minutes. */
    private static final long COLLECT_SECONDS = 10;

    private final int depth;
    private final LongSupplier nanoTime;
    private final Stripe[] stripes;
    private final Deque<Window> windows = new ArrayDeque<>();
    private final ScheduledExecutorService ticker =
            Executors.newSingleThreadScheduledExecutor(DaemonThreads.newFactory("subtree-loads"));

    private static final class Stripe {
        private CallCounts counts = new CallCounts();

        synchronized void add(CountedCall call) {
            counts.add(call);
        }

        synchronized CallCounts drain() {
            CallCounts taken = counts;
            counts = new CallCounts();
            return taken;
        }
    }

    private static final class Window {
        private final long beganNanos;
        private final CallCounts counts = new CallCounts();

        Window(long beganNanos) {
            this.beganNanos = beganNanos;
        }
    }

    /** @param depth how many names of a path are counted */
    LoadCollector(int depth, LongSupplier nanoTime) {
        this.depth = depth;
        this.nanoTime = nanoTime;
        int processors = Math.min(MAX_STRIPES, Runtime.getRuntime().availableProcessors());
        // A power of 2, so that a stripe is chosen by a mask.
        stripes = new Stripe[Integer.highestOneBit(2 * processors - 1)];
        for (int i = 0; i < stripes.length; i++) {
            stripes[i] = new Stripe();
        }
        windows.addLast(new Window(nanoTime.getAsLong()));
    }

    /** Starts the periodic collection, which also drops old windows. */
    void start() {
        ticker.scheduleWithFixedDelay(
                DaemonThreads.logFailures(this::collect), COLLECT_SECONDS, COLLECT_SECONDS, TimeUnit.SECONDS);
    }

    /** Counts a call, with its paths as in the audit log. */
    void count(String command, String source, String target) {
        CountedCall.of(command, source, target, depth)
                .ifPresent(call -> stripes[(int) Thread.currentThread().getId() & (stripes.length - 1)].add(call));
    }

    /** Adds the stripes' calls to the open window, and begins the next window if that one is old enough. */
    synchronized void collect() {
        long nowNanos = nanoTime.getAsLong();
        Window open = windows.getLast();
        for (Stripe stripe : stripes) {
            open.counts.add(stripe.drain());
        }
        if (nowNanos - open.beganNanos >= WINDOW.toNanos()) {
            windows.addLast(new Window(nowNanos));
            if (windows.size() > WINDOWS + 1) {
                windows.removeFirst();
            }
        }
    }

    /** Reads the calls of all windows, and the time over which they were counted. */
    synchronized <T> T read(BiFunction<CallCounts, Duration, T> reader) {
        collect();
        CallCounts all = new CallCounts();
        windows.forEach(window -> all.add(window.counts));
        long nanos = nanoTime.getAsLong() - windows.getFirst().beganNanos;
        return reader.apply(all, Duration.ofNanos(nanos));
    }

    int depth() {
        return depth;
    }

    @Override
    public void close() {
        ticker.shutdownNow();
    }
}

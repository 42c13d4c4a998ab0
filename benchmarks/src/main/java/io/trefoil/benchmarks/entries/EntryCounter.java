/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.entries;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts entries while switched on. Static, because the instrumented methods call it, which are given nothing. */
public final class EntryCounter {
    private static final Map<String, LongAdder> ALL = new ConcurrentHashMap<>();
    private static final Map<String, LongAdder> FLUSHING_THREAD_COUNTS = new ConcurrentHashMap<>();

    /** The number of timers in which the thread currently is. */
    private static final ThreadLocal<Integer> TIMERS = ThreadLocal.withInitial(() -> 0);

    private static volatile boolean counting;
    private static volatile Thread flushing;

    private EntryCounter() {}

    /** Called by every instrumented method, first thing. What a timer enters is on no batch's way. */
    public static void recordEntry(String method) {
        if (counting && TIMERS.get() == 0) {
            ALL.computeIfAbsent(method, name -> new LongAdder()).increment();
            if (Thread.currentThread() == flushing) {
                FLUSHING_THREAD_COUNTS
                        .computeIfAbsent(method, name -> new LongAdder())
                        .increment();
            }
        }
    }

    /** Called by a timer, first thing. */
    public static void beginTimer() {
        TIMERS.set(TIMERS.get() + 1);
    }

    /** Called by a timer at its end, however it ends. */
    public static void endTimer() {
        TIMERS.set(TIMERS.get() - 1);
    }

    /** Starts counting at zero; the calling thread is the one that flushes. */
    static void start() {
        ALL.clear();
        FLUSHING_THREAD_COUNTS.clear();
        flushing = Thread.currentThread();
        counting = true;
    }

    static void stop() {
        counting = false;
    }

    /** Returns the entries since the start, on all threads. */
    static Map<String, Long> totalCounts() {
        return copy(ALL);
    }

    static Map<String, Long> flushingThreadCounts() {
        return copy(FLUSHING_THREAD_COUNTS);
    }

    private static Map<String, Long> copy(Map<String, LongAdder> counts) {
        Map<String, Long> copy = new TreeMap<>();
        counts.forEach((method, count) -> copy.put(method, count.sum()));
        return copy;
    }
}

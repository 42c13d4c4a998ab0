/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.metrics;

import io.trefoil.journal.hdfs.metrics.Latencies;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.metrics2.lib.MetricsRegistry;
import org.apache.hadoop.metrics2.lib.MutableCounterLong;

/**
 * Counts clients' calls that wait on a standby until it is active, and how long they wait. Thread-safe.
 *
 * <p>Uses {@code MetricsRegistry} and {@code MutableCounterLong}.
 */
public final class CallWaitCounters {
    private final AtomicInteger waiting = new AtomicInteger();
    private final Latencies waits;
    private final MutableCounterLong turnedAway;

    public CallWaitCounters(MetricsRegistry registry) {
        waits = new Latencies(registry, "callWaits", "Time for which a client's call waited for the role");
        turnedAway = registry.newCounter("CallsTurnedAway", "Calls for which there was no room to wait", 0L);
    }

    /** Records that a call begins to wait; {@link #recordWaitEnd} must follow. */
    public void recordWaitBegin() {
        waiting.incrementAndGet();
    }

    /** Records that a call no longer waits, for whatever reason. */
    public void recordWaitEnd(long nanos) {
        waiting.decrementAndGet();
        waits.add(nanos);
    }

    /** Records that a call would have waited, but there was no room. */
    public void recordRejected() {
        turnedAway.incr();
    }

    /** Returns the number of calls waiting now. */
    public int waitingCalls() {
        return waiting.get();
    }

    public long rejectedCalls() {
        return turnedAway.value();
    }
}

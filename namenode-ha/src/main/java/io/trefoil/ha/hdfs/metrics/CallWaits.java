/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.metrics;

import io.trefoil.journal.hdfs.metrics.Latencies;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.metrics2.lib.MetricsRegistry;
import org.apache.hadoop.metrics2.lib.MutableCounterLong;

/**
 * Counts the clients' calls that wait at a standby until it is active, and how long they wait. Thread-safe.
 *
 * <p>Uses {@code MetricsRegistry} and {@code MutableCounterLong}.
 */
public final class CallWaits {
    private final AtomicInteger waiting = new AtomicInteger();
    private final Latencies waits;
    private final MutableCounterLong turnedAway;

    public CallWaits(MetricsRegistry registry) {
        waits = new Latencies(registry, "callWaits", "Time for which a client's call waited for the role");
        turnedAway = registry.newCounter("CallsTurnedAway", "Calls for which there was no room to wait", 0L);
    }

    /** A call begins to wait; {@link #ended} must follow. */
    public void began() {
        waiting.incrementAndGet();
    }

    /** A call no longer waits, for whatever reason. */
    public void ended(long nanos) {
        waiting.decrementAndGet();
        waits.add(nanos);
    }

    /** A call would have waited, but there was no room. */
    public void recordRejected() {
        turnedAway.incr();
    }

    /** How many calls wait at this moment. */
    public int waiting() {
        return waiting.get();
    }

    public long callsTurnedAway() {
        return turnedAway.value();
    }
}

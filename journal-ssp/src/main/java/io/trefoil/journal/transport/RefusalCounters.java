/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport;

import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts what a node refused, by cause, and logs it: one line per cause and second at most, since whoever
 * sends rubbish must not be able to fill the disk that the journal is on. Thread-safe.
 */
public final class RefusalCounters {

    private static final Logger LOG = LoggerFactory.getLogger(RefusalCounters.class);
    private static final long LOG_EVERY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Map<RefusalCause, Counter> counters = new EnumMap<>(RefusalCause.class);

    RefusalCounters() {
        for (RefusalCause cause : RefusalCause.values()) {
            counters.put(cause, new Counter());
        }
    }

    /** How often this happened since the node was started. */
    public long count(RefusalCause cause) {
        return counters.get(cause).total.sum();
    }

    /** All counts by the name of their cause, for metrics. */
    public Map<String, Long> byName() {
        Map<String, Long> counts = new LinkedHashMap<>();
        for (RefusalCause cause : RefusalCause.values()) {
            counts.put(cause.name(), count(cause));
        }
        return Collections.unmodifiableMap(counts);
    }

    void refused(RefusalCause cause, Object remote, String detail) {
        Counter counter = counters.get(cause);
        counter.total.increment();
        long now = System.nanoTime();
        long due = counter.nextLineNanos.get();
        if (now - due < 0 || !counter.nextLineNanos.compareAndSet(due, now + LOG_EVERY_NANOS)) {
            counter.unlogged.incrementAndGet();
            return;
        }
        LOG.warn(
                "Connection refused cause={} remote={} alsoSinceLastLine={}: {}",
                cause,
                remote,
                counter.unlogged.getAndSet(0),
                detail);
    }

    private static final class Counter {
        private final LongAdder total = new LongAdder();
        private final AtomicLong unlogged = new AtomicLong();
        private final AtomicLong nextLineNanos = new AtomicLong(System.nanoTime());
    }
}

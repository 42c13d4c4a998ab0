/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.connection;

import io.trefoil.foundation.LogThread;
import io.trefoil.foundation.PrintableText;
import io.trefoil.journal.transport.codec.field.RefusalCause;
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
 * Counts a node's refusals, by cause, and logs them: at most one line per cause and second, so that a caller that sends
 * garbage cannot fill the journal's disk. Thread-safe.
 */
public final class RefusalCounters {

    private static final Logger LOG = LoggerFactory.getLogger(RefusalCounters.class);
    private static final long LOG_EVERY_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Logs on a separate thread: connections are refused on the network's threads, which serve all other callers. */
    private final LogThread log = new LogThread("ssp-refusals-log");

    private final Map<RefusalCause, Counter> counters = new EnumMap<>(RefusalCause.class);

    public RefusalCounters() {
        for (RefusalCause cause : RefusalCause.values()) {
            counters.put(cause, new Counter());
        }
    }

    /** Returns how often a cause has occurred since the node started. */
    public long count(RefusalCause cause) {
        return counters.get(cause).total.sum();
    }

    /** All counts by the name of their cause, for metrics. */
    public Map<String, Long> countsByCause() {
        Map<String, Long> counts = new LinkedHashMap<>();
        for (RefusalCause cause : RefusalCause.values()) {
            counts.put(cause.name(), count(cause));
        }
        return Collections.unmodifiableMap(counts);
    }

    /** @param detail may contain text from the caller */
    public void recordRefusal(RefusalCause cause, Object remote, String detail) {
        long unlogged = counters.get(cause).countOne();
        if (unlogged >= 0) {
            log.write(() -> LOG.warn(
                    "Connection refused cause={} remote={} suppressedLines={}: {}",
                    cause,
                    remote,
                    unlogged,
                    PrintableText.of(detail)));
        }
    }

    /** Counts a fault of the node itself; logs its stack trace, rate-limited like everything else. */
    public void recordFailure(Object remote, Throwable fault) {
        long unlogged = counters.get(RefusalCause.INTERNAL).countOne();
        if (unlogged >= 0) {
            log.write(() -> LOG.error(
                    "Connection closed cause={} remote={} suppressedLines={}; do: report it",
                    RefusalCause.INTERNAL,
                    remote,
                    unlogged,
                    fault));
        }
    }

    private static final class Counter {
        private static final long NO_LINE = -1;

        private final LongAdder total = new LongAdder();
        private final AtomicLong unlogged = new AtomicLong();
        private final AtomicLong nextLineNanos = new AtomicLong(System.nanoTime());

        /** Returns how many refusals have not been logged since the last line, if another line is due. */
        private long countOne() {
            total.increment();
            long now = System.nanoTime();
            long due = nextLineNanos.get();
            if (now - due < 0 || !nextLineNanos.compareAndSet(due, now + LOG_EVERY_NANOS)) {
                unlogged.incrementAndGet();
                return NO_LINE;
            }
            return unlogged.getAndSet(0);
        }
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.server;

import io.trefoil.foundation.AuditLog;
import io.trefoil.foundation.AuditedOrder;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Records in the audit log which callers were refused a session, or a request in a session. Any process that reaches the port can
 * cause any number of refusals, so lines are limited: each minute, one caller at one address gets the same line once and {@value
 * #MAX_LINES_PER_CALLER} lines in total, and all callers together {@value #MAX_TOTAL_LINES}. A caller's next line says how many of
 * its lines were left out. Never blocks. Thread-safe.
 */
final class RefusalAuditor {

    static final int MAX_LINES_PER_CALLER = 30;
    static final int MAX_TOTAL_LINES = 600;
    /** The number of callers to remember; beyond it, those refused longest ago are dropped. */
    static final int MAX_CALLERS = 256;

    static final long MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final AuditLog log;
    private final LongSupplier nanoTime;
    private final Map<SimpleImmutableEntry<String, String>, Minute> byCaller = new LinkedHashMap<>();
    private Minute ofAll;

    RefusalAuditor(AuditLog log, LongSupplier nanoTime) {
        this.log = log;
        this.nanoTime = nanoTime;
        this.ofAll = new Minute(nanoTime.getAsLong());
    }

    /** @param reason the text that the caller was told */
    void recordRefusal(AuditedOrder order, String reason) {
        long leftOut = countSuppressed(order, reason);
        if (leftOut >= 0) {
            log.recordRefusalWithoutWaiting(
                    order, leftOut == 0 ? reason : reason + " (" + leftOut + " before it are left out)");
        }
    }

    /** Returns the number of refusals that were left out since the caller's last line; negative if this one is left out too. */
    private synchronized long countSuppressed(AuditedOrder order, String reason) {
        long now = nanoTime.getAsLong();
        Minute own = minuteOf(new SimpleImmutableEntry<>(order.caller(), order.address()), now);
        ofAll = ofAll.at(now);
        boolean isNew = own.said.add(order.order() + " " + order.object() + " " + reason);
        if (!isNew || own.lines == MAX_LINES_PER_CALLER || ofAll.lines == MAX_TOTAL_LINES) {
            own.leftOut++;
            if (own.said.size() > MAX_LINES_PER_CALLER) {
                own.said.clear();
            }
            return -1;
        }
        own.lines++;
        ofAll.lines++;
        long leftOut = own.leftOut;
        own.leftOut = 0;
        return leftOut;
    }

    private Minute minuteOf(SimpleImmutableEntry<String, String> caller, long now) {
        Minute before = byCaller.remove(caller);
        Minute minute = before == null ? new Minute(now) : before.at(now);
        if (byCaller.size() == MAX_CALLERS) {
            byCaller.remove(byCaller.keySet().iterator().next());
        }
        byCaller.put(caller, minute);
        return minute;
    }

    private static final class Minute {
        private final long beganNanos;
        private final Set<String> said = new HashSet<>();
        private int lines;
        private long leftOut;

        Minute(long beganNanos) {
            this.beganNanos = beganNanos;
        }

        Minute at(long now) {
            if (now - beganNanos < MINUTE_NANOS) {
                return this;
            }
            Minute next = new Minute(now);
            next.leftOut = leftOut;
            return next;
        }
    }
}

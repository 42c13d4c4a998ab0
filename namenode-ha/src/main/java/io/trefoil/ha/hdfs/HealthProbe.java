/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs;

import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.security.SecurityUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the NameNode's health again and again, on a thread of its own, since a look at a NameNode that is stuck does
 * not return. A second thread sees what the first one waits for, and whether anybody is at work there: a long operation is no
 * trouble, however long it takes.
 *
 * <p>Uses {@code NamenodeProtocols.monitorHealth}, as the ZKFC does, and {@code versionRequest}, which takes the
 * namesystem's lock for reading in every role; {@code SecurityUtil.doAsLoginUser}.
 */
final class HealthProbe {
    private static final Logger LOG = LoggerFactory.getLogger(HealthProbe.class);

    private static final String FINE = "";
    /** How many times at least it is seen within the timeout who is at work. */
    private static final long SIGHTS = 10;

    private final NameNode nameNode;
    private final Duration interval;
    private final Duration timeout;
    private final long sightNanos;
    private final Thread thread = new Thread(this::run, "mams-health");
    private final Thread watch = new Thread(this::watch, "mams-health-watch");
    private volatile String found = FINE;
    /** Odd while one is under way. */
    private volatile long looks;

    private volatile boolean stuck;
    private volatile boolean holderAtWork;

    HealthProbe(NameNode nameNode, Duration interval, Duration timeout) {
        this.nameNode = nameNode;
        this.interval = interval;
        this.timeout = timeout;
        this.sightNanos = Math.min(interval.toNanos(), timeout.toNanos() / SIGHTS);
        thread.setDaemon(true);
        watch.setDaemon(true);
    }

    void start() {
        thread.start();
        watch.start();
    }

    void stop() {
        thread.interrupt();
        watch.interrupt();
    }

    /** What ails the NameNode; empty if nothing does. */
    String trouble() {
        if (stuck) {
            return "the namesystem's lock or the NameNode's monitor was not to be had for " + timeout.toMillis()
                    + " ms, and nobody was at work on anything that holds it";
        }
        return found;
    }

    /** Whether a look waits, and whoever it waits for is at work. */
    boolean isHolderAtWork() {
        return holderAtWork;
    }

    private void run() {
        while (!Thread.currentThread().isInterrupted()) {
            try {
                TimeUnit.MILLISECONDS.sleep(interval.toMillis());
            } catch (InterruptedException e) {
                return;
            }
            if (HdfsNameNode.hasStarted(nameNode)) {
                long number = looks + 1;
                looks = number;
                say(look());
                looks = number + 1;
            }
        }
    }

    private String look() {
        try {
            SecurityUtil.doAsLoginUser((PrivilegedExceptionAction<Void>) () -> {
                nameNode.getRpcServer().monitorHealth();
                nameNode.getRpcServer().versionRequest();
                return null;
            });
            return FINE;
        } catch (IOException | RuntimeException e) {
            return "unhealthy: " + e.getMessage();
        }
    }

    private void say(String now) {
        if (!now.equals(found)) {
            LOG.warn("Health of this NameNode: {}", now.isEmpty() ? "in order again" : now);
        }
        found = now;
    }

    private void watch() {
        LockHolder holder = new LockHolder(thread);
        WorkMeter meter = new WorkMeter(timeout.toNanos());
        long seenLooks = 0;
        long seenNanos = System.nanoTime();
        while (!Thread.currentThread().isInterrupted()) {
            try {
                TimeUnit.NANOSECONDS.sleep(sightNanos);
            } catch (InterruptedException e) {
                return;
            }
            long now = System.nanoTime();
            // All threads may have stood still, in a collection of garbage or with the machine; that is nobody's
            // idleness.
            long whileNanos = Math.min(now - seenNanos, 2 * sightNanos);
            seenNanos = now;
            boolean waits = looks == seenLooks && looks % 2 == 1;
            seenLooks = looks;
            if (waits) {
                meter.add(whileNanos, holder.workedNanos());
            } else {
                meter.reset();
                holder.forget();
            }
            holderAtWork = waits && meter.idleNanos() == 0;
            stuck = waits && meter.idleNanos() > timeout.toNanos();
        }
    }
}

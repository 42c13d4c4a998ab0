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
 * not return.
 *
 * <p>Uses {@code NamenodeProtocols.monitorHealth}, as the ZKFC does, and {@code versionRequest}, which takes the
 * namesystem's lock for reading in every role; {@code SecurityUtil.doAsLoginUser}.
 */
final class HealthProbe {
    private static final Logger LOG = LoggerFactory.getLogger(HealthProbe.class);

    private static final String FINE = "";

    private final NameNode nameNode;
    private final Duration interval;
    private final Duration timeout;
    private final Thread thread = new Thread(this::run, "mams-health");
    private volatile String found = FINE;
    private volatile long lookingSinceNanos;
    private volatile boolean looking;

    HealthProbe(NameNode nameNode, Duration interval, Duration timeout) {
        this.nameNode = nameNode;
        this.interval = interval;
        this.timeout = timeout;
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    void stop() {
        thread.interrupt();
    }

    /** What ails the NameNode; empty if nothing does. */
    String trouble() {
        if (looking && System.nanoTime() - lookingSinceNanos > timeout.toNanos()) {
            return "the namesystem's lock or the NameNode's monitor was not to be had for " + timeout.toMillis()
                    + " ms";
        }
        return found;
    }

    private void run() {
        while (!Thread.currentThread().isInterrupted()) {
            try {
                TimeUnit.MILLISECONDS.sleep(interval.toMillis());
            } catch (InterruptedException e) {
                return;
            }
            if (HdfsNameNode.hasStarted(nameNode)) {
                lookingSinceNanos = System.nanoTime();
                looking = true;
                say(look());
                looking = false;
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
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs;

import io.trefoil.foundation.DaemonThreads;
import io.trefoil.foundation.ProcessRunClock;
import io.trefoil.ha.hdfs.watch.FlushStallDetector;
import io.trefoil.ha.hdfs.watch.ProgressMonitor;
import io.trefoil.ha.model.MemberReasons;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.security.SecurityUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks the NameNode's health periodically, on its own thread, because the check of a stuck NameNode does not return.
 * A second thread watches what the first one waits for, and whether any thread makes progress there: a long operation
 * is healthy, however long it takes. It watches a change of role in the same way, because that may hang without holding
 * any lock.
 *
 * <p>Uses {@code NamenodeProtocols.monitorHealth}, as the ZKFC does; {@code FSNamesystem.readLock}, {@code readUnlock};
 * {@code FSEditLog.getSyncTxId}, which takes the edit log's monitor; {@code NameNode.isActiveState}, {@code getNamesystem},
 * {@code getFSImage}; {@code SecurityUtil.doAsLoginUser}.
 */
final class HealthProbe {
    private static final Logger LOG = LoggerFactory.getLogger(HealthProbe.class);

    /** The interval of the checks, which is that of a ZKFC. */
    private static final Duration INTERVAL = Duration.ofSeconds(1);

    /**
     * The time after which a lock counts as stuck: longer than a disk or its controller takes to recover on its own;
     * nothing is decided while a thread makes progress.
     */
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private static final String FINE = "";
    /** How often, at least, progress is checked within the timeout. */
    private static final long SIGHTS = 10;

    private final NameNode nameNode;
    private final LongSupplier committedTxId;
    private final Duration interval;
    private final Duration timeout;
    private final long sightNanos;
    private final Thread thread = new Thread(this::run, "mams-health");
    private final Thread watch = new Thread(this::watch, "mams-health-watch");
    private final ProgressMonitor look;
    private final FlushStallDetector flush = new FlushStallDetector();
    private final LongSupplier nanoTime;
    private final ProcessRunClock running;
    private volatile String found = FINE;
    /** The number of starts and ends of checks: odd while one is in progress. */
    private volatile long looks;
    // The last count seen; on the watching thread.
    private long seenLooks;
    /** The change of role in progress. */
    private volatile Optional<ProgressMonitor> change = Optional.empty();

    /** @param committedTxId the last transaction that a majority of the pool has, as far as this NameNode wrote it */
    HealthProbe(NameNode nameNode, LongSupplier committedTxId) {
        this(nameNode, committedTxId, INTERVAL, TIMEOUT, System::nanoTime);
    }

    /** @param nanoTime a monotonic clock */
    HealthProbe(
            NameNode nameNode, LongSupplier committedTxId, Duration interval, Duration timeout, LongSupplier nanoTime) {
        this.nameNode = nameNode;
        this.committedTxId = committedTxId;
        this.interval = interval;
        this.timeout = timeout;
        this.sightNanos = Math.min(interval.toNanos(), timeout.toNanos() / SIGHTS);
        this.look = new ProgressMonitor(thread, timeout);
        this.nanoTime = nanoTime;
        this.running = new ProcessRunClock(2 * sightNanos, nanoTime.getAsLong());
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

    /** Makes a change of role, and watches whether any thread makes progress on it until it is done. One at a time. */
    void change(RoleChange roleChange) throws IOException {
        change = Optional.of(new ProgressMonitor(Thread.currentThread(), timeout));
        try {
            roleChange.apply();
        } finally {
            change = Optional.empty();
        }
    }

    /** The trouble of the NameNode; empty if there is none. */
    String unhealthyReason() {
        if (look.isStuck()) {
            return MemberReasons.STUCK + timeout.toMillis() + " ms, and no thread that holds it was working";
        }
        if (change.filter(ProgressMonitor::isStuck).isPresent()) {
            return "a change of its role did not finish, and no thread was working on it for " + timeout.toMillis()
                    + " ms";
        }
        return found;
    }

    /** Whether a check is waiting or a change of role is in progress, and the thread that it waits for makes progress. */
    boolean isLockHolderProgressing() {
        return look.isMakingProgress()
                || change.filter(ProgressMonitor::isMakingProgress).isPresent();
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
                logChange(check());
                looks = number + 1;
            }
        }
    }

    private String check() {
        try {
            SecurityUtil.doAsLoginUser((PrivilegedExceptionAction<Void>) () -> {
                nameNode.getRpcServer().monitorHealth();
                return null;
            });
            // All of it: where directories and blocks have locks of their own, a thread that is stuck with one may
            // leave the other free.
            nameNode.getNamesystem().readLock();
            nameNode.getNamesystem().readUnlock("health");
            return checkFlushes();
        } catch (IOException | RuntimeException e) {
            return "unhealthy: " + e.getMessage() + LowSpaceVolumes.describe(nameNode.getConf());
        } catch (Error e) {
            // For example without memory: the next check may have some, and must take place.
            return "unhealthy: " + e;
        }
    }

    /**
     * Compares flushes with commits. Called after the lock was held: no change of role is half-way, so both numbers
     * belong to one term.
     */
    private String checkFlushes() {
        if (!nameNode.isActiveState()) {
            flush.forget();
            return FINE;
        }
        // In this order: a later commit must not be compared with an earlier flush.
        long committed = committedTxId.getAsLong();
        long flushed = nameNode.getFSImage().getEditLog().getSyncTxId();
        boolean hangs = flush.behindNanos(flushed, committed, running.nanos()) > timeout.toNanos();
        return hangs
                ? "HDFS has not flushed its edits above transaction " + flushed + " for " + timeout.toMillis()
                        + " ms, though a majority of the pool has them up to " + committed
                        + ": check the disks of dfs.namenode.edits.dir"
                : FINE;
    }

    private void logChange(String now) {
        if (!now.equals(found)) {
            if (now.equals(FINE)) {
                LOG.info("Health of this NameNode: healthy again");
            } else {
                LOG.warn("Health of this NameNode: {}", now);
            }
        }
        found = now;
    }

    private void watch() {
        // If this thread failed once, its last result would stand forever.
        Runnable sight = DaemonThreads.logFailures(this::sampleProgress);
        while (!Thread.currentThread().isInterrupted()) {
            try {
                TimeUnit.NANOSECONDS.sleep(sightNanos);
            } catch (InterruptedException e) {
                return;
            }
            sight.run();
        }
    }

    private void sampleProgress() {
        // While all threads were paused, none was idle.
        long whileNanos = running.sample(nanoTime.getAsLong());
        boolean waits = looks == seenLooks && looks % 2 == 1;
        seenLooks = looks;
        if (waits) {
            look.sample(whileNanos);
        } else {
            look.forget();
        }
        change.ifPresent(progress -> progress.sample(whileNanos));
    }

    /** A change of role. */
    interface RoleChange {
        void apply() throws IOException;
    }
}

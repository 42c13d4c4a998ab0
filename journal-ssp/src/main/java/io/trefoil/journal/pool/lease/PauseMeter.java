/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.lease;

import io.trefoil.foundation.DaemonThreads;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Measures for how long this process stands still, whether its garbage is collected, its host is busy or it is stopped, and for how long
 * its journal's disk does not answer, and derives the lease from that. A thread of its own looks forty times a second: what it is
 * late by, the process stood still. Thread-safe.
 */
public final class PauseMeter implements AutoCloseable {
    private static final long LOOK_MILLIS = 25;

    private final LongSupplier nanoTime;
    private final Supplier<Duration> diskStallTime;
    private final Consumer<LeaseChoice> leaseListener;
    private final PauseWindow process;
    private final PauseWindow disk;
    private final ScheduledExecutorService thread;
    private long lookedNanos;
    private volatile LeaseChoice choice = LeaseRule.choose(0, 0);

    /**
     * Creates a meter that does not measure yet.
     *
     * @param leaseListener gets what is derived at each look, on the meter's thread; must not block
     */
    public PauseMeter(LongSupplier nanoTime, Supplier<Duration> diskStallTime, Consumer<LeaseChoice> leaseListener) {
        this.nanoTime = nanoTime;
        this.diskStallTime = diskStallTime;
        this.leaseListener = leaseListener;
        this.lookedNanos = nanoTime.getAsLong();
        this.process = new PauseWindow(lookedNanos);
        this.disk = new PauseWindow(lookedNanos);
        this.thread = Executors.newSingleThreadScheduledExecutor(DaemonThreads.newFactory("ssp-pauses"));
    }

    /** Measures from now on. */
    public void start() {
        thread.scheduleWithFixedDelay(this::samplePause, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Measures once. */
    void samplePause() {
        long nowNanos = nanoTime.getAsLong();
        long lateMillis = Math.max(0, TimeUnit.NANOSECONDS.toMillis(nowNanos - lookedNanos) - LOOK_MILLIS);
        lookedNanos = nowNanos;
        // A disk could not answer a process that stood still.
        long diskMillis = Math.max(0, diskStallTime.get().toMillis() - lateMillis);
        choice = LeaseRule.choose(process.record(lateMillis, nowNanos), disk.record(diskMillis, nowNanos));
        leaseListener.accept(choice);
    }

    /** Returns the lease that a term which begins now asks for. */
    public LeaseChoice choice() {
        return choice;
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.watch;

import java.time.Duration;

/**
 * Monitors whether a working thread, or whatever it waits for, makes progress. One thread checks; any thread may read the
 * result.
 */
public final class ProgressMonitor {
    private final LockProgressMonitor holder;
    private final WorkMeter meter;
    private final long timeoutNanos;
    private volatile boolean stuck;
    private volatile boolean atWork;

    /** @param timeout how long there may be no work on it */
    public ProgressMonitor(Thread waitingThread, Duration timeout) {
        this.holder = new LockProgressMonitor(waitingThread);
        this.meter = new WorkMeter(timeout.toNanos());
        this.timeoutNanos = timeout.toNanos();
    }

    /** Takes another sample, {@code whileNanos} after the previous one. */
    public void sample(long whileNanos) {
        meter.add(whileNanos, holder.workedNanos());
        stuck = meter.idleNanos() > timeoutNanos;
        // Not only at the looks at which enough work has added up: a thread that gets little of a processor is at work
        // in between, too.
        atWork = meter.hasDoneEnoughWork() && !stuck;
    }

    /** Resets the wait: the thread's condition came true, and it may now be waiting for another one. */
    public void forget() {
        meter.reset();
        holder.forget();
        stuck = false;
        atWork = false;
    }

    public boolean isStuck() {
        return stuck;
    }

    /** Whether there was enough work within the timeout. */
    public boolean isMakingProgress() {
        return atWork;
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.watch;

/**
 * How long there has been no progress on what a thread waits for. A thread that uses less than one percent of a
 * processor is only polling.
 *
 * <p>Not for use by several threads.
 */
final class WorkMeter {

    private static final long SHARE = 100;

    private final long patienceNanos;
    private final long enoughNanos;
    private long sumNanos;
    private long workedNanos;
    private long idleNanos;
    private boolean hasWorked;
    private boolean workedLately;

    /** @param patienceNanos over how long the share is taken */
    WorkMeter(long patienceNanos) {
        this.patienceNanos = patienceNanos;
        this.enoughNanos = patienceNanos / SHARE;
    }

    /**
     * Adds what was seen in one more while.
     *
     * @param whileNanos how long it was
     * @param worked how much of a processor was used in it
     */
    void add(long whileNanos, long worked) {
        workedLately = worked >= whileNanos / SHARE;
        idleNanos += whileNanos;
        sumNanos += whileNanos;
        workedNanos = worked >= enoughNanos ? enoughNanos : workedNanos + worked;
        if (workedNanos >= enoughNanos) {
            workedNanos = 0;
            sumNanos = 0;
            idleNanos = 0;
            hasWorked = true;
        } else if (sumNanos >= patienceNanos) {
            // What little there was must not add up for hours.
            workedNanos = 0;
            sumNanos = 0;
        }
    }

    /** Whether there ever was enough work since the beginning, or is enough now and has merely not come together yet. */
    boolean hasWorked() {
        return hasWorked || workedLately;
    }

    /** Since there was enough work, or since the beginning. */
    long idleNanos() {
        return idleNanos;
    }

    void reset() {
        workedNanos = 0;
        sumNanos = 0;
        idleNanos = 0;
        hasWorked = false;
        workedLately = false;
    }
}

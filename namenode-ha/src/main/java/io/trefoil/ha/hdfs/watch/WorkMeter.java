/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.watch;

/**
 * Measures how long the work that a thread waits for has made no progress. A thread that uses less than one percent of a
 * processor is only polling.
 *
 * <p>Not for use by several threads.
 */
final class WorkMeter {

    private static final long SHARE = 100;

    private final long timeoutNanos;
    private final long enoughNanos;
    private long sumNanos;
    private long workedNanos;
    private long idleNanos;
    private boolean hasWorked;
    private boolean workedLately;

    /** @param timeoutNanos the time over which the share of a processor is measured */
    WorkMeter(long timeoutNanos) {
        this.timeoutNanos = timeoutNanos;
        this.enoughNanos = timeoutNanos / SHARE;
    }

    /**
     * Adds the observations of another interval.
     *
     * @param whileNanos the length of the interval
     * @param workNanos the processor time used in it, in nanoseconds
     */
    void add(long whileNanos, long workNanos) {
        workedLately = workNanos >= whileNanos / SHARE;
        idleNanos += whileNanos;
        sumNanos += whileNanos;
        workedNanos = workNanos >= enoughNanos ? enoughNanos : workedNanos + workNanos;
        if (workedNanos >= enoughNanos) {
            workedNanos = 0;
            sumNanos = 0;
            idleNanos = 0;
            hasWorked = true;
        } else if (sumNanos >= timeoutNanos) {
            // Small amounts of work must not add up over hours.
            workedNanos = 0;
            sumNanos = 0;
        }
    }

    /** Whether there has been enough work since the beginning, or the last interval had enough that has merely not added up yet. */
    boolean hasDoneEnoughWork() {
        return hasWorked || workedLately;
    }

    /** The time since there was last enough work, or since the beginning. */
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

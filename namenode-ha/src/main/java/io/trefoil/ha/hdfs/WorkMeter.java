/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs;

/**
 * For how long nobody has worked on what a thread waits for. Who uses less than a hundredth of a processor only looks again and again
 * whether something has come.
 *
 * <p>Not for use by several threads.
 */
final class WorkMeter {

    private static final long SHARE = 100;

    private final long enoughNanos;
    private long workedNanos;
    private long idleNanos;

    /** @param patienceNanos over how long the share is taken */
    WorkMeter(long patienceNanos) {
        this.enoughNanos = patienceNanos / SHARE;
    }

    /**
     * Adds what was seen in one more while.
     *
     * @param whileNanos how long it was
     * @param worked how much of a processor was used in it
     */
    void add(long whileNanos, long worked) {
        idleNanos += whileNanos;
        workedNanos = worked >= enoughNanos ? enoughNanos : workedNanos + worked;
        if (workedNanos >= enoughNanos) {
            workedNanos = 0;
            idleNanos = 0;
        }
    }

    /** Since there was enough work, or since the beginning. */
    long idleNanos() {
        return idleNanos;
    }

    void reset() {
        workedNanos = 0;
        idleNanos = 0;
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs;

/**
 * For how long HDFS has not ended a flush of edits that a majority of the pool has. It writes the pool first and its own directories
 * ({@code dfs.namenode.edits.dir}) then, one after the other, so it waits for a disk of these: nobody's change is acknowledged
 * meanwhile. A flush that waits for a majority is none of that.
 *
 * <p>Not for use by several threads.
 */
final class FlushWatch {
    private long lastFlushed = -1;
    private long sinceNanos;

    /**
     * Looks once more.
     *
     * @param flushed the last transaction of which HDFS knows that it is everywhere
     * @param committed the last that a majority of the pool has
     * @return since when the same flush has not ended; zero if none is behind
     */
    long behindNanos(long flushed, long committed, long nowNanos) {
        if (committed <= flushed) {
            forget();
            return 0;
        }
        if (flushed != lastFlushed) {
            lastFlushed = flushed;
            sinceNanos = nowNanos;
        }
        return nowNanos - sinceNanos;
    }

    void forget() {
        lastFlushed = -1;
    }
}

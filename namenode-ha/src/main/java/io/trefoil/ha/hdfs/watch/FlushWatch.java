/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.watch;

import io.trefoil.foundation.RunningTime;

/**
 * How long HDFS has not finished a flush of edits that a majority of the pool already has. HDFS writes to the pool
 * first and then to its own directories ({@code dfs.namenode.edits.dir}), one after the other, so it is waiting for a
 * disk of these, and acknowledges no change meanwhile. A flush that waits for a majority does not count.
 *
 * <p>Not for use by several threads.
 */
public final class FlushWatch {
    private long lastFlushed = -1;
    private long sinceNanos;

    /**
     * Looks once more.
     *
     * @param flushed the last transaction of which HDFS knows that it is everywhere
     * @param committed the last that a majority of the pool has
     * @param nowNanos by a clock that stands still while the process does, see {@link RunningTime}
     * @return since when the same flush has not ended; zero if none is behind
     */
    public long behindNanos(long flushed, long committed, long nowNanos) {
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

    public void forget() {
        lastFlushed = -1;
    }
}

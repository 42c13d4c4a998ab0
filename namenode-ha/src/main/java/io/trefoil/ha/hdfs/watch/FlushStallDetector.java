/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.watch;

import io.trefoil.foundation.ProcessRunClock;

/**
 * Measures for how long HDFS has failed to finish a flush of edits that a majority of the pool already has. HDFS writes to the
 * pool first and then to its own directories ({@code dfs.namenode.edits.dir}), one after the other. So it is waiting
 * for a disk of one of these, and acknowledges no change meanwhile. A flush that waits for a majority does not count.
 *
 * <p>Not for use by several threads.
 */
public final class FlushStallDetector {
    private long lastFlushed = -1;
    private long sinceNanos;

    /**
     * Takes another sample.
     *
     * @param flushed the last transaction that HDFS knows to be in all directories
     * @param committed the last that a majority of the pool has
     * @param nowNanos by a clock that stops while the process is paused, see {@link ProcessRunClock}
     * @return how long the same flush has been unfinished; zero if none is behind
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

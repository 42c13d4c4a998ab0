/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.namenode;

import java.util.concurrent.ForkJoinPool;
import java.util.function.BooleanSupplier;

/** Uses the processor as a method of HDFS's own does; its package is how others know it. */
public final class WorkWithinHdfs {

    private WorkWithinHdfs() {}

    public static void workUntil(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            Thread.onSpinWait();
        }
    }

    /** The same by a thread of a pool, for which the caller waits, as HDFS does it when it counts quotas. */
    public static void workInPoolUntil(BooleanSupplier condition) {
        ForkJoinPool pool = new ForkJoinPool(1);
        try {
            pool.submit(() -> workUntil(condition)).join();
        } finally {
            pool.shutdown();
        }
    }
}

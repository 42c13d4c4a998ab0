/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.namenode;

import java.util.function.BooleanSupplier;

/** Uses the processor as a method of HDFS's own does; its package is how others know it. */
public final class WorkWithinHdfs {

    private WorkWithinHdfs() {}

    public static void until(BooleanSupplier done) {
        while (!done.getAsBoolean()) {
            Thread.onSpinWait();
        }
    }
}

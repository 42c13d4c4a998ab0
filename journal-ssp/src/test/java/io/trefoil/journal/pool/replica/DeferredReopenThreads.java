/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.replica;

import io.trefoil.foundation.LogThread;
import io.trefoil.journal.pool.disk.ReplicaThreads;
import java.util.List;

/** Threads of a replica that do everything at once, but open storage again only when a test says so. */
final class DeferredReopenThreads extends ReplicaThreads.DirectExecution {
    private final List<Runnable> reopenings;
    private final LogThread log = new LogThread("ssp-log-test");
    private boolean opened;

    /** @param reopenings gets them */
    DeferredReopenThreads(List<Runnable> reopenings) {
        this.reopenings = reopenings;
    }

    @Override
    public void executeLongTask(Runnable task) {
        if (opened) {
            reopenings.add(task);
        } else {
            opened = true;
            task.run();
        }
    }

    @Override
    public void log(Runnable line) {
        log.write(line);
    }
}

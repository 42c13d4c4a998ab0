/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim;

import io.trefoil.journal.pool.disk.ReplicaThreads;

/** No threads, and nobody reads what thousands of broken disks are reported for. */
enum SilentThreads implements ReplicaThreads {
    ALL;

    @Override
    public void disk(Runnable task) {
        task.run();
    }

    @Override
    public void reading(Runnable task) {
        task.run();
    }

    @Override
    public void apart(Runnable task) {
        task.run();
    }

    @Override
    public void log(Runnable line) {
        // Not written.
    }

    @Override
    public void end() {
        // There are none.
    }
}

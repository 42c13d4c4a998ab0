/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.disk;

/** Runs what waits for the disk of one replica, on behalf of threads that must not wait. */
public interface ReplicaThreads {

    /** There are none: callers do everything themselves. */
    ReplicaThreads NONE = new Callers();

    /** Does one after the other, in the order in which they came. */
    void disk(Runnable task);

    /** @throws java.util.concurrent.RejectedExecutionException if too many wait for the disk already */
    void reading(Runnable task);

    /** Does what may take minutes, such as reading a long log; nothing else waits for it. */
    void apart(Runnable task);

    /** Writes a line to the log, whose disk may hang; nothing else waits for it, and it may be lost. */
    void log(Runnable line);

    /** Takes no more; what is here is done yet. The replica is closed. */
    void end();

    /** Runs everything on the calling thread: for a single thread that does everything, as in a simulation. */
    class Callers implements ReplicaThreads {
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
            line.run();
        }

        @Override
        public void end() {
            // They belong to others.
        }
    }
}

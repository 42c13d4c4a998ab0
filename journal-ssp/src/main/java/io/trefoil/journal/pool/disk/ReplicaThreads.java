/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.disk;

/** Runs work that waits for one replica's disk, on behalf of threads that must not wait. */
public interface ReplicaThreads {

    /** The absence of threads: callers do all the work themselves. */
    ReplicaThreads NONE = new DirectExecution();

    /** Runs tasks one after the other, in the order in which they came. */
    void executeOnDisk(Runnable task);

    /** @throws java.util.concurrent.RejectedExecutionException if too many wait for the disk already */
    void executeRead(Runnable task);

    /** Runs a task that may take minutes, such as reading a long log; nothing else waits for it. */
    void executeLongTask(Runnable task);

    /** Writes a line to the log, whose disk may hang; nothing else waits for it, and the line may be lost. */
    void log(Runnable logCall);

    /** Accepts no more tasks, but completes those accepted. Called when the replica is closed. */
    void shutDown();

    /** Runs everything on the calling thread: for a single thread that does everything, as in a simulation. */
    class DirectExecution implements ReplicaThreads {
        @Override
        public void executeOnDisk(Runnable task) {
            task.run();
        }

        @Override
        public void executeRead(Runnable task) {
            task.run();
        }

        @Override
        public void executeLongTask(Runnable task) {
            task.run();
        }

        @Override
        public void log(Runnable line) {
            line.run();
        }

        @Override
        public void shutDown() {
            // The threads belong to the callers.
        }
    }
}

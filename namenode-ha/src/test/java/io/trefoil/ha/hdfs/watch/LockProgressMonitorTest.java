/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two locks that are taken in order, as HDFS's fine-grained model takes that of directories and that of blocks. */
class LockProgressMonitorTest {
    private final ReentrantReadWriteLock directories = new ReentrantReadWriteLock(true);
    private final ReentrantReadWriteLock blocks = new ReentrantReadWriteLock(true);
    private final Deque<CountDownLatch> ends = new ArrayDeque<>();
    private final List<Thread> threads = new ArrayList<>();

    @AfterEach
    void end() throws InterruptedException {
        ends.forEach(CountDownLatch::countDown);
        for (Thread thread : threads) {
            thread.join();
        }
    }

    @Test
    void monitorDetectsProgressWhenInnerLockChangesOwner() {
        holdBlockLock();
        holdBlockLock();
        start(() -> runLocked(directories.writeLock(), () -> runLocked(blocks.writeLock(), () -> {})));
        await().until(() -> directories.isWriteLocked() && blocks.getQueueLength() == 2);
        Thread probe = start(() -> runLocked(directories.readLock(), () -> {}));
        await().until(() -> directories.hasQueuedThread(probe));
        LockProgressMonitor watch = new LockProgressMonitor(probe);
        watch.workedNanos();
        assertThat(watch.workedNanos()).isLessThan(Long.MAX_VALUE);

        ends.removeFirst().countDown();

        await().until(() -> blocks.getQueueLength() == 1);
        assertThat(watch.workedNanos()).isEqualTo(Long.MAX_VALUE);
    }

    private void holdBlockLock() {
        CountDownLatch end = new CountDownLatch(1);
        ends.addLast(end);
        Thread holder = start(() -> runLocked(blocks.writeLock(), () -> awaitUninterrupted(end)));
        await().until(() -> blocks.hasQueuedThread(holder) || holder.getState() == Thread.State.WAITING);
    }

    private static void awaitUninterrupted(CountDownLatch end) {
        try {
            end.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void runLocked(Lock lock, Runnable task) {
        lock.lock();
        try {
            task.run();
        } finally {
            lock.unlock();
        }
    }

    private Thread start(Runnable task) {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
        return thread;
    }
}

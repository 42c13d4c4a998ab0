/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.failover;

import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.cluster.server.RoleProbe;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;

/** Polls NameNodes for their role, each on its own thread, until one of them reports to be active. */
final class RolePoller implements AutoCloseable {
    private static final long POLL_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final AtomicLong activeNanos = new AtomicLong();
    private final CountDownLatch seen = new CountDownLatch(1);
    private final List<Thread> threads;

    RolePoller(List<NameNodeServer> nameNodes) {
        threads = nameNodes.stream()
                .map(nameNode -> new Thread(() -> watch(nameNode), "role-" + nameNode.name()))
                .toList();
        threads.forEach(thread -> thread.setDaemon(true));
        threads.forEach(Thread::start);
    }

    private void watch(NameNodeServer nameNode) {
        try (RoleProbe probe = nameNode.newRoleProbe()) {
            while (seen.getCount() > 0 && !Thread.currentThread().isInterrupted()) {
                try {
                    if (probe.role() == HAServiceState.ACTIVE) {
                        activeNanos.compareAndSet(0, System.nanoTime());
                        seen.countDown();
                    }
                } catch (IOException doesNotAnswer) {
                    // The loop asks it again.
                }
                LockSupport.parkNanos(POLL_INTERVAL_NANOS);
            }
        }
    }

    /**
     * Returns when a NameNode first reported to be active, by {@link System#nanoTime}; empty if none did in time.
     */
    OptionalLong awaitActive(Duration limit) throws InterruptedException {
        return seen.await(limit.toMillis(), TimeUnit.MILLISECONDS)
                ? OptionalLong.of(activeNanos.get())
                : OptionalLong.empty();
    }

    @Override
    public void close() {
        threads.forEach(Thread::interrupt);
    }
}

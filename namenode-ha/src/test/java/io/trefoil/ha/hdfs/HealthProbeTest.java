/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trefoil.journal.hdfs.TestNameNodes;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.WorkWithinHdfs;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** The health of a stock NameNode, of which something is wrong. */
class HealthProbeTest {
    private static final Duration INTERVAL = Duration.ofMillis(20);
    private static final Duration TIMEOUT = Duration.ofMillis(500);

    @TempDir
    private Path directory;

    private TestNameNodes nameNodes;
    private HealthProbe probe;
    private final AtomicLong committedTxId = new AtomicLong();

    @BeforeEach
    void format(TestInfo test) throws IOException {
        nameNodes = new TestNameNodes(
                directory, "health-" + test.getTestMethod().get().getName());
        nameNodes.format("nn1");
    }

    @AfterEach
    void close() {
        probe.stop();
        nameNodes.close();
    }

    private NameNode startNameNodeWithProbe() throws IOException {
        NameNode nameNode = nameNodes.start("nn1");
        probe = new HealthProbe(nameNode, committedTxId::get, INTERVAL, TIMEOUT, System::nanoTime);
        probe.start();
        return nameNode;
    }

    private void expectUnhealthyWhileLocked(NameNode nameNode) {
        nameNode.getNamesystem().writeLock();
        try {
            await().untilAsserted(
                            () -> assertThat(probe.unhealthyReason()).contains("could not be acquired for 500 ms"));
        } finally {
            nameNode.getNamesystem().writeUnlock("HealthProbeTest");
        }

        await().untilAsserted(() -> assertThat(probe.unhealthyReason()).isEmpty());
    }

    @Test
    void reportsUnhealthyWhenActiveHoldsNamesystemLockTooLong() throws IOException {
        NameNode nameNode = startNameNodeWithProbe();
        TestNameNodes.makeActive(nameNode);
        // It has the lock as well, perhaps while it waits for a disk.
        await().untilAsserted(() -> assertThat(probe.unhealthyReason()).isEmpty());

        expectUnhealthyWhileLocked(nameNode);
    }

    @Test
    void keepsProbingAfterOutOfMemoryError() throws IOException {
        AtomicBoolean isShort = new AtomicBoolean();
        NameNode nameNode = nameNodes.start("nn1");
        probe = new HealthProbe(
                nameNode,
                () -> {
                    if (isShort.get()) {
                        throw new OutOfMemoryError("Java heap space");
                    }
                    return 0;
                },
                INTERVAL,
                TIMEOUT,
                System::nanoTime);
        probe.start();
        TestNameNodes.makeActive(nameNode);

        isShort.set(true);
        await().untilAsserted(() -> assertThat(probe.unhealthyReason()).contains("Java heap space"));
        isShort.set(false);

        await().untilAsserted(() -> assertThat(probe.unhealthyReason()).isEmpty());
        expectUnhealthyWhileLocked(nameNode);
    }

    @Test
    void reportsUnhealthyWhenStandbyHoldsNamesystemLockTooLong() throws IOException {
        NameNode nameNode = startNameNodeWithProbe();

        expectUnhealthyWhileLocked(nameNode);
    }

    @Test
    void busyLockHolderIsHealthy() throws IOException {
        NameNode nameNode = startNameNodeWithProbe();
        TestNameNodes.makeActive(nameNode);
        FSNamesystem namesystem = nameNode.getNamesystem();

        namesystem.writeLock();
        try {
            workUntil(probe::isLockHolderProgressing);
            long enough = System.nanoTime() + TIMEOUT.multipliedBy(4).toNanos();
            workUntil(() -> System.nanoTime() >= enough);
            assertThat(probe.isLockHolderProgressing()).isTrue();
        } finally {
            namesystem.writeUnlock("HealthProbeTest");
        }
        await().untilAsserted(() -> assertThat(probe.isLockHolderProgressing()).isFalse());
    }

    @Test
    void lockHolderDelegatingToBusyThreadsIsHealthy() throws Exception {
        NameNode nameNode = startNameNodeWithProbe();
        FSNamesystem namesystem = nameNode.getNamesystem();
        AtomicBoolean done = new AtomicBoolean();
        // The holder itself only waits.
        Thread holder = new Thread(() -> {
            namesystem.writeLock();
            try {
                WorkWithinHdfs.workInPoolUntil(done::get);
            } finally {
                namesystem.writeUnlock("HealthProbeTest");
            }
        });

        holder.start();
        try {
            await().until(probe::isLockHolderProgressing);
            await().during(TIMEOUT.multipliedBy(4))
                    .atMost(TIMEOUT.multipliedBy(20))
                    .until(() -> probe.unhealthyReason().isEmpty());
        } finally {
            done.set(true);
            holder.join();
        }
    }

    @Test
    void busyBystanderDoesNotMaskStuckLockHolder() throws Exception {
        NameNode nameNode = startNameNodeWithProbe();
        AtomicBoolean done = new AtomicBoolean();
        Thread bystander = new Thread(() -> WorkWithinHdfs.workUntil(done::get));
        bystander.start();
        try {
            expectUnhealthyWhileLocked(nameNode);
        } finally {
            done.set(true);
            bystander.join();
        }
    }

    @Test
    void laterReaderIsNotMistakenForReaderBlockingWriter() throws Exception {
        NameNode nameNode = startNameNodeWithProbe();
        FSNamesystem namesystem = nameNode.getNamesystem();
        CountDownLatch done = new CountDownLatch(1);
        CountDownLatch reads = new CountDownLatch(1);
        Thread reader = new Thread(() -> {
            namesystem.readLock();
            try {
                reads.countDown();
                awaitUninterrupted(done);
            } finally {
                namesystem.readUnlock("HealthProbeTest");
            }
        });
        Thread writer = new Thread(() -> {
            namesystem.writeLock();
            namesystem.writeUnlock("HealthProbeTest");
        });
        Thread latecomer = new Thread(() -> WorkWithinHdfs.workUntil(() -> done.getCount() == 0));
        reader.start();
        reads.await();
        writer.start();
        try {
            // Well after the first looks at which they wait.
            await().untilAsserted(() -> assertThat(probe.unhealthyReason()).contains("was working"));
            latecomer.start();
            await().during(TIMEOUT.multipliedBy(4))
                    .atMost(TIMEOUT.multipliedBy(20))
                    .until(() -> !probe.unhealthyReason().isEmpty());
        } finally {
            done.countDown();
            reader.join();
            writer.join();
            latecomer.join();
        }
    }

    @Test
    void reportsUnhealthyWhenRoleChangeHangsWithoutLock() throws Exception {
        startNameNodeWithProbe();
        CountDownLatch done = new CountDownLatch(1);
        Thread changing = startRoleChange(() -> awaitUninterrupted(done));
        try {
            await().untilAsserted(() ->
                    assertThat(probe.unhealthyReason()).startsWith("a change of its role did not finish"));
            // A check that takes long is at work itself.
            await().until(() -> !probe.isLockHolderProgressing());
        } finally {
            done.countDown();
            changing.join();
        }
        await().untilAsserted(() -> assertThat(probe.unhealthyReason()).isEmpty());
    }

    @Test
    void busyRoleChangeIsHealthy() throws Exception {
        startNameNodeWithProbe();
        AtomicBoolean done = new AtomicBoolean();
        Thread changing = startRoleChange(() -> WorkWithinHdfs.workUntil(done::get));
        try {
            await().until(probe::isLockHolderProgressing);
            await().during(TIMEOUT.multipliedBy(4))
                    .atMost(TIMEOUT.multipliedBy(20))
                    .until(() -> probe.unhealthyReason().isEmpty());
        } finally {
            done.set(true);
            changing.join();
        }
    }

    private Thread startRoleChange(Runnable task) {
        Thread changing = new Thread(() -> {
            try {
                probe.change(task::run);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        changing.start();
        return changing;
    }

    @Test
    void reportsUnhealthyWhenFlushHangsDespitePoolCommit() throws IOException {
        NameNode nameNode = startNameNodeWithProbe();
        TestNameNodes.makeActive(nameNode);
        long flushed = nameNode.getFSImage().getEditLog().getSyncTxId();

        committedTxId.set(flushed + 1);
        await().untilAsserted(() ->
                assertThat(probe.unhealthyReason()).contains("has not flushed its edits above transaction " + flushed));

        committedTxId.set(flushed);
        await().untilAsserted(() -> assertThat(probe.unhealthyReason()).isEmpty());
    }

    /** A SIGSTOP, a suspended machine: on its own disks HDFS could do nothing meanwhile. */
    @Test
    void processPauseDoesNotCountTowardsFlushTimeout() throws IOException {
        NameNode nameNode = nameNodes.start("nn1");
        AtomicLong clock = new AtomicLong();
        AtomicLong probeCount = new AtomicLong();
        probe = new HealthProbe(
                nameNode,
                () -> {
                    probeCount.incrementAndGet();
                    return committedTxId.get();
                },
                INTERVAL,
                TIMEOUT,
                clock::get);
        probe.start();
        TestNameNodes.makeActive(nameNode);
        committedTxId.set(nameNode.getFSImage().getEditLog().getSyncTxId() + 1);
        awaitProbes(probeCount, 3);

        clock.addAndGet(TIMEOUT.multipliedBy(100).toNanos());
        awaitProbes(probeCount, 20);
        assertThat(probe.unhealthyReason()).isEmpty();

        await().atMost(Duration.ofMinutes(1)).pollInterval(INTERVAL).untilAsserted(() -> {
            clock.addAndGet(INTERVAL.toNanos());
            assertThat(probe.unhealthyReason()).contains("has not flushed");
        });
    }

    /** The looks follow one another every {@link #INTERVAL}. */
    private static void awaitProbes(AtomicLong probeCount, long count) {
        long before = probeCount.get();
        await().until(() -> probeCount.get() > before + count);
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void longReadBlockingWriterIsHealthy() throws Exception {
        NameNode nameNode = startNameNodeWithProbe();
        FSNamesystem namesystem = nameNode.getNamesystem();
        AtomicBoolean done = new AtomicBoolean();
        CountDownLatch reads = new CountDownLatch(1);
        Thread reader = new Thread(() -> {
            namesystem.readLock();
            try {
                reads.countDown();
                WorkWithinHdfs.workUntil(done::get);
            } finally {
                namesystem.readUnlock("HealthProbeTest");
            }
        });
        Thread writer = new Thread(() -> {
            namesystem.writeLock();
            namesystem.writeUnlock("HealthProbeTest");
        });
        reader.start();
        reads.await();
        writer.start();
        try {
            await().until(probe::isLockHolderProgressing);
            await().during(TIMEOUT.multipliedBy(4))
                    .atMost(TIMEOUT.multipliedBy(20))
                    .until(() -> probe.unhealthyReason().isEmpty());
        } finally {
            done.set(true);
            reader.join();
            writer.join();
        }
    }

    @Test
    void reportsUnhealthyWhenThreadsDeadlock() throws Exception {
        NameNode nameNode = startNameNodeWithProbe();
        FSNamesystem namesystem = nameNode.getNamesystem();
        Object monitor = new Object();
        CountDownLatch bothHaveOne = new CountDownLatch(2);
        Thread first = new Thread(() -> {
            namesystem.writeLock();
            try {
                countDown(bothHaveOne);
                synchronized (monitor) {
                    monitor.notifyAll();
                }
            } finally {
                namesystem.writeUnlock("HealthProbeTest");
            }
        });
        Thread second = new Thread(() -> {
            synchronized (monitor) {
                countDown(bothHaveOne);
                try {
                    namesystem.writeLockInterruptibly();
                    namesystem.writeUnlock("HealthProbeTest");
                } catch (InterruptedException ended) {
                    Thread.currentThread().interrupt();
                }
            }
        });
        first.start();
        second.start();
        try {
            await().untilAsserted(() -> assertThat(probe.unhealthyReason()).contains("was working"));
        } finally {
            second.interrupt();
            first.join();
            second.join();
        }
    }

    private static void countDown(CountDownLatch latch) {
        latch.countDown();
        awaitUninterrupted(latch);
    }

    /** Uses the processor, and sees that there is no trouble all the while. */
    private void workUntil(BooleanSupplier isOver) {
        while (!isOver.getAsBoolean()) {
            assertThat(probe.unhealthyReason()).isEmpty();
        }
    }

    @Test
    void reportsUnhealthyWhenDiskSpaceIsBelowReserve() throws IOException {
        nameNodes.set("dfs.namenode.resource.checked.volumes", directory.toString());
        nameNodes.set("dfs.namenode.resource.du.reserved", String.valueOf(Long.MAX_VALUE / 2));
        startNameNodeWithProbe();

        await().untilAsserted(() ->
                assertThat(probe.unhealthyReason()).startsWith("unhealthy: ").contains("resources"));
    }
}

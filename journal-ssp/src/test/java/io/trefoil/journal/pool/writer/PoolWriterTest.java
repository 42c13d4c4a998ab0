/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.writer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trefoil.foundation.HungLog;
import io.trefoil.foundation.RuleDriver;
import io.trefoil.foundation.TestPorts;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.StorageRecord;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.pool.PoolJournal;
import io.trefoil.journal.pool.PoolSettings;
import io.trefoil.journal.pool.replica.JournalReplica;
import io.trefoil.journal.pool.server.NodeSettings;
import io.trefoil.journal.pool.server.PoolNode;
import io.trefoil.journal.pool.server.PoolObserver;
import io.trefoil.journal.pool.writer.term.WriterMachine;
import io.trefoil.journal.sim.disk.SimDisk;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.Link;
import io.trefoil.journal.transport.LinkListener;
import io.trefoil.journal.transport.Transport;
import io.trefoil.journal.transport.Welcome;
import io.trefoil.journal.transport.client.NettyTransport;
import io.trefoil.journal.writer.events.WriterSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A writer whose process cannot do what follows from a step, or whose log hangs; its one node is real, and over a real socket. */
@Timeout(120)
class PoolWriterTest {
    private static final JournalId JOURNAL = JournalId.of("ns1");
    private static final NamespaceId NAMESPACE = NamespaceId.of("CID-1", 42);
    /** Longer than until a commit is announced, shorter than from tick to tick. */
    private static final Duration SHORT = Duration.ofMillis(5);

    @TempDir
    Path directory;

    private final NodeAddress address = NodeAddress.of("127.0.0.1", TestPorts.free());
    private final ExecutorService worker = Executors.newSingleThreadExecutor();
    private final ExhaustibleTransport transport = new ExhaustibleTransport(NettyTransport.start("test"));
    private final SimDisk disk = new SimDisk(new Random(1));
    private PoolNode node;
    private PoolWriter writer;

    @BeforeEach
    @Timeout(120)
    void write() throws IOException {
        NodeSettings settings = NodeSettings.builder()
                .address(address)
                .bindHost("127.0.0.1")
                .directory(directory)
                .journalsToJoin(Map.of(JOURNAL, List.of(address)))
                .build();
        node = PoolNode.start(settings, journal -> disk.device(), PoolObserver.NONE);
        PoolSettings pool = PoolSettings.builder()
                .journal(JOURNAL)
                .addresses(List.of(address))
                .node(settings)
                .build();
        try (PoolJournal journal = new PoolJournal(pool, Optional.of(node), PoolObserver.NONE)) {
            journal.format(NAMESPACE, StorageRecord.Version.of(-67, 1000), false);
        }
        writer = open(Optional.empty(), settings("test").build());
        writer.appendAhead(EntryKind.SEGMENT_START, TxRange.emptyRangeAt(1), Bytes.ofUtf8("-67"));
        append(1);
    }

    private PoolWriter open(Optional<JournalReplica> local, WriterSettings settings) throws IOException {
        return open(WriterMachine.REAL, local, settings);
    }

    private PoolWriter open(WriterMachine machine, Optional<JournalReplica> local, WriterSettings settings)
            throws IOException {
        PoolWriter opened = PoolWriter.connect(
                machine,
                transport,
                Hello.of(JOURNAL, NAMESPACE, Hello.CallerRole.WRITER, "test", Optional.empty()),
                local,
                (from, request) -> Collections.emptyList(),
                worker,
                settings);
        opened.begin();
        return opened;
    }

    private WriterSettings.Builder settings(String name) {
        return WriterSettings.builder()
                .writer(WriterId.of(name))
                .namespace(NAMESPACE)
                .addresses(List.of(address))
                .minReplicas(1);
    }

    @AfterEach
    void close() throws IOException {
        writer.close();
        transport.close();
        node.close();
        worker.shutdownNow();
    }

    private void append(long txId) throws IOException {
        writer.append(EntryKind.EDITS, TxRange.of(txId, txId), Bytes.ofUtf8("edit " + txId));
    }

    @Test
    void appendedAheadEntryDoesNotNeedSeparateSync() throws Exception {
        writer.close();
        JournalReplica own = node.replica(JOURNAL);
        writer = open(Optional.of(own), settings("beside").localNode(address).build());
        writer.appendAhead(EntryKind.SEGMENT_START, TxRange.emptyRangeAt(2), Bytes.ofUtf8("-67"));
        append(2);
        // The timer would send what nothing follows, and the disk's thread takes what comes while it is at work.
        transport.holdTimers();
        CountDownLatch idle = new CountDownLatch(1);
        own.diskExecutor().execute(idle::countDown);
        idle.await();
        long before = disk.syncCount();

        writer.appendAhead(EntryKind.SEGMENT_END, TxRange.of(2, 2), Bytes.EMPTY);
        writer.appendAhead(EntryKind.SEGMENT_START, TxRange.emptyRangeAt(3), Bytes.ofUtf8("-67"));
        append(3);

        assertThat(disk.syncCount() - before).isEqualTo(1);
    }

    @Test
    void waiterFailsAndWritesStopWhenWriterBreaks() {
        // That of an announcement, which follows from a commit.
        transport.lacksTimers = delay -> delay.compareTo(SHORT) < 0;
        expectBroken();
        transport.lacksTimers = delay -> false;
        long sn = writer.end().position().sn();
        assertThatThrownBy(() -> append(1_000_000)).hasMessageContaining("is broken");
        assertThat(writer.end().position().sn()).isEqualTo(sn);
        assertThat(writer.hasEnded()).isTrue();
        assertThat(writer.awaitAllCommitted(Duration.ofSeconds(20))).isFalse();
    }

    @Test
    void ruleBugBreaksWriterAndReportsLastSteps() throws IOException {
        writer.close();
        AtomicBoolean isBug = new AtomicBoolean();
        WriterMachine machine = new BuggyMachine(isBug::get);
        writer = open(machine, Optional.empty(), settings("buggy").build());
        writer.appendAhead(EntryKind.SEGMENT_START, TxRange.emptyRangeAt(2), Bytes.ofUtf8("-67"));
        append(2);
        isBug.set(true);
        await().until(writer::hasEnded);
        assertThatThrownBy(() -> append(3))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is broken")
                .cause()
                .isInstanceOf(ArithmeticException.class)
                .satisfies(bug -> assertThat(bug.getSuppressed())
                        .singleElement()
                        .isInstanceOf(RuleDriver.LastSteps.class)
                        .asString()
                        .contains("The last steps of the writer of journal ns1"));
        assertThat(writer.awaitAllCommitted(Duration.ofSeconds(20))).isFalse();
    }

    @Test
    void writerWithoutTimerBreaksAndItsLeaseExpires() {
        transport.lacksTimers = delay -> delay.compareTo(SHORT) >= 0;
        expectBroken();
        await().until(() -> writer.term().leaseRemaining().compareTo(Duration.ZERO) <= 0);
    }

    @Test
    void hungLogDoesNotDelayAnswers() throws Exception {
        try (HungLog log = new HungLog("rejects this writer")) {
            LinkListener session = transport.sessions.get(0);
            transport.execute(() -> session.onRefused(null, "planted"));
            log.awaitHanging();
            // The session counts as broken, until it says that it is up.
            transport.execute(() -> session.onUp(null, welcome(writer.epoch())));
            runInOtherThread(() -> append(2));
        }
    }

    @Test
    void fencedWriterIsNotifiedWhileLogHangs() throws Exception {
        try (HungLog log = new HungLog("was fenced by")) {
            LinkListener session = transport.sessions.get(0);
            transport.execute(() -> session.onUp(null, welcome(Epoch.of(1_000))));
            log.awaitHanging();
            runInOtherThread(() -> assertThatThrownBy(() -> append(2)).isInstanceOf(FencedException.class));
            runInOtherThread(() -> assertThat(writer.term().fenced()).isTrue());
        }
    }

    private Welcome welcome(Epoch promisedEpoch) {
        JournalReplica replica = node.replica(JOURNAL);
        return Welcome.of(replica.node(), replica.isFormatted(), NAMESPACE, promisedEpoch);
    }

    private static void runInOtherThread(ThrowingRunnable work) throws Exception {
        FutureTask<Void> task = new FutureTask<>(() -> {
            work.run();
            return null;
        });
        new Thread(task, "another").start();
        task.get(20, TimeUnit.SECONDS);
    }

    private interface ThrowingRunnable {
        void run() throws IOException;
    }

    /** Timers that run go on, so it may take some entries. */
    private void expectBroken() {
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        assertThatThrownBy(() -> {
                    for (long txId = 2; System.nanoTime() - deadlineNanos < 0; txId++) {
                        append(txId);
                    }
                })
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is broken")
                .hasCauseInstanceOf(OutOfMemoryError.class);
    }

    /** Has no memory left for some timers, if told so. */
    private static final class ExhaustibleTransport implements Transport {
        private final Transport delegate;
        private volatile Predicate<Duration> lacksTimers = delay -> false;
        private volatile boolean holds;
        private final List<Duration> held = new CopyOnWriteArrayList<>();
        private final List<LinkListener> sessions = new CopyOnWriteArrayList<>();

        /** From when this returns on, no tick comes. */
        void holdTimers() {
            holds = true;
            await().until(() -> held.stream().anyMatch(delay -> delay.compareTo(SHORT) >= 0));
        }

        ExhaustibleTransport(Transport delegate) {
            this.delegate = delegate;
        }

        @Override
        public void schedule(Runnable task, Duration delay) {
            if (lacksTimers.test(delay)) {
                throw new OutOfMemoryError("planted");
            }
            if (holds) {
                held.add(delay);
            } else {
                delegate.schedule(task, delay);
            }
        }

        @Override
        public Link connect(NodeAddress peer, Hello hello, LinkListener listener) {
            sessions.add(listener);
            return delegate.connect(peer, hello, listener);
        }

        @Override
        public void probe(NodeAddress peer, Duration timeout, ProbeListener listener) {
            delegate.probe(peer, timeout, listener);
        }

        @Override
        public void execute(Runnable task) {
            delegate.execute(task);
        }

        @Override
        public boolean isTransportThread() {
            return delegate.isTransportThread();
        }

        @Override
        public void close() {
            delegate.close();
        }
    }
}

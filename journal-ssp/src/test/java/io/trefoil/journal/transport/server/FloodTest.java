/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trefoil.foundation.names.HostResolver;
import io.trefoil.journal.TestCertificates;
import io.trefoil.journal.hdfs.security.HadoopKeys;
import io.trefoil.journal.transport.Hello.CallerRole;
import io.trefoil.journal.transport.RawCaller;
import io.trefoil.journal.transport.access.AccessSettings;
import io.trefoil.journal.transport.access.NetworkAccessController;
import io.trefoil.journal.transport.access.Networks;
import io.trefoil.journal.transport.authentication.Authentication;
import io.trefoil.journal.transport.client.NettyTransport;
import io.trefoil.journal.transport.codec.MessageType;
import io.trefoil.journal.transport.codec.Samples;
import io.trefoil.journal.transport.codec.field.RefusalCause;
import io.trefoil.journal.transport.tls.TlsPolicy;
import io.trefoil.journal.transport.tls.TlsSettings;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A writer commits while strangers come all the time: connections that say nothing, connections that begin TLS and leave it at that,
 * and callers whose certificates are of the right authority and give them no right. It is compared with itself: a round
 * without them, a round with them, in turns.
 */
class FloodTest {
    private static final int ROUNDS = 5;
    private static final int COMMITS = 250;
    /** What the issue of a pool node's disk takes at least: without it, a commit here is 20 times faster than any real one. */
    private static final Duration DISK = Duration.ofMillis(2);
    /** Between two strangers. */
    private static final Duration PACE = Duration.ofMillis(2);

    /** Only on a machine whose cores no other process has meanwhile: both times are compared with those of a moment before. */
    private static final boolean JUDGES_TIMES = Boolean.getBoolean("trefoil.test.flood.times");

    private static final double NO_MORE_THAN = 1.5;
    private static final Duration LONG_ENOUGH = Duration.ofMinutes(1);
    private static final int PLACES = 40;
    private static final long MEBIBYTE = 1 << 20;

    @TempDir
    private Path directory;

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final TestNode node = new TestNode();
    private NettyPoolServer server;
    private volatile long journalThread;

    @AfterEach
    void closeAll() throws Exception {
        while (!open.isEmpty()) {
            open.pop().close();
        }
    }

    @Test
    void unknownCallersNeitherSlowCommitsNorExhaustMemory() throws Exception {
        TestCertificates ours = new TestCertificates(directory, "ours");
        Path strangers = ours.createKeystore("datanode", "dn1.test");
        start(requiredTls(ours.createKeystore("node", "localhost", "127.0.0.1"), ours.truststore()));
        SteadyWriter writer = new SteadyWriter(
                NettyTransport.start(
                        "steady",
                        Authentication.NONE,
                        requiredTls(ours.createKeystore("member", "nn1.test"), ours.truststore())),
                Samples.addressOf(server.boundAddress()));
        open.push(writer);
        await().atMost(LONG_ENOUGH).until(() -> writer.answerCount() > COMMITS);

        Rounds quiet = new Rounds();
        Rounds flooded = new Rounds();
        long heapBefore = usedHeap();
        long threadsBefore = ownThreads();
        AtomicInteger refusedCount = new AtomicInteger();
        for (int round = 0; round < ROUNDS; round++) {
            quiet.measure(writer, journalThread);
            try (Flood flood = new Flood(tlsOf(strangers, ours.truststore()), refusedCount)) {
                await().atMost(LONG_ENOUGH).until(flood::isFull);
                flooded.measure(writer, journalThread);
                // Who is pushed out is counted until another thread has closed it.
                await().atMost(LONG_ENOUGH).until(() -> server.connectionCount() <= PLACES + 10);
                assertThat(ownThreads() - threadsBefore).isLessThanOrEqualTo(4);
                if (round == ROUNDS - 1) {
                    assertThat(usedHeap() - heapBefore).isLessThan(48 * MEBIBYTE);
                }
            }
            await().atMost(LONG_ENOUGH).until(() -> server.connectionCount() == 1);
        }

        System.out.printf(
                "commits: p99 %.2f ms, with strangers %.2f ms; the journal's thread %.1f us, with strangers %.1f us%n",
                quiet.p99() / 1e6, flooded.p99() / 1e6, quiet.cpu() / 1e3, flooded.cpu() / 1e3);
        assertThat(writer.sessionBreakCount()).isZero();
        assertThat(refusedCount).as("who said hello and was refused").hasPositiveValue();
        assertThat(server.refusals().count(RefusalCause.FOREIGN_CERTIFICATE)).isPositive();
        assertThat(server.refusals().count(RefusalCause.HANDSHAKE_LIMIT)).isPositive();
        assertThat(node.accepted).as("sessions").hasValue(1);
        if (JUDGES_TIMES) {
            assertThat(flooded.cpu()).as("work of the thread that commits").isLessThan(NO_MORE_THAN * quiet.cpu());
            assertThat(flooded.leastRatioOfP99s(quiet)).as("p99 of commits").isLessThan(NO_MORE_THAN);
        }
    }

    private void start(TlsSettings tls) throws IOException {
        node.turn = requests -> {
            journalThread = Thread.currentThread().getId();
            LockSupport.parkNanos(DISK.toNanos());
            TestNode.answerAll(requests);
        };
        NetworkAccessController accessController = NetworkAccessController.start(
                "nn1.test:8487",
                AccessSettings.of(Set.of("nn1.test"), Networks.NONE, Networks.NONE),
                () -> Set.of("localhost"),
                HostResolver.ofProcess(),
                found -> {});
        open.push(accessController);
        server = NettyPoolServer.start(
                "127.0.0.1",
                0,
                node,
                accessController,
                ServerLimits.of(Duration.ofSeconds(10), 100, 500).withMaxHandshakesPerAddress(PLACES),
                tls);
        open.push(server);
    }

    private static TlsSettings requiredTls(Path keys, Path trusted) {
        Configuration conf = new Configuration(false);
        TestCertificates.configure(conf, keys, trusted);
        return TlsSettings.of(TlsPolicy.REQUIRED, new HadoopKeys(conf));
    }

    private static long usedHeap() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private static long ownThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("ssp-"))
                .count();
    }

    /** What commits took, by rounds; of the rounds the median counts, since a machine may stand still for a moment. */
    private static final class Rounds {
        private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        private final List<Long> p99s = new ArrayList<>();
        private final List<Long> cpus = new ArrayList<>();

        void measure(SteadyWriter writer, long thread) {
            Queue<Long> times = new ConcurrentLinkedQueue<>();
            long before = threads.getThreadCpuTime(thread);
            writer.watch(times::add);
            await().atMost(LONG_ENOUGH).until(() -> times.size() >= COMMITS);
            writer.watch(nanos -> {});
            long cpu = threads.getThreadCpuTime(thread) - before;
            long[] sorted = times.stream().mapToLong(one -> one).sorted().toArray();
            cpus.add(cpu / sorted.length);
            p99s.add(sorted[sorted.length * 99 / 100]);
        }

        double p99() {
            return median(p99s);
        }

        /**
         * Beside the other round of its turn. The smallest counts: other processes slow down some rounds, and a process that holds up
         * commits slows down all.
         */
        double leastRatioOfP99s(Rounds otherRounds) {
            return IntStream.range(0, p99s.size())
                    .mapToDouble(round -> (double) p99s.get(round) / otherRounds.p99s.get(round))
                    .min()
                    .orElseThrow();
        }

        double cpu() {
            return median(cpus);
        }

        private static double median(List<Long> values) {
            return values.stream().sorted().toList().get(values.size() / 2);
        }
    }

    private static SSLContext tlsOf(Path keys, Path trusted) throws Exception {
        KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(store(keys), TestCertificates.PASSWORD.toCharArray());
        TrustManagerFactory others = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        others.init(store(trusted));
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(own.getKeyManagers(), others.getTrustManagers(), null);
        return context;
    }

    private static KeyStore store(Path file) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, TestCertificates.PASSWORD.toCharArray());
        }
        return store;
    }

    /** Strangers, one after the other, until it is closed; of ten nine stay as they are, and one says hello. */
    private final class Flood implements AutoCloseable {
        private final SSLContext tls;
        private final byte[] clientHello;
        private final AtomicInteger refusedCount;
        private final AtomicInteger came = new AtomicInteger();
        private final List<Socket> halfOpen = new ArrayList<>();
        private final Thread thread = new Thread(this::connectOne, "flood");
        private volatile boolean over;

        Flood(SSLContext tls, AtomicInteger refusedCount) throws IOException {
            this.tls = tls;
            this.refusedCount = refusedCount;
            this.clientHello = clientHello();
            thread.start();
        }

        /** From then on each one pushes another out. */
        boolean isFull() {
            return came.get() > PLACES;
        }

        private byte[] clientHello() throws IOException {
            SSLEngine engine = tls.createSSLEngine("localhost", 1);
            engine.setUseClientMode(true);
            ByteBuffer out = ByteBuffer.allocate(32 * 1024);
            engine.wrap(ByteBuffer.allocate(0), out);
            return Arrays.copyOf(out.array(), out.position());
        }

        private void connectOne() {
            while (!over) {
                try {
                    openConnection(came.getAndIncrement() % 10);
                } catch (IOException e) {
                    // It was pushed out by those that came after it.
                    assertThat(e).hasMessageMatching("(?is).*(reset|broken pipe|closed|terminated|eof).*");
                }
                LockSupport.parkNanos(PACE.toNanos());
            }
        }

        private void openConnection(int kind) throws IOException {
            Socket socket = new Socket();
            socket.bind(new InetSocketAddress("127.0.0.2", 0));
            socket.connect(server.boundAddress());
            if (kind == 0) {
                requestSession(socket);
                return;
            }
            halfOpen.add(socket);
            if (kind % 2 == 0) {
                socket.getOutputStream().write(clientHello);
            }
        }

        private void requestSession(Socket socket) throws IOException {
            try (SSLSocket stranger =
                    (SSLSocket) tls.getSocketFactory().createSocket(socket, "localhost", socket.getPort(), true)) {
                stranger.setSoTimeout(20_000);
                stranger.getOutputStream().write(RawCaller.hello(Samples.hello(CallerRole.WRITER)));
                DataInputStream in = new DataInputStream(stranger.getInputStream());
                byte[] answer = new byte[in.readInt()];
                in.readFully(answer);
                assertThat(answer[1]).isEqualTo(MessageType.REFUSAL.code());
                refusedCount.incrementAndGet();
            }
        }

        @Override
        public void close() throws Exception {
            over = true;
            thread.join();
            for (Socket one : halfOpen) {
                one.close();
            }
        }
    }
}

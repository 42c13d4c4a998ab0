/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.awaitility.Awaitility.await;

import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.protocol.AwaitCommitRequest;
import io.trefoil.journal.protocol.EntriesReply;
import io.trefoil.journal.protocol.ForwardedReply;
import io.trefoil.journal.protocol.StatusRequest;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.InboundRequest;
import io.trefoil.journal.transport.RawCaller;
import io.trefoil.journal.transport.access.AccessController;
import io.trefoil.journal.transport.codec.MessageType;
import io.trefoil.journal.transport.codec.Samples;
import io.trefoil.journal.transport.codec.field.RefusalCause;
import io.trefoil.journal.transport.connection.Sockets;
import io.trefoil.journal.transport.tls.TlsSettings;
import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What sessions may rely on: which thread serves whom, what comes together, what is not read. */
class NettyPoolServerTest {

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final TestNode node = new TestNode();

    @AfterEach
    void closeAll() throws Exception {
        while (!open.isEmpty()) {
            open.pop().close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void requestsArrivingDuringSyncFormOneTurn(Sockets sockets) throws Exception {
        CountDownLatch forced = new CountDownLatch(1);
        open.push(forced::countDown);
        node.turn = requests -> {
            forced.await();
            TestNode.answerAll(requests);
        };
        RawCaller caller = caller(server(sockets)).enter(Samples.hello(Hello.CallerRole.WRITER));
        caller.send(RawCaller.request(0, Samples.append(1)));
        await().until(() -> node.turnSizes.size() == 1);

        byte[][] requests = new byte[200][];
        for (int i = 1; i <= requests.length; i++) {
            requests[i - 1] = RawCaller.request(i, Samples.append(i + 1));
        }
        // Not one by one, of which a busy kernel may hand over some a moment later.
        caller.send(RawCaller.join(requests));
        forced.countDown();

        for (int i = 0; i <= 200; i++) {
            assertThat(caller.readRequestId()).isEqualTo(i);
        }
        assertThat(node.turnSizes).containsExactly(1, 200);
    }

    @ParameterizedTest
    @EnumSource
    void syncDelaysOnlySameJournal(Sockets sockets) throws Exception {
        CountDownLatch forced = new CountDownLatch(1);
        open.push(forced::countDown);
        node.turn = requests -> {
            if (Thread.currentThread().getName().equals("ssp-journal-slow")) {
                forced.await();
            }
            TestNode.answerAll(requests);
        };
        NettyPoolServer server = server(sockets);
        RawCaller slow = caller(server).enter(Samples.hello(Hello.CallerRole.WRITER, JournalId.of("slow")));
        slow.send(RawCaller.request(1, Samples.append(1)));
        await().until(() -> node.threads.contains("ssp-journal-slow"));

        for (int i = 0; i < 4; i++) {
            RawCaller other = caller(server).enter(Samples.hello(Hello.CallerRole.WRITER, JournalId.of("other")));
            RawCaller reader = caller(server).enter(Samples.hello(Hello.CallerRole.READER, JournalId.of("slow")));
            RawCaller waiting = caller(server).enter(Samples.hello(Hello.CallerRole.WRITER, JournalId.of("slow")));
            waiting.send(RawCaller.request(3, Samples.append(1)));
            assertThat(other.send(RawCaller.request(1, Samples.append(1))).readRequestId())
                    .isEqualTo(1);
            assertThat(reader.send(RawCaller.request(2, StatusRequest.create())).readRequestId())
                    .isEqualTo(2);
        }
        forced.countDown();
        assertThat(slow.readRequestId()).isEqualTo(1);
        assertThat(node.threads).contains("ssp-journal-other").anyMatch(name -> name.startsWith("ssp-reader-"));
    }

    /** Callers of four journals and readers come and go all at once, and speak in pieces of any size. */
    @ParameterizedTest
    @EnumSource
    void callersReachTheirJournalThreadUnderLoad(Sockets sockets) throws Exception {
        List<String> astray = Collections.synchronizedList(new ArrayList<>());
        node.turn = requests -> {
            for (InboundRequest inbound : requests) {
                long journal = TestNode.snOf(inbound.request()) % 5;
                String thread = Thread.currentThread().getName();
                if (!thread.startsWith(journal == 4 ? "ssp-reader-" : "ssp-journal-j" + journal)) {
                    astray.add(journal + " " + thread);
                }
            }
            TestNode.answerAll(requests);
        };
        NettyPoolServer server = server(sockets);
        ExecutorService callers = Executors.newFixedThreadPool(8);
        open.push(callers::shutdownNow);
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            int seed = i;
            all.add(callers.submit(() -> {
                talk(server, seed);
                return null;
            }));
        }
        for (Future<?> one : all) {
            one.get();
        }
        assertThat(astray).isEmpty();
        await().untilAsserted(() -> assertThat(node.closed).hasValue(200));
        assertThat(server.refusals().countsByCause().values()).containsOnly(0L);
    }

    private static void talk(NettyPoolServer server, int seed) throws IOException {
        Random random = new Random(seed);
        int journal = seed % 5;
        Hello hello = journal == 4
                ? Samples.hello(Hello.CallerRole.READER)
                : Samples.hello(Hello.CallerRole.WRITER, JournalId.of("j" + journal));
        try (RawCaller caller = new RawCaller(server.boundAddress())) {
            caller.enter(hello);
            byte[][] requests = new byte[30][];
            for (int i = 0; i < requests.length; i++) {
                long sn = 5L * i + 5 + journal;
                requests[i] = RawCaller.request(
                        i, journal == 4 ? AwaitCommitRequest.of(sn, 0) : Samples.append(sn, random.nextInt(3000)));
            }
            byte[] stream = RawCaller.join(requests);
            for (int sent = 0; sent < stream.length; ) {
                int end = Math.min(stream.length, sent + 1 + random.nextInt(5000));
                caller.send(Arrays.copyOfRange(stream, sent, end));
                sent = end;
            }
            for (int i = 0; i < requests.length; i++) {
                assertThat(caller.readRequestId()).isEqualTo(i);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void rejectsRequestBeforeWelcome(Sockets sockets) throws Exception {
        NettyPoolServer server = server(sockets);
        byte[] request = RawCaller.request(1, Samples.append(1, 100_000));
        for (Hello.CallerRole role : Hello.CallerRole.values()) {
            RawCaller hasty = caller(server);
            hasty.send(RawCaller.join(RawCaller.hello(Samples.hello(role)), request));
            hasty.assertClosed();
        }
        // Some of it comes while the connection is moved, or at its end at once.
        for (int i = 0; i < 100; i++) {
            RawCaller hasty = caller(server).send(RawCaller.hello(Samples.hello(Hello.CallerRole.WRITER)));
            try {
                hasty.send(request);
                if (i % 2 == 0) {
                    hasty.endOutput();
                }
            } catch (IOException e) {
                assertThat(e).as("closed by the node already").isInstanceOf(SocketException.class);
            }
            hasty.close();
        }
        assertThat(server.refusals().count(RefusalCause.EARLY_REQUEST)).isGreaterThanOrEqualTo(2);
        await().untilAsserted(() -> assertThat(server.connectionCount()).isZero());
        await().untilAsserted(() -> assertThat(node.closed).hasValue(node.accepted.get()));
    }

    @ParameterizedTest
    @EnumSource
    void servesOnlyAsFastAsReaderReads(Sockets sockets) throws Exception {
        AtomicInteger served = new AtomicInteger();
        EntriesReply answer = EntriesReply.of(Samples.NODE, List.of(Samples.entry(1, 512 * 1024)), 1);
        node.turn = requests -> {
            for (InboundRequest inbound : requests) {
                served.incrementAndGet();
                inbound.answer(answer);
            }
        };
        RawCaller caller = caller(server(sockets)).enter(Samples.hello(Hello.CallerRole.READER));
        for (int i = 0; i < 300; i++) {
            caller.send(RawCaller.request(i, StatusRequest.create()));
        }
        await().until(() -> served.get() > 0);
        int[] last = {0};
        await().pollInterval(Duration.ofMillis(300)).until(() -> {
            int before = last[0];
            last[0] = served.get();
            return before == last[0];
        });
        assertThat(served.get()).isLessThan(100);

        for (int i = 0; i < 300; i++) {
            assertThat(caller.readRequestId()).isEqualTo(i);
        }
    }

    @ParameterizedTest
    @EnumSource
    void checksReaderBetweenLargeAnswers(Sockets sockets) throws Exception {
        AtomicInteger served = new AtomicInteger();
        EntriesReply answer = EntriesReply.of(Samples.NODE, List.of(Samples.entry(1, 4 << 20)), 1);
        node.turn = requests -> {
            served.addAndGet(requests.size());
            requests.forEach(inbound -> inbound.answer(answer));
        };
        RawCaller caller = caller(server(sockets)).enter(Samples.hello(Hello.CallerRole.READER));
        byte[][] requests = new byte[16][];
        for (int i = 0; i < requests.length; i++) {
            requests[i] = RawCaller.request(i, StatusRequest.create());
        }
        caller.send(RawCaller.join(requests));

        assertThat(caller.readRequestId()).isZero();
        // Two more may be on their way: one in the socket's buffers, one above the water mark.
        assertThat(served.get()).isLessThanOrEqualTo(4);
        for (int i = 1; i < requests.length; i++) {
            assertThat(caller.readRequestId()).isEqualTo(i);
        }
    }

    @ParameterizedTest
    @EnumSource
    void stalledCallersWithSmallAnswersAreEvicted(Sockets sockets) throws Exception {
        EntriesReply answer = EntriesReply.of(Samples.NODE, List.of(Samples.entry(1, 8 << 10)), 1);
        node.turn = requests -> requests.forEach(inbound -> inbound.answer(answer));
        NettyPoolServer server = server(sockets, ServerLimits.USUAL.withMaxBytes(8 << 20));
        byte[][] requests = new byte[1_000][];
        for (Hello.CallerRole role : Hello.CallerRole.values()) {
            for (int i = 0; i < requests.length; i++) {
                requests[i] = RawCaller.request(i, Samples.request(role, i + 1));
            }
            long before = server.refusals().count(RefusalCause.MEMORY_LIMIT);
            for (int i = 0; i < 20; i++) {
                caller(server).enter(Samples.hello(role)).send(RawCaller.join(requests));
            }
            await().until(() -> server.refusals().count(RefusalCause.MEMORY_LIMIT) >= before + 5);
        }
    }

    @ParameterizedTest
    @EnumSource
    void unfinishedRequestsAreEvictedForOthers(Sockets sockets) throws Exception {
        NettyPoolServer server = server(sockets, ServerLimits.USUAL.withMaxBytes(8 << 20));
        byte[] begun = new byte[200 << 10];
        ByteBuffer.wrap(begun).putInt(1 << 20).put((byte) 1).put(MessageType.APPEND.code());
        for (Hello.CallerRole role : Hello.CallerRole.values()) {
            long before = server.refusals().count(RefusalCause.MEMORY_LIMIT);
            for (int i = 0; i < 100; i++) {
                caller(server).enter(Samples.hello(role)).send(begun);
            }
            await().until(() -> server.refusals().count(RefusalCause.MEMORY_LIMIT) >= before + 20);
        }
        RawCaller honest = caller(server).enter(Samples.hello(Hello.CallerRole.WRITER));
        assertThat(honest.send(RawCaller.request(7, Samples.append(1))).readRequestId())
                .isEqualTo(7);
    }

    @ParameterizedTest
    @EnumSource
    void stalledReadersAreEvictedForActiveOnes(Sockets sockets) throws Exception {
        EntriesReply answer = EntriesReply.of(Samples.NODE, List.of(Samples.entry(1, 1 << 20)), 1);
        node.turn = requests -> requests.forEach(inbound -> inbound.answer(answer));
        NettyPoolServer server = server(sockets, ServerLimits.USUAL.withMaxBytes(8 << 20));
        for (int i = 0; i < 20; i++) {
            RawCaller silent = caller(server).enter(Samples.hello(Hello.CallerRole.READER));
            for (int j = 0; j < 16; j++) {
                silent.send(RawCaller.request(j, StatusRequest.create()));
            }
        }
        await().until(() -> server.refusals().count(RefusalCause.MEMORY_LIMIT) >= 5);

        RawCaller reads = caller(server).enter(Samples.hello(Hello.CallerRole.READER));
        for (int i = 0; i < 50; i++) {
            reads.send(RawCaller.request(i, StatusRequest.create()));
            assertThat(reads.readRequestId()).isEqualTo(i);
        }
    }

    @ParameterizedTest
    @EnumSource
    void closesCallerLeavingAnswersUnread(Sockets sockets) throws Exception {
        EntriesReply answer = EntriesReply.of(Samples.NODE, List.of(Samples.entry(1, 4 * 1024 * 1024)), 1);
        node.turn = requests -> {
            for (int i = 0; i < 40; i++) {
                requests.get(0).answer(answer);
            }
        };
        NettyPoolServer server = server(sockets);
        caller(server).enter(Samples.hello(Hello.CallerRole.WRITER)).send(RawCaller.request(1, Samples.append(1)));

        await().untilAsserted(() -> assertThat(node.closed).hasValue(1));
        assertThat(server.refusals().count(RefusalCause.ANSWERS_NOT_READ)).isEqualTo(1);
    }

    /** The calls of many clients share it. */
    @ParameterizedTest
    @EnumSource
    void keepsForwarderSessionAndDropsExcessUnreadAnswers(Sockets sockets) throws Exception {
        ForwardedReply answer = ForwardedReply.of(Samples.NODE, Bytes.wrap(new byte[4 * 1024 * 1024]));
        CompletableFuture<InboundRequest> answered = new CompletableFuture<>();
        node.turn = requests -> {
            for (int i = 0; i < 40; i++) {
                requests.get(0).answer(answer);
            }
            answered.complete(requests.get(0));
        };
        NettyPoolServer server = server(sockets);
        RawCaller caller = caller(server).enter(Samples.hello(Hello.CallerRole.READER));
        caller.send(RawCaller.request(1, StatusRequest.create()));
        answered.get(30, TimeUnit.SECONDS);

        List<Integer> lengths = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            lengths.add(caller.readFrame().length);
        }
        assertThat(lengths.subList(0, 16)).allMatch(length -> length > 4 * 1024 * 1024);
        // The sockets' own buffers take some, and Netty counts an answer less for a moment while its loop takes the
        // answer over.
        assertThat(lengths).filteredOn(length -> length > 4 * 1024 * 1024).hasSizeLessThan(30);
        assertThat(server.refusals().count(RefusalCause.ANSWERS_NOT_READ)).isZero();
        assertThat(node.closed).hasValue(0);
    }

    @ParameterizedTest
    @EnumSource
    void closesReaderExceedingUnansweredRequests(Sockets sockets) throws Exception {
        node.turn = requests -> {};
        NettyPoolServer server = server(sockets);
        RawCaller caller = caller(server).enter(Samples.hello(Hello.CallerRole.READER));
        byte[][] requests = new byte[1025][];
        for (int i = 0; i < requests.length; i++) {
            requests[i] = RawCaller.request(i, StatusRequest.create());
        }
        caller.send(RawCaller.join(requests));

        caller.assertClosed();
        assertThat(server.refusals().count(RefusalCause.TOO_MANY_UNANSWERED)).isPositive();
        await().untilAsserted(() -> assertThat(node.closed).hasValue(1));
    }

    @ParameterizedTest
    @EnumSource
    void failedSessionDoesNotAffectOthers(Sockets sockets) throws Exception {
        node.turn = requests -> {
            if (TestNode.snOf(requests.get(0).request()) == 13) {
                throw new IllegalStateException("planted");
            }
            TestNode.answerAll(requests);
        };
        NettyPoolServer server = server(sockets);
        for (Hello.CallerRole role : Hello.CallerRole.values()) {
            RawCaller good = caller(server).enter(Samples.hello(role));
            RawCaller bad = caller(server).enter(Samples.hello(role));
            bad.send(RawCaller.request(1, Samples.request(role, 13)));
            bad.assertClosed();
            assertThat(good.send(RawCaller.request(2, Samples.request(role, 1))).readRequestId())
                    .isEqualTo(2);
        }
        assertThat(server.refusals().count(RefusalCause.INTERNAL)).isEqualTo(2);
        await().untilAsserted(() -> assertThat(node.closed).hasValue(2));
    }

    @ParameterizedTest
    @EnumSource
    void deliversAnswersFromAnyThread(Sockets sockets) throws Exception {
        ExecutorService others = Executors.newFixedThreadPool(2);
        open.push(others::shutdownNow);
        node.turn = requests -> others.submit(() -> TestNode.answerAll(requests));
        NettyPoolServer server = server(sockets);
        for (Hello.CallerRole role : Hello.CallerRole.values()) {
            RawCaller caller = caller(server).enter(Samples.hello(role));
            for (int i = 0; i < 50; i++) {
                assertThat(caller.send(RawCaller.request(i, Samples.append(1))).readRequestId())
                        .isEqualTo(i);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void closeEndsAllSessions(Sockets sockets) throws Exception {
        NettyPoolServer server = server(sockets);
        RawCaller writer = caller(server).enter(Samples.hello(Hello.CallerRole.WRITER));
        RawCaller reader = caller(server).enter(Samples.hello(Hello.CallerRole.READER));
        RawCaller stranger = caller(server);

        server.close();

        assertThat(node.closed).hasValue(2);
        writer.assertClosed();
        reader.assertClosed();
        stranger.assertClosed();
    }

    @ParameterizedTest
    @EnumSource
    void reportsTakenPort(Sockets sockets) throws Exception {
        int taken = server(sockets).boundAddress().getPort();

        assertThatIOException()
                .isThrownBy(() -> NettyPoolServer.start(
                        "127.0.0.1", taken, node, AccessController.OPEN, ServerLimits.USUAL, TlsSettings.OFF, sockets))
                .withMessageContaining("127.0.0.1:" + taken);
    }

    private NettyPoolServer server(Sockets sockets) throws IOException {
        return server(sockets, ServerLimits.USUAL);
    }

    private NettyPoolServer server(Sockets sockets, ServerLimits limits) throws IOException {
        NettyPoolServer server =
                NettyPoolServer.start("127.0.0.1", 0, node, AccessController.OPEN, limits, TlsSettings.OFF, sockets);
        open.push(server);
        return server;
    }

    private RawCaller caller(NettyPoolServer server) throws IOException {
        RawCaller caller = new RawCaller(server.boundAddress());
        open.push(caller);
        return caller;
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trefoil.foundation.HungLog;
import io.trefoil.foundation.TestPorts;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.protocol.CommitRequest;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.InboundRequest;
import io.trefoil.journal.transport.Link;
import io.trefoil.journal.transport.SessionRefusedException;
import io.trefoil.journal.transport.TestCaller;
import io.trefoil.journal.transport.Transport;
import io.trefoil.journal.transport.Welcome;
import io.trefoil.journal.transport.access.AccessController;
import io.trefoil.journal.transport.authentication.Authentication;
import io.trefoil.journal.transport.authentication.AuthenticationExchange;
import io.trefoil.journal.transport.codec.Samples;
import io.trefoil.journal.transport.codec.field.RefusalCause;
import io.trefoil.journal.transport.connection.Sockets;
import io.trefoil.journal.transport.server.NettyPoolServer;
import io.trefoil.journal.transport.server.ServerLimits;
import io.trefoil.journal.transport.server.TestNode;
import io.trefoil.journal.transport.tls.KeySource;
import io.trefoil.journal.transport.tls.Tls;
import io.trefoil.journal.transport.tls.TlsSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What callers may rely on, with real sockets and both kinds of event loops. */
class NettyTransportTest {

    private static final LinkSettings QUICK =
            LinkSettings.of(Duration.ofSeconds(2), Duration.ofMillis(300), 1024 * 1024);

    /** Asks no other node beside. */
    private static final LinkSettings QUICK_BUT_LARGE =
            LinkSettings.of(Duration.ofSeconds(2), Duration.ofMillis(300), 64 * 1024 * 1024);

    private static final Duration LONG = Duration.ofMinutes(1);
    /** Longer than a peer may be silent. */
    private static final Duration SOON = Duration.ofSeconds(6);

    private static final Duration SHORT = Duration.ofMillis(500);

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final TestNode node = new TestNode();
    private final TestCaller caller = new TestCaller();

    @AfterEach
    void closeAll() throws Exception {
        while (!open.isEmpty()) {
            open.pop().close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void matchesAnswersToRequests(Sockets sockets) throws Exception {
        NettyTransport transport = transport(sockets, LinkSettings.USUAL);
        Link link = transport.connect(addressOf(server(sockets)), Samples.hello(Hello.CallerRole.WRITER), caller);
        assertThat(caller.next()).isEqualTo("up n1");

        PoolRequest first = Samples.append(1);
        PoolRequest second = Samples.append(2);
        send(transport, link, first, second);

        assertThat(caller.reply()).isEqualTo(Samples.appended(1));
        assertThat(caller.reply()).isEqualTo(Samples.appended(2));
        assertThat(caller.answered.get(0)).isSameAs(first);
        assertThat(caller.answered.get(1)).isSameAs(second);
        await().untilAsserted(() -> assertThat(caller.events).contains("turnEnded"));
        assertThat(caller.threads).containsOnly("ssp-client-test");
        assertThat(node.hellos).containsExactly(Samples.hello(Hello.CallerRole.WRITER));
    }

    @ParameterizedTest
    @EnumSource
    @Timeout(120)
    void hungLogDoesNotDelayOtherLinks(Sockets sockets) throws Exception {
        NettyTransport transport = transport(sockets, LinkSettings.USUAL);
        NettyPoolServer server = server(sockets);
        TestCaller faulty = new TestCaller() {
            @Override
            public void onUp(Link link, Welcome welcome) {
                throw new IllegalStateException("planted");
            }
        };
        try (HungLog log = new HungLog("The link to node")) {
            transport.connect(addressOf(server), Samples.hello(Hello.CallerRole.READER), faulty);
            log.awaitHanging();
            transport.connect(addressOf(server), Samples.hello(Hello.CallerRole.READER), caller);
            assertThat(caller.next()).startsWith("up");
        }
    }

    @ParameterizedTest
    @EnumSource
    @Timeout(120)
    void retriesAfterErrorInAttempt(Sockets sockets) throws Exception {
        AtomicInteger attempts = new AtomicInteger();
        Authentication broken = new Authentication() {
            @Override
            public String mechanism() {
                return NONE.mechanism();
            }

            @Override
            public AuthenticationExchange beginAsCaller(InetAddress calledAddress) throws IOException {
                if (attempts.getAndIncrement() == 0) {
                    throw new NoClassDefFoundError("planted");
                }
                return NONE.beginAsCaller(calledAddress);
            }

            @Override
            public AuthenticationExchange beginAsNode(InetAddress caller) throws IOException {
                return NONE.beginAsNode(caller);
            }

            @Override
            public AccessController wrapAccessController(AccessController byAddress) throws IOException {
                return NONE.wrapAccessController(byAddress);
            }
        };
        NettyTransport transport =
                NettyTransport.start("test", sockets, LinkSettings.USUAL, broken, Tls.disabled(KeySource.Side.CALLER));
        open.push(transport);
        transport.connect(addressOf(server(sockets)), Samples.hello(Hello.CallerRole.WRITER), caller);

        await().dontCatchUncaughtExceptions()
                .untilAsserted(() -> assertThat(caller.events).contains("up n1"));
    }

    @ParameterizedTest
    @EnumSource
    void reconnectsImmediatelyAndForgetsUnansweredRequests(Sockets sockets) throws Exception {
        NettyTransport transport = transport(sockets, LinkSettings.USUAL);
        int port = TestPorts.free();
        NettyPoolServer first = server(sockets, port);
        node.turn = requests -> {};
        Link link = transport.connect(addressOf(first), Samples.hello(Hello.CallerRole.WRITER), caller);
        assertThat(caller.next()).startsWith("up");
        send(transport, link, Samples.append(1));
        await().until(() -> !node.turnSizes.isEmpty());

        first.close();
        assertThat(caller.next()).startsWith("down");
        send(transport, link, Samples.append(2));
        node.turn = TestNode::answerAll;
        server(sockets, port);

        assertThat(caller.next()).startsWith("up");
        send(transport, link, Samples.append(3));
        assertThat(caller.reply()).isEqualTo(Samples.appended(3));
    }

    @ParameterizedTest
    @EnumSource
    void reportsRejectionAndKeepsTrying(Sockets sockets) throws Exception {
        node.doorman = hello -> {
            throw new SessionRefusedException(
                    SessionRefusedException.Reason.WRONG_CLUSTER, "node has CID-2, caller has CID-1");
        };
        NettyPoolServer server = server(sockets);
        transport(sockets, LinkSettings.USUAL)
                .connect(addressOf(server), Samples.hello(Hello.CallerRole.READER), caller);

        String refusal = "refused node has CID-2, caller has CID-1";
        assertThat(caller.next()).isEqualTo(refusal);
        assertThat(server.refusals().count(RefusalCause.WRONG_CLUSTER)).isPositive();
        node.doorman = hello -> {};
        // It may have tried in vain once more before.
        String next = caller.next();
        while (next.equals(refusal)) {
            next = caller.next();
        }
        assertThat(next).startsWith("up");
    }

    @ParameterizedTest
    @EnumSource
    void rejectsUnknownAuthenticationMechanism(Sockets sockets) throws Exception {
        NettyPoolServer server = server(sockets);
        Hello plain = Samples.hello(Hello.CallerRole.READER);
        Hello proud = Hello.of(
                plain.journal(),
                plain.namespace(),
                plain.role(),
                plain.caller(),
                plain.callerNode(),
                "GSSAPI",
                Bytes.ofUtf8("ticket"));
        transport(sockets, LinkSettings.USUAL).connect(addressOf(server), proud, caller);

        assertThat(caller.next()).startsWith("refused").contains("GSSAPI").contains("NONE");
        assertThat(server.refusals().count(RefusalCause.AUTHENTICATION)).isPositive();
        assertThat(node.accepted).hasValue(0);
    }

    @ParameterizedTest
    @EnumSource
    void abandonsNodeNotAnsweringHello(Sockets sockets) throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            transport(sockets, QUICK)
                    .connect(
                            NodeAddress.of("127.0.0.1", silent.getLocalPort()),
                            Samples.hello(Hello.CallerRole.WRITER),
                            caller);
            try (Socket connection = silent.accept()) {
                connection.setSoTimeout(20_000);
                connection.getInputStream().readAllBytes();
            }
            silent.accept().close();
        }
        assertThat(caller.events).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void closesLinkWhenNodeStopsReading(Sockets sockets) throws Exception {
        CountDownLatch hang = new CountDownLatch(1);
        open.push(hang::countDown);
        node.turn = requests -> hang.await();
        NettyPoolServer server = server(sockets);
        NettyTransport transport = transport(sockets, QUICK);
        Link link = transport.connect(addressOf(server), Samples.hello(Hello.CallerRole.WRITER), caller);
        assertThat(caller.next()).startsWith("up");

        // Loopback sockets take some megabytes on their own.
        for (int i = 1; i <= 100; i++) {
            send(transport, link, Samples.append(i, 256 * 1024));
        }

        assertThat(caller.next())
                .isEqualTo("down the node does not read what it is sent: more than 1048576 bytes" + " are waiting");
        hang.countDown();
        assertThat(caller.next()).startsWith("up");
    }

    /** Its kernel takes some megabytes, and then says that it takes no more, which is not silence. */
    @ParameterizedTest
    @EnumSource
    void keepsSessionWhenFullWindowIsUnread(Sockets sockets) throws Exception {
        CountDownLatch slow = new CountDownLatch(1);
        open.push(slow::countDown);
        node.turn = requests -> {
            slow.await();
            TestNode.answerAll(requests);
        };
        NettyPoolServer server = server(sockets);
        NettyTransport transport = transport(sockets, QUICK_BUT_LARGE);
        Link link = transport.connect(addressOf(server), Samples.hello(Hello.CallerRole.WRITER), caller);
        assertThat(caller.next()).startsWith("up");

        // Less than a link may keep.
        for (int i = 1; i <= 60; i++) {
            send(transport, link, Samples.append(i, 1024 * 1024));
        }
        await().during(SOON).atMost(SOON.plus(LONG)).until(caller.events::isEmpty);

        slow.countDown();
        assertThat(caller.reply()).isEqualTo(Samples.appended(1));
        assertThat(node.accepted).hasValue(1);
    }

    @ParameterizedTest
    @EnumSource
    void keepsSessionWhenPeerIsSlow(Sockets sockets) throws Exception {
        CountDownLatch slow = new CountDownLatch(1);
        open.push(slow::countDown);
        // As while a disk hangs: the thread that syncs it is the one that reads.
        node.turn = requests -> {
            slow.await();
            TestNode.answerAll(requests);
        };
        NettyPoolServer server = server(sockets);
        NettyTransport transport = transport(sockets, QUICK_BUT_LARGE);
        Link link = transport.connect(addressOf(server), Samples.hello(Hello.CallerRole.WRITER), caller);
        assertThat(caller.next()).startsWith("up");

        for (int i = 1; i <= 100; i++) {
            send(transport, link, Samples.append(i));
        }
        await().during(SOON).atMost(SOON.plus(LONG)).until(caller.events::isEmpty);

        slow.countDown();
        assertThat(caller.reply()).isEqualTo(Samples.appended(1));
        assertThat(node.accepted).hasValue(1);
    }

    @ParameterizedTest
    @EnumSource
    void probeDistinguishesListeningClosedAndUnreachableNodes(Sockets sockets) throws Exception {
        NettyTransport transport = transport(sockets, LinkSettings.USUAL);
        NettyPoolServer server = server(sockets);
        NodeAddress address = addressOf(server);

        assertThat(probe(transport, address, LONG)).isEqualTo(Transport.Probe.ACCEPTED);
        server.close();
        assertThat(probe(transport, address, LONG)).isEqualTo(Transport.Probe.REFUSED);
        assertThat(probe(transport, NodeAddress.of("no-such-host.invalid", 1), SHORT))
                .isEqualTo(Transport.Probe.UNREACHABLE);
        try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            NodeAddress deaf = NodeAddress.of("127.0.0.1", full.getLocalPort());
            List<Socket> filling = new ArrayList<>();
            try {
                await().until(() -> {
                    Socket socket = new Socket();
                    filling.add(socket);
                    try {
                        socket.connect(full.getLocalSocketAddress(), 100);
                        return false;
                    } catch (IOException e) {
                        return true;
                    }
                });
                assertThat(probe(transport, deaf, SHORT)).isEqualTo(Transport.Probe.UNREACHABLE);
            } finally {
                for (Socket socket : filling) {
                    socket.close();
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void runsTasksInOrderOnSingleThread(Sockets sockets) throws Exception {
        NettyTransport transport = transport(sockets, LinkSettings.USUAL);
        BlockingQueue<String> ran = new ArrayBlockingQueue<>(10);
        assertThat(transport.isTransportThread()).isFalse();

        long begunNanos = System.nanoTime();
        transport.execute(() -> {
            // From its own thread: another one may be held up for so long that what is late is due.
            transport.schedule(() -> ran.add("late"), Duration.ofMillis(50));
            transport.execute(() -> ran.add("first " + transport.isTransportThread()));
            transport.execute(() -> ran.add("second " + Thread.currentThread().getName()));
        });

        assertThat(ran.poll(20, TimeUnit.SECONDS)).isEqualTo("first true");
        assertThat(ran.poll(20, TimeUnit.SECONDS)).isEqualTo("second ssp-client-test");
        assertThat(ran.poll(20, TimeUnit.SECONDS)).isEqualTo("late");
        assertThat(Duration.ofNanos(System.nanoTime() - begunNanos)).isGreaterThanOrEqualTo(Duration.ofMillis(50));
    }

    @ParameterizedTest
    @EnumSource
    void rejectsLinkUseOutsideTransportThread(Sockets sockets) throws Exception {
        Link link = transport(sockets, LinkSettings.USUAL)
                .connect(addressOf(server(sockets)), Samples.hello(Hello.CallerRole.WRITER), caller);

        assertThatIllegalStateException().isThrownBy(() -> link.send(Samples.append(1)));
        assertThatIllegalStateException().isThrownBy(link::flush);
    }

    @ParameterizedTest
    @EnumSource
    void closedLinkReceivesNothing(Sockets sockets) throws Exception {
        NettyTransport transport = transport(sockets, LinkSettings.USUAL);
        Link link = transport.connect(addressOf(server(sockets)), Samples.hello(Hello.CallerRole.WRITER), caller);
        assertThat(caller.next()).startsWith("up");

        link.close();

        await().until(() -> node.closed.get() == 1);
        CountDownLatch idle = new CountDownLatch(1);
        transport.execute(idle::countDown);
        assertThat(idle.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(caller.events).isEmpty();
        assertThat(node.accepted).hasValue(1);
    }

    @ParameterizedTest
    @EnumSource
    void unansweredMessagesDoNotLeavePendingRequests(Sockets sockets) throws Exception {
        NettyTransport transport = transport(sockets, LinkSettings.USUAL);
        Link link = transport.connect(addressOf(server(sockets)), Samples.hello(Hello.CallerRole.WRITER), caller);
        node.turn = requests -> {
            for (InboundRequest inbound : requests) {
                if (!(inbound.request() instanceof CommitRequest)) {
                    inbound.answer(Samples.appended(1));
                }
            }
        };
        assertThat(caller.next()).startsWith("up");

        send(transport, link, CommitRequest.of(Samples.EPOCH, 1), Samples.append(1));

        assertThat(caller.reply()).isEqualTo(Samples.appended(1));
        assertThat(caller.answered).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void terminatesAllThreads(Sockets sockets) throws Exception {
        NettyTransport transport = transport(sockets, LinkSettings.USUAL);
        NettyPoolServer server = server(sockets);
        transport.connect(addressOf(server), Samples.hello(Hello.CallerRole.WRITER), caller);
        transport.connect(addressOf(server), Samples.hello(Hello.CallerRole.READER), caller);
        assertThat(caller.next()).startsWith("up");
        assertThat(caller.next()).startsWith("up");
        await().untilAsserted(() -> assertThat(sspThreads()).contains("ssp-client-test", "ssp-journal-ns1"));

        transport.close();
        server.close();

        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(sspThreads()).isEmpty());
        assertThat(node.closed).hasValue(2);
        assertThatThrownBy(() -> transport.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
    }

    private static List<String> sspThreads() {
        List<String> names = new ArrayList<>();
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().startsWith("ssp-")) {
                names.add(thread.getName());
            }
        }
        return names;
    }

    private static Transport.Probe probe(Transport transport, NodeAddress address, Duration timeout)
            throws InterruptedException {
        BlockingQueue<Transport.Probe> outcome = new ArrayBlockingQueue<>(1);
        transport.probe(address, timeout, outcome::add);
        return outcome.poll(60, TimeUnit.SECONDS);
    }

    private static void send(Transport transport, Link link, PoolRequest... requests) {
        transport.execute(() -> {
            for (PoolRequest request : requests) {
                link.send(request);
            }
            link.flush();
        });
    }

    private NettyTransport transport(Sockets sockets, LinkSettings settings) {
        NettyTransport transport = NettyTransport.start(
                "test", sockets, settings, Authentication.NONE, Tls.disabled(KeySource.Side.CALLER));
        open.push(transport);
        return transport;
    }

    private NettyPoolServer server(Sockets sockets) throws IOException {
        return server(sockets, 0);
    }

    private NettyPoolServer server(Sockets sockets, int port) throws IOException {
        NettyPoolServer server = NettyPoolServer.start(
                "127.0.0.1", port, node, AccessController.OPEN, ServerLimits.USUAL, TlsSettings.OFF, sockets);
        open.push(server);
        return server;
    }

    private static NodeAddress addressOf(NettyPoolServer server) {
        return Samples.addressOf(server.boundAddress());
    }
}

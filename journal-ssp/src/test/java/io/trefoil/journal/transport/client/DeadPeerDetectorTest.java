/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.Promise;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.protocol.AwaitCommitRequest;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.protocol.StatusReply;
import io.trefoil.journal.protocol.StatusRequest;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.InboundRequest;
import io.trefoil.journal.transport.Link;
import io.trefoil.journal.transport.TestCaller;
import io.trefoil.journal.transport.access.AccessController;
import io.trefoil.journal.transport.authentication.Authentication;
import io.trefoil.journal.transport.codec.Samples;
import io.trefoil.journal.transport.connection.Sockets;
import io.trefoil.journal.transport.server.NettyPoolServer;
import io.trefoil.journal.transport.server.ServerLimits;
import io.trefoil.journal.transport.server.TestNode;
import io.trefoil.journal.transport.tls.KeySource;
import io.trefoil.journal.transport.tls.Tls;
import io.trefoil.journal.transport.tls.TlsSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Who says nothing: the kernels here always acknowledge, as those of proxies do. */
class DeadPeerDetectorTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(1);
    private static final LinkSettings SETTINGS = LinkSettings.USUAL.withSilenceTimeout(TIMEOUT);

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final CountDownLatch slow = new CountDownLatch(1);
    private final TestNode node = new TestNode();
    private final TestCaller caller = new TestCaller();

    @AfterEach
    void closeAll() throws Exception {
        slow.countDown();
        while (!open.isEmpty()) {
            open.pop().close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void renewsSessionWhenProxySwallowsBytes(Sockets sockets) throws Exception {
        SwallowingProxy proxy = SwallowingProxy.to(server(sockets));
        open.push(proxy);
        NettyTransport transport = transport(sockets);
        Link link = transport.connect(proxy.address(), Samples.hello(Hello.CallerRole.WRITER), caller);
        assertThat(caller.next()).startsWith("up");

        proxy.swallow();
        send(transport, link, Samples.append(1));

        assertThat(caller.next()).startsWith("down nothing was heard").endsWith("it answers a new connection");
        assertThat(caller.next()).startsWith("up");
        send(transport, link, Samples.append(2));
        assertThat(caller.reply()).isEqualTo(Samples.appended(2));
    }

    @ParameterizedTest
    @EnumSource
    void sessionEndsWhenProxySwallowsBytesAndRejectsConnections(Sockets sockets) throws Exception {
        SwallowingProxy proxy = SwallowingProxy.to(server(sockets));
        open.push(proxy);
        NettyTransport transport = transport(sockets);
        Link link = transport.connect(proxy.address(), Samples.hello(Hello.CallerRole.WRITER), caller);
        assertThat(caller.next()).startsWith("up");

        proxy.refuse();
        proxy.swallow();
        send(transport, link, Samples.append(1));

        assertThat(caller.next()).startsWith("down nothing was heard").contains("cannot be reached");
    }

    @ParameterizedTest
    @EnumSource
    void slowNodeKeepsSessionWhenReportingUnresponsiveDisk(Sockets sockets) throws Exception {
        node.turn = requests -> {
            for (InboundRequest one : requests) {
                if (one.request() instanceof StatusRequest) {
                    one.answer(status().withDiskStallMillis(TIMEOUT.toMillis()));
                } else {
                    slow.await();
                    one.answer(Samples.appended(1));
                }
            }
        };
        NettyTransport transport = transport(sockets);
        Link link = transport.connect(addressOf(server(sockets)), Samples.hello(Hello.CallerRole.WRITER), caller);
        assertThat(caller.next()).startsWith("up");
        send(transport, link, Samples.append(1));

        await().until(() -> node.accepted.get() >= 3);
        assertThat(caller.events).isEmpty();
        slow.countDown();
        assertThat(caller.reply()).isEqualTo(Samples.appended(1));
    }

    @ParameterizedTest
    @EnumSource
    void probesLongWaitingReaderOnItsOwnSession(Sockets sockets) throws Exception {
        node.turn = requests -> {
            for (InboundRequest one : requests) {
                if (one.request() instanceof StatusRequest) {
                    one.answer(status());
                }
            }
        };
        NettyTransport transport = transport(sockets);
        Link link = transport.connect(addressOf(server(sockets)), Samples.hello(Hello.CallerRole.READER), caller);
        assertThat(caller.next()).startsWith("up");
        send(transport, link, AwaitCommitRequest.of(0, TIMEOUT.toMillis()));

        await().until(() -> node.turnSizes.size() >= 5);
        assertThat(node.accepted).hasValue(1);
        assertThat(caller.events).isEmpty();
        assertThat(caller.answered).isEmpty();
    }

    private static StatusReply status() {
        LogSummary end =
                LogSummary.of(LogPosition.of(Samples.EPOCH, 42), Members.NONE, 1, Optional.empty(), Optional.empty());
        return StatusReply.of(
                Samples.NODE,
                Samples.NAMESPACE,
                Promise.of(Samples.EPOCH, WriterId.of("w"), 500),
                end,
                end,
                1,
                LogCompleteness.COMPLETE,
                0);
    }

    private static void send(NettyTransport transport, Link link, PoolRequest request) {
        transport.execute(() -> {
            link.send(request);
            link.flush();
        });
    }

    private NettyTransport transport(Sockets sockets) {
        NettyTransport transport = NettyTransport.start(
                "test", sockets, SETTINGS, Authentication.NONE, Tls.disabled(KeySource.Side.CALLER));
        open.push(transport);
        return transport;
    }

    private NettyPoolServer server(Sockets sockets) throws IOException {
        NettyPoolServer server = NettyPoolServer.start(
                "127.0.0.1", 0, node, AccessController.OPEN, ServerLimits.USUAL, TlsSettings.OFF, sockets);
        open.push(server);
        return server;
    }

    private static NodeAddress addressOf(NettyPoolServer server) {
        return Samples.addressOf(server.boundAddress());
    }
}

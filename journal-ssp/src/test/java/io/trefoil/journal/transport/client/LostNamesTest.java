/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.foundation.TestPorts;
import io.trefoil.foundation.names.FakeNames;
import io.trefoil.foundation.names.HostResolver;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.TestCaller;
import io.trefoil.journal.transport.Transport;
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
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Links to nodes whose names do not resolve any more, or lead elsewhere. */
@Timeout(60)
class LostNamesTest {
    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final FakeNames names = new FakeNames();
    private final HostResolver hosts = HostResolver.with(names);
    private final TestCaller caller = new TestCaller();
    private final int port = TestPorts.free();
    private final NodeAddress node = NodeAddress.of("n1.test", port);
    private final NettyTransport transport = NettyTransport.start(
            "test",
            Sockets.bestAvailable(),
            LinkSettings.USUAL,
            Authentication.NONE,
            Tls.disabled(KeySource.Side.CALLER),
            hosts);

    @AfterEach
    void closeAll() throws Exception {
        names.release();
        transport.close();
        while (!open.isEmpty()) {
            open.pop().close();
        }
    }

    @Test
    void reconnectsToRestartedNodeWhenNamesVanish() throws Exception {
        NettyPoolServer first = awaitReachedServer();

        names.vanish();
        first.close();
        assertThat(caller.next()).startsWith("down");
        serve("127.0.0.1");

        awaitUp();
    }

    @Test
    void reconnectsToRestartedNodeWhenNameServerHangs() throws Exception {
        NettyPoolServer first = awaitReachedServer();

        names.hang();
        first.close();
        assertThat(caller.next()).startsWith("down");
        serve("127.0.0.1");

        awaitUp();
    }

    @Test
    void reachesNodeAtItsNewAddress() throws Exception {
        NettyPoolServer first = awaitReachedServer();

        first.close();
        assertThat(caller.next()).startsWith("down");
        serve("127.0.0.2");
        names.setAddress(node.host(), "127.0.0.2");

        long begun = System.nanoTime();
        awaitUp();
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(5));
    }

    @Test
    void reachesNodeAtOldAddressWhenNewOneIsDead() throws Exception {
        NettyPoolServer first = awaitReachedServer();

        first.close();
        assertThat(caller.next()).startsWith("down");
        names.setAddress(node.host(), "127.0.0.3");
        serve("127.0.0.1");

        awaitUp();
    }

    @Test
    void probeFindsNodeWithoutNamesAndNeverReportsItDead() throws Exception {
        NettyPoolServer first = awaitReachedServer();
        names.vanish();
        BlockingQueue<Transport.Probe> outcome = new ArrayBlockingQueue<>(1);

        transport.probe(node, Duration.ofSeconds(5), outcome::add);
        assertThat(outcome.poll(30, TimeUnit.SECONDS)).isEqualTo(Transport.Probe.ACCEPTED);

        first.close();
        transport.probe(node, Duration.ofSeconds(5), outcome::add);
        assertThat(outcome.poll(30, TimeUnit.SECONDS))
                .as("its address may be another's by now")
                .isEqualTo(Transport.Probe.UNREACHABLE);
    }

    private NettyPoolServer awaitReachedServer() throws Exception {
        names.setAddress(node.host(), "127.0.0.1");
        NettyPoolServer first = serve("127.0.0.1");
        transport.connect(node, Samples.hello(Hello.CallerRole.WRITER), caller);
        awaitUp();
        return first;
    }

    private void awaitUp() throws InterruptedException {
        while (!caller.next().startsWith("up")) {}
    }

    private NettyPoolServer serve(String host) throws IOException {
        NettyPoolServer server = NettyPoolServer.start(
                host,
                port,
                new TestNode(),
                AccessController.OPEN,
                ServerLimits.USUAL,
                TlsSettings.OFF,
                Sockets.bestAvailable());
        open.push(server);
        return server;
    }
}

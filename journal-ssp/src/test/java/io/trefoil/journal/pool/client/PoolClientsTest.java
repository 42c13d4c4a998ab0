/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trefoil.foundation.TestPorts;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.StatusRequest;
import io.trefoil.journal.transport.Hello.CallerRole;
import io.trefoil.journal.transport.access.AccessController;
import io.trefoil.journal.transport.authentication.Authentication;
import io.trefoil.journal.transport.client.NettyTransport;
import io.trefoil.journal.transport.codec.Samples;
import io.trefoil.journal.transport.server.NettyPoolServer;
import io.trefoil.journal.transport.server.ServerLimits;
import io.trefoil.journal.transport.server.TestNode;
import io.trefoil.journal.transport.tls.TlsSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** For whom a question to several nodes waits. */
class PoolClientsTest {
    /** A test that waits for it fails. */
    private static final Duration ENDLESS_TIMEOUT = Duration.ofHours(1);

    private static final Duration LONG_ENOUGH = Duration.ofSeconds(30);

    private final NettyTransport transport = NettyTransport.start("asking", Authentication.NONE);
    private final PoolClients clients = new PoolClients(transport, Samples.hello(CallerRole.READER));

    @AfterEach
    void close() {
        clients.close();
        transport.close();
    }

    @Test
    void skipsUnreachableNodeOnceOthersSuffice() throws Exception {
        NodeAddress down = NodeAddress.of("127.0.0.1", TestPorts.free());
        try (NettyPoolServer server = serverAt(0)) {
            NodeAddress up = Samples.addressOf(server.boundAddress());

            assertThat(query(List.of(down, up), replies -> replies.containsKey(up)))
                    .succeedsWithin(LONG_ENOUGH)
                    .satisfies(replies -> assertThat(replies).containsOnlyKeys(up));
            assertThat(clients.isUnreachable(down)).isTrue();
            assertThat(clients.isUnreachable(up)).isFalse();
        }
    }

    @Test
    void awaitsSlowNodeWhileOthersAreInsufficient() throws Exception {
        NodeAddress late = NodeAddress.of("127.0.0.1", TestPorts.free());
        CompletableFuture<Map<NodeAddress, PoolReply>> asked = query(List.of(late), replies -> false);
        await().atMost(LONG_ENOUGH).until(() -> clients.isUnreachable(late));
        try (NettyPoolServer server = serverAt(late.port())) {
            assertThat(asked).succeedsWithin(LONG_ENOUGH).satisfies(replies -> assertThat(replies)
                    .containsOnlyKeys(Samples.addressOf(server.boundAddress())));
            assertThat(clients.isUnreachable(late)).isFalse();
        }
    }

    private CompletableFuture<Map<NodeAddress, PoolReply>> query(
            List<NodeAddress> nodes, Predicate<Map<NodeAddress, PoolReply>> stopCondition) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return clients.queryAll(nodes, StatusRequest.create(), ENDLESS_TIMEOUT, stopCondition);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private static NettyPoolServer serverAt(int port) throws IOException {
        return NettyPoolServer.start(
                "127.0.0.1", port, new TestNode(), AccessController.OPEN, ServerLimits.USUAL, TlsSettings.OFF);
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.Promise;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.StatusReply;
import io.trefoil.journal.transport.Hello.CallerRole;
import io.trefoil.journal.transport.access.AccessController;
import io.trefoil.journal.transport.authentication.Authentication;
import io.trefoil.journal.transport.client.NettyTransport;
import io.trefoil.journal.transport.codec.Samples;
import io.trefoil.journal.transport.server.NettyPoolServer;
import io.trefoil.journal.transport.server.ServerLimits;
import io.trefoil.journal.transport.server.TestNode;
import io.trefoil.journal.transport.tls.TlsSettings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whom the question for the lease reaches. */
class LeaseQueryTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final long LAST_TXID = 420;

    @Test
    @Timeout(120)
    void retriesQueryWhenSessionDropsIt() throws Exception {
        TestNode node = new TestNode();
        // The first session is up, and nothing comes out of it any more.
        node.turn = requests -> {
            if (node.accepted.get() > 1) {
                requests.forEach(request -> request.answer(status()));
            }
        };
        try (NettyPoolServer server = NettyPoolServer.start(
                        "127.0.0.1", 0, node, AccessController.OPEN, ServerLimits.USUAL, TlsSettings.OFF);
                NettyTransport transport = NettyTransport.start("asking", Authentication.NONE);
                PoolClients clients = new PoolClients(transport, Samples.hello(CallerRole.READER))) {
            NodeAddress address = Samples.addressOf(server.boundAddress());
            clients.clientFor(address);
            await().until(() -> node.accepted.get() == 1);

            PoolLeaseStatus survey = new LeaseQuery(
                            Optional.<NodeAddress>empty(), Optional.<Epoch>empty(), clients, transport)
                    .run(Optional.<PoolReply>empty(), List.of(address), Duration.ofSeconds(5));

            assertThat(survey.lastTxId()).isEqualTo(LAST_TXID);
            await().atMost(TIMEOUT).until(() -> node.closed.get() == 1);
        }
    }

    private static StatusReply status() {
        LogSummary end = LogSummary.of(
                LogPosition.of(Samples.EPOCH, 42), Members.NONE, LAST_TXID, Optional.empty(), Optional.empty());
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
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trefoil.foundation.TestPorts;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.protocol.ForwardRequest;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.StatusRequest;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.SessionRefusedException;
import io.trefoil.journal.transport.access.AccessController;
import io.trefoil.journal.transport.access.AccessRight;
import io.trefoil.journal.transport.access.Caller;
import io.trefoil.journal.transport.access.CallerCredentials;
import io.trefoil.journal.transport.client.NettyTransport;
import io.trefoil.journal.transport.codec.Samples;
import io.trefoil.journal.transport.server.NettyPoolServer;
import io.trefoil.journal.transport.server.ServerLimits;
import io.trefoil.journal.transport.server.TestNode;
import io.trefoil.journal.transport.tls.TlsSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class NodeClientTest implements AccessController {
    private static final Duration LONG = Duration.ofSeconds(30);

    private volatile Optional<String> reason = Optional.of("not you");

    @Override
    public boolean expectsCallsFrom(InetAddress address) {
        return true;
    }

    @Override
    public CompletionStage<Caller> admit(Hello hello, CallerCredentials credentials) {
        CompletableFuture<Caller> decided = new CompletableFuture<>();
        if (reason.isPresent()) {
            decided.completeExceptionally(
                    new SessionRefusedException(SessionRefusedException.Reason.FORBIDDEN, reason.get()));
        } else {
            decided.complete(Caller.of("somebody", EnumSet.of(AccessRight.READ)));
        }
        return decided;
    }

    @Test
    void reportsRejectionOnceAndAgainWhenReasonChanges() throws Exception {
        try (NettyPoolServer server = NettyPoolServer.start(
                        "127.0.0.1", 0, new TestNode(), this, ServerLimits.USUAL, TlsSettings.OFF);
                NettyTransport transport = NettyTransport.start("client");
                NodeClient client = new NodeClient(
                        transport, Samples.addressOf(server.boundAddress()), Samples.hello(Hello.CallerRole.READER))) {
            await().untilAsserted(() -> assertThat(client.newRefusal()).contains("not you"));
            assertThat(client.newRefusal()).isEmpty();

            reason = Optional.of("still not you");
            await().untilAsserted(() -> assertThat(client.newRefusal()).contains("still not you"));
            assertThat(client.newRefusal()).isEmpty();

            reason = Optional.empty();
            await().until(() ->
                    server.connectionCount() == 1 && client.newRefusal().isEmpty());
        }
    }

    /** As by those that another thread has just closed it for. */
    @Test
    void requestAfterCloseIsNotTaken() throws Exception {
        try (NettyTransport transport = NettyTransport.start("client")) {
            NodeClient client = new NodeClient(
                    transport, NodeAddress.of("127.0.0.1", TestPorts.free()), Samples.hello(Hello.CallerRole.READER));
            client.close("another node is called now");
            CompletableFuture<PoolReply> question = client.query(StatusRequest.create());
            CompletableFuture<PoolReply> call = client.query(ForwardRequest.of(Bytes.ofUtf8("mkdirs")));

            assertThat(question)
                    .failsWithin(LONG)
                    .withThrowableThat()
                    .havingCause()
                    .isInstanceOf(IOException.class)
                    .withMessageContaining("another node is called now");
            assertThat(call)
                    .failsWithin(LONG)
                    .withThrowableThat()
                    .havingCause()
                    .isInstanceOf(CallNotExecutedException.class);
        }
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.protocol.StatusRequest;
import io.trefoil.journal.transport.access.AccessController;
import io.trefoil.journal.transport.authentication.Authentication;
import io.trefoil.journal.transport.authentication.AuthenticationExchange;
import io.trefoil.journal.transport.codec.Samples;
import io.trefoil.journal.transport.server.NettyPoolServer;
import io.trefoil.journal.transport.server.ServerLimits;
import io.trefoil.journal.transport.server.TestNode;
import io.trefoil.journal.transport.tls.TlsSettings;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class PoolAdminClientTest implements Authentication {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final Duration LONG = Duration.ofSeconds(30);

    private final CountDownLatch loggedIn = new CountDownLatch(1);

    @Override
    public String mechanism() {
        return Authentication.NONE.mechanism();
    }

    @Override
    public AuthenticationExchange beginAsCaller(InetAddress node) throws IOException {
        try {
            loggedIn.await();
        } catch (InterruptedException e) {
            throw (IOException) new InterruptedIOException("Interrupted while logging in").initCause(e);
        }
        return Authentication.NONE.beginAsCaller(node);
    }

    @Override
    public AuthenticationExchange beginAsNode(InetAddress caller) throws IOException {
        return Authentication.NONE.beginAsNode(caller);
    }

    @Override
    public AccessController wrapAccessController(AccessController byAddress) {
        return byAddress;
    }

    /** As that of a command with Kerberos on a busy host. */
    @Test
    void firstLoginMayTakeLongerThanAnswer() throws Exception {
        try (NettyPoolServer server = NettyPoolServer.start(
                        "127.0.0.1", 0, new TestNode(), AccessController.OPEN, ServerLimits.USUAL, TlsSettings.OFF);
                PoolAdminClient inquiry = PoolAdminClient.of(JournalId.of("journal"), this, TIMEOUT)) {
            NodeAddress node = Samples.addressOf(server.boundAddress());
            CompletableFuture<Map<NodeAddress, NodeAnswer>> answers = CompletableFuture.supplyAsync(() -> {
                try {
                    return inquiry.query(List.of(node), StatusRequest.create());
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
            assertThatThrownBy(() ->
                            answers.get(TIMEOUT.multipliedBy(3).dividedBy(2).toMillis(), TimeUnit.MILLISECONDS))
                    .isInstanceOf(TimeoutException.class);
            loggedIn.countDown();
            assertThat(answers).succeedsWithin(LONG).satisfies(answer -> assertThat(
                            answer.get(node).reply())
                    .as(answer.get(node).failureReason())
                    .isPresent());
        }
    }

    @Test
    void refusedConnectionIsReportedWithSystemMessage() throws Exception {
        loggedIn.countDown();
        NodeAddress down;
        try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            down = NodeAddress.of("127.0.0.1", closed.getLocalPort());
        }
        try (PoolAdminClient inquiry = PoolAdminClient.of(JournalId.of("journal"), this, TIMEOUT)) {
            assertThat(inquiry.query(List.of(down), StatusRequest.create())
                            .get(down)
                            .failureReason())
                    .contains("Connection refused")
                    .doesNotContain("netty", "Exception", "finishConnect");
        }
    }

    @Test
    void unknownHostIsReportedOnceWhenNameDoesNotResolve() throws Exception {
        loggedIn.countDown();
        NodeAddress unknown = NodeAddress.of("nowhere.invalid", 8487);
        try (PoolAdminClient inquiry = PoolAdminClient.of(JournalId.of("journal"), this, TIMEOUT)) {
            assertThat(inquiry.query(List.of(unknown), StatusRequest.create())
                            .get(unknown)
                            .failureReason())
                    .matches("no answer in [0-9]+ ms \\(nowhere.invalid: it does not resolve(: [^.]*)?\\)");
        }
    }

    @Test
    void skipsDownNodeWhenOthersSuffice() throws Exception {
        loggedIn.countDown();
        NodeAddress down;
        try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            down = NodeAddress.of("127.0.0.1", closed.getLocalPort());
        }
        try (NettyPoolServer server = NettyPoolServer.start(
                        "127.0.0.1", 0, new TestNode(), AccessController.OPEN, ServerLimits.USUAL, TlsSettings.OFF);
                PoolAdminClient inquiry = PoolAdminClient.of(JournalId.of("journal"), this, Duration.ofHours(1))) {
            NodeAddress node = Samples.addressOf(server.boundAddress());
            CompletableFuture<Map<NodeAddress, NodeAnswer>> answers = CompletableFuture.supplyAsync(() -> {
                try {
                    return inquiry.query(List.of(down, node), StatusRequest.create(), some -> some.get(node)
                            .reply()
                            .isPresent());
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
            assertThat(answers).succeedsWithin(LONG).satisfies(answer -> {
                assertThat(answer.keySet()).containsExactly(down, node);
                assertThat(answer.get(down).failureReason()).contains("refused");
            });
        }
    }
}

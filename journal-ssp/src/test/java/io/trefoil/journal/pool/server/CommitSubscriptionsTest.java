/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trefoil.foundation.TestPorts;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.protocol.AwaitCommitRequest;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.Link;
import io.trefoil.journal.transport.LinkListener;
import io.trefoil.journal.transport.Welcome;
import io.trefoil.journal.transport.client.NettyTransport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A caller that reaches the port may wait for a commit, and says for how long: that costs the node little, and nothing when
 * it has gone.
 */
class CommitSubscriptionsTest {
    /** No more may be without an answer on one connection. */
    private static final int MAX_WAITS_PER_CALLER = 1_000;

    @TempDir
    Path directory;

    private final NodeAddress address = NodeAddress.of("127.0.0.1", TestPorts.free());
    private final NettyTransport transport = NettyTransport.start("stranger");
    private final AtomicInteger answers = new AtomicInteger();
    private final AtomicInteger ups = new AtomicInteger();
    private PoolNode node;

    @BeforeEach
    void start() throws IOException {
        NodeSettings settings = NodeSettings.builder()
                .address(address)
                .bindHost("127.0.0.1")
                .directory(directory)
                .logFileBytes(64 << 10)
                .build();
        node = PoolNode.start(settings);
    }

    @AfterEach
    void stop() throws IOException {
        transport.close();
        node.close();
    }

    @Test
    void unlimitedWaitDoesNotCauseInternalError() {
        Link link = caller();
        requestCommitNotices(link, 1, Long.MAX_VALUE);
        requestCommitNotices(link, 1, -1);

        await().until(() -> answers.get() == 1);
        assertThat(node.refusalCounts()).containsEntry("INTERNAL", 0L);
        assertThat(node.connectionCount()).isEqualTo(1);
        assertThat(node.commitWaitCount()).isEqualTo(1);
    }

    @Test
    void answersExcessWaitsImmediately() {
        requestCommitNotices(caller(), MAX_WAITS_PER_CALLER, Long.MAX_VALUE);
        requestCommitNotices(caller(), MAX_WAITS_PER_CALLER, Long.MAX_VALUE);

        await().until(() -> answers.get() == 2 * MAX_WAITS_PER_CALLER - CommitSubscriptions.MAX_SUBSCRIPTIONS);
        assertThat(node.commitWaitCount()).isEqualTo(CommitSubscriptions.MAX_SUBSCRIPTIONS);
    }

    @Test
    void waitsEndWithTheirSession() {
        for (int round = 0; round < 3; round++) {
            Link link = caller();
            requestCommitNotices(link, MAX_WAITS_PER_CALLER, Long.MAX_VALUE);
            await().until(() -> node.commitWaitCount() == MAX_WAITS_PER_CALLER);
            link.close();
            await().until(() -> node.commitWaitCount() == 0);
        }
        assertThat(answers).hasValue(0);
    }

    private Link caller() {
        int before = ups.get();
        Hello hello = Hello.of(
                JournalId.of("waited-for"),
                NamespaceId.UNKNOWN,
                Hello.CallerRole.READER,
                "a stranger",
                Optional.empty());
        Link link = transport.connect(address, hello, new Stranger());
        await().until(() -> ups.get() > before);
        return link;
    }

    private void requestCommitNotices(Link link, int times, long timeoutMillis) {
        transport.execute(() -> {
            for (int i = 0; i < times; i++) {
                link.send(AwaitCommitRequest.of(7, timeoutMillis));
            }
            link.flush();
        });
    }

    /** Counts what it is told. */
    private final class Stranger implements LinkListener {
        @Override
        public void onUp(Link link, Welcome answer) {
            ups.incrementAndGet();
        }

        @Override
        public void onDown(Link link, String reason) {}

        @Override
        public void onRefused(Link link, String reason) {}

        @Override
        public void onReply(Link link, PoolRequest request, PoolReply reply, long sentNanos) {
            answers.incrementAndGet();
        }

        @Override
        public void onReadCompleted(Link link) {}
    }
}

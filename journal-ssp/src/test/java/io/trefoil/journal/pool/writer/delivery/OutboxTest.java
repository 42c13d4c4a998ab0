/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.writer.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.protocol.StatusRequest;
import io.trefoil.journal.protocol.StepDownRequest;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.Link;
import io.trefoil.journal.transport.LinkListener;
import io.trefoil.journal.transport.Transport;
import io.trefoil.journal.transport.Welcome;
import io.trefoil.journal.writer.WriterTrace;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import org.junit.jupiter.api.Test;

class OutboxTest {
    private static final NodeAddress A = NodeAddress.of("a", 1);
    private static final NodeAddress B = NodeAddress.of("b", 1);
    private static final PoolRequest FIRST = StatusRequest.create();
    private static final PoolRequest SECOND = StepDownRequest.of(Epoch.of(7));
    private static final Hello HELLO = Hello.of(
            JournalId.of("ns1"), NamespaceId.of("CID-1", 42), Hello.CallerRole.WRITER, "test", Optional.empty());

    private static final LinkListener NOBODY = new LinkListener() {
        @Override
        public void onUp(Link link, Welcome welcome) {}

        @Override
        public void onDown(Link link, String reason) {}

        @Override
        public void onRefused(Link link, String reason) {}

        @Override
        public void onReply(Link link, PoolRequest request, PoolReply reply, long sentNanos) {}

        @Override
        public void onReadCompleted(Link link) {}
    };

    private final ManualTransport transport = new ManualTransport();
    private final Outbox outbox = new Outbox(transport, WriterTrace.NONE);

    @Test
    void batchesRequestsIntoOneWakeUpAndFlushPerNode() {
        connect(A);
        connect(B);
        add(A, FIRST);
        outbox.send();
        add(B, FIRST);
        add(A, SECOND);
        outbox.send();

        assertThat(transport.tasks).hasSize(1);
        transport.run();
        assertThat(transport.seen)
                .containsExactly("a:1 " + FIRST, "a:1 " + SECOND, "a:1 flush", "b:1 " + FIRST, "b:1 flush");
    }

    @Test
    void requestAfterWakeUpTriggersNextWakeUp() {
        connect(A);
        add(A, FIRST);
        outbox.send();
        transport.run();
        add(A, SECOND);
        outbox.send();
        transport.run();

        assertThat(transport.seen).containsExactly("a:1 " + FIRST, "a:1 flush", "a:1 " + SECOND, "a:1 flush");
        assertThat(outbox.size()).isZero();
    }

    @Test
    void requestsWithoutWakeUpLeaveWithNextOne() {
        connect(A);
        add(A, FIRST);
        transport.noMemory = true;
        assertThatThrownBy(outbox::send).isInstanceOf(OutOfMemoryError.class);

        transport.noMemory = false;
        add(A, SECOND);
        outbox.send();
        transport.run();

        assertThat(transport.seen).containsExactly("a:1 " + FIRST, "a:1 " + SECOND, "a:1 flush");
    }

    @Test
    void emptyOutboxDoesNotWakeThread() {
        connect(A);
        outbox.send();

        assertThat(transport.tasks).isEmpty();
    }

    @Test
    void connectsNodeOnlyOnce() {
        connect(A);
        connect(A);

        assertThat(transport.seen).isEmpty();
        assertThat(transport.connected).containsExactly(A);
    }

    @Test
    void sendsPendingRequestsBeforeClose() {
        connect(A);
        add(A, SECOND);
        outbox.close();
        transport.run();

        assertThat(transport.seen).containsExactly("a:1 " + SECOND, "a:1 flush", "a:1 close");
    }

    /** A node may be met on the transport's thread while another thread closes the writer. */
    @Test
    void closedOutboxDoesNotOpenLink() {
        connect(A);
        outbox.close();
        connect(B);
        transport.run();

        assertThat(transport.connected).containsExactly(A);
        assertThat(transport.seen).containsExactly("a:1 close");
    }

    private void connect(NodeAddress node) {
        outbox.connect(node, HELLO, NOBODY);
    }

    private void add(NodeAddress to, PoolRequest request) {
        outbox.add(to, request);
    }

    /** Does what it was given when it is told to, and notes what its links were given. */
    private static final class ManualTransport implements Transport {
        private final Queue<Runnable> tasks = new ArrayDeque<>();
        private boolean noMemory;
        private final List<NodeAddress> connected = new ArrayList<>();
        private final List<String> seen = new ArrayList<>();

        void run() {
            while (!tasks.isEmpty()) {
                tasks.remove().run();
            }
        }

        @Override
        public Link connect(NodeAddress node, Hello hello, LinkListener listener) {
            connected.add(node);
            return new Link() {
                @Override
                public NodeAddress address() {
                    return node;
                }

                @Override
                public void send(PoolRequest request) {
                    seen.add(node + " " + request);
                }

                @Override
                public void flush() {
                    seen.add(node + " flush");
                }

                @Override
                public void close() {
                    seen.add(node + " close");
                }
            };
        }

        @Override
        public void probe(NodeAddress address, Duration timeout, ProbeListener listener) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void execute(Runnable task) {
            if (noMemory) {
                throw new OutOfMemoryError("planted");
            }
            tasks.add(task);
        }

        @Override
        public void schedule(Runnable task, Duration delay) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean isTransportThread() {
            return true;
        }

        @Override
        public void close() {}
    }
}

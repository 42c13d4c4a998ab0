/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport;

import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.protocol.AppendRequest;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.transport.access.AccessController;
import io.trefoil.journal.transport.client.NettyTransport;
import io.trefoil.journal.transport.codec.Samples;
import io.trefoil.journal.transport.server.NettyPoolServer;
import io.trefoil.journal.transport.server.ServerLimits;
import io.trefoil.journal.transport.server.TestNode;
import io.trefoil.journal.transport.tls.TlsSettings;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * Measures one append and its answer, from a thread that parks meanwhile as a flush does, to nodes that write nothing.
 * Not a test: figures for people.
 *
 * <pre>
 * RoundTripTimes node                        prints its port and serves until it is killed
 * RoundTripTimes call SIZE SECONDS PORT...   asks all nodes at once, waits for a majority, prints percentiles
 * </pre>
 */
final class RoundTripTimes {

    private final NettyTransport transport = NettyTransport.start("times");
    private final List<Link> links;
    private final int majority;
    private final CountDownLatch allUp;
    private final AtomicInteger answers = new AtomicInteger();
    private volatile long wantedSn;
    private final Thread parked = Thread.currentThread();

    private RoundTripTimes(List<NodeAddress> nodes) {
        this.allUp = new CountDownLatch(nodes.size());
        this.majority = nodes.size() / 2 + 1;
        this.links = nodes.stream()
                .map(node -> transport.connect(node, Samples.hello(Hello.CallerRole.WRITER), new Waker()))
                .toList();
    }

    public static void main(String[] args) throws Exception {
        if (args[0].equals("node")) {
            NettyPoolServer server = NettyPoolServer.start(
                    "127.0.0.1",
                    0,
                    (hello, remote) -> new Mirror(),
                    AccessController.OPEN,
                    ServerLimits.USUAL,
                    TlsSettings.OFF);
            System.out.println(server.boundAddress().getPort());
            new CountDownLatch(1).await();
        }
        List<NodeAddress> nodes = List.of(args).subList(3, args.length).stream()
                .map(port -> NodeAddress.of("127.0.0.1", Integer.parseInt(port)))
                .toList();
        RoundTripTimes times = new RoundTripTimes(nodes);
        times.allUp.await();
        for (int round = 0; round < 3; round++) {
            times.run(Integer.parseInt(args[1]), TimeUnit.SECONDS.toNanos(Integer.parseInt(args[2])));
        }
        times.transport.close();
    }

    private void run(int size, long nanos) {
        Histogram histogram = new Histogram(3);
        long end = System.nanoTime() + nanos;
        while (System.nanoTime() < end) {
            AppendRequest request = Samples.append(wantedSn + 1, size);
            long start = System.nanoTime();
            roundTrip(request);
            histogram.recordValue(System.nanoTime() - start);
        }
        System.out.printf(
                "%d bytes: count %d, us: p50 %.1f p90 %.1f p99 %.1f p99.9 %.1f%n",
                size,
                histogram.getTotalCount(),
                histogram.getValueAtPercentile(50) / 1e3,
                histogram.getValueAtPercentile(90) / 1e3,
                histogram.getValueAtPercentile(99) / 1e3,
                histogram.getValueAtPercentile(99.9) / 1e3);
    }

    private void roundTrip(AppendRequest request) {
        answers.set(0);
        wantedSn = request.lastSn();
        transport.execute(() -> {
            for (Link link : links) {
                link.send(request);
            }
            for (Link link : links) {
                link.flush();
            }
        });
        while (answers.get() < majority) {
            LockSupport.park(this);
        }
    }

    /** A session that answers at once. */
    private static final class Mirror implements NodeSession {
        @Override
        public Welcome welcome() {
            return Samples.welcome();
        }

        @Override
        public void handleRequests(List<InboundRequest> requests) {
            TestNode.answerAll(requests);
        }

        @Override
        public void onClosed() {}
    }

    private final class Waker implements LinkListener {
        @Override
        public void onUp(Link link, Welcome welcome) {
            allUp.countDown();
        }

        @Override
        public void onDown(Link link, String reason) {
            throw new IllegalStateException(reason);
        }

        @Override
        public void onRefused(Link link, String reason) {
            throw new IllegalStateException(reason);
        }

        @Override
        public void onReply(Link link, PoolRequest request, PoolReply reply, long sentNanos) {
            if (TestNode.snOf(request) == wantedSn && answers.incrementAndGet() == majority) {
                LockSupport.unpark(parked);
            }
        }

        @Override
        public void onReadCompleted(Link link) {}
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.server;

import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.Link;
import io.trefoil.journal.transport.LinkListener;
import io.trefoil.journal.transport.Welcome;
import io.trefoil.journal.transport.client.NettyTransport;
import io.trefoil.journal.transport.codec.Samples;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/** A good caller that appends all the time while a test does bad things to its node, and takes the times. */
final class SteadyWriter implements LinkListener, AutoCloseable {

    private static final Duration PAUSE = Duration.ofMillis(1);

    private final NettyTransport transport;
    private final AtomicLong answers = new AtomicLong();
    private final AtomicLong longestNanos = new AtomicLong();
    private final AtomicInteger breaks = new AtomicInteger();
    private volatile LongConsumer watcher = nanos -> {};
    private final Link link;
    private long sn;

    SteadyWriter(NodeAddress node) {
        this(NettyTransport.start("steady"), node);
    }

    /** Closes the transport when it is closed. */
    SteadyWriter(NettyTransport transport, NodeAddress node) {
        this.transport = transport;
        link = transport.connect(node, Samples.hello(Hello.CallerRole.WRITER), this);
    }

    long answerCount() {
        return answers.get();
    }

    /** Tells what each round trip takes from now on, in nanoseconds, on the transport's thread. */
    void watch(LongConsumer roundTrips) {
        watcher = roundTrips;
    }

    int sessionBreakCount() {
        return breaks.get();
    }

    /** The longest round trip since the last call. */
    Duration longest() {
        return Duration.ofNanos(longestNanos.getAndSet(0));
    }

    @Override
    public void onUp(Link to, Welcome welcome) {
        append();
    }

    @Override
    public void onDown(Link from, String reason) {
        breaks.incrementAndGet();
    }

    @Override
    public void onRefused(Link link, String reason) {
        breaks.incrementAndGet();
    }

    @Override
    public void onReply(Link link, PoolRequest request, PoolReply reply, long sentNanos) {
        long took = System.nanoTime() - sentNanos;
        longestNanos.accumulateAndGet(took, Math::max);
        watcher.accept(took);
        answers.incrementAndGet();
        transport.schedule(this::append, PAUSE);
    }

    @Override
    public void onReadCompleted(Link link) {}

    private void append() {
        link.send(Samples.append(++sn, 512));
        link.flush();
    }

    @Override
    public void close() {
        transport.close();
    }
}

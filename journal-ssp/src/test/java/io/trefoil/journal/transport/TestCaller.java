/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Listens to a link: every event is a line that a test can wait for. */
public class TestCaller implements LinkListener {

    public final BlockingQueue<String> events = new LinkedBlockingQueue<>();
    final BlockingQueue<PoolReply> replies = new LinkedBlockingQueue<>();
    public final List<PoolRequest> answered = new CopyOnWriteArrayList<>();
    public final List<String> threads = new CopyOnWriteArrayList<>();

    @Override
    public void onUp(Link link, Welcome welcome) {
        record("up " + welcome.node());
    }

    @Override
    public void onDown(Link link, String reason) {
        record("down " + reason);
    }

    @Override
    public void onRefused(Link link, String reason) {
        record("refused " + reason);
    }

    @Override
    public void onReply(Link link, PoolRequest request, PoolReply reply, long sentNanos) {
        assertThat(System.nanoTime()).isGreaterThanOrEqualTo(sentNanos);
        answered.add(request);
        replies.add(reply);
    }

    @Override
    public void onReadCompleted(Link link) {
        record("turnEnded");
    }

    private void record(String event) {
        threads.add(Thread.currentThread().getName());
        events.add(event);
    }

    /** The next event but ends of turns. */
    public String next() throws InterruptedException {
        while (true) {
            String event = events.poll(20, TimeUnit.SECONDS);
            assertThat(event).as("an event within 20 s").isNotNull();
            if (!event.equals("turnEnded")) {
                return event;
            }
        }
    }

    public PoolReply reply() throws InterruptedException {
        PoolReply reply = replies.poll(20, TimeUnit.SECONDS);
        assertThat(reply).as("an answer within 20 s").isNotNull();
        return reply;
    }
}

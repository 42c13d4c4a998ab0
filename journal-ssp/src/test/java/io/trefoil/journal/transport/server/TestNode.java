/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.server;

import io.trefoil.journal.protocol.AppendRequest;
import io.trefoil.journal.protocol.AwaitCommitRequest;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.InboundRequest;
import io.trefoil.journal.transport.NodeSession;
import io.trefoil.journal.transport.NodeSessionAcceptor;
import io.trefoil.journal.transport.SessionRefusedException;
import io.trefoil.journal.transport.Welcome;
import io.trefoil.journal.transport.codec.Samples;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** A node that does what a test says, and remembers what it was asked, by which threads and how often at once. */
public final class TestNode implements NodeSessionAcceptor {

    /** What a turn of requests meets. */
    public interface Turn {
        void serve(List<InboundRequest> requests) throws InterruptedException;
    }

    /** Decides about a caller. */
    public interface AccessCheck {
        void check(Hello hello) throws SessionRefusedException;
    }

    public final List<Integer> turnSizes = new CopyOnWriteArrayList<>();
    final List<String> threads = new CopyOnWriteArrayList<>();
    public final List<Hello> hellos = new CopyOnWriteArrayList<>();
    public final AtomicInteger accepted = new AtomicInteger();
    public final AtomicInteger closed = new AtomicInteger();

    public volatile AccessCheck doorman = hello -> {};
    public volatile Turn turn = TestNode::answerAll;
    volatile Consumer<String> onClosed = thread -> {};

    /** Answers each append at once with what it would match. */
    public static void answerAll(List<InboundRequest> requests) {
        for (InboundRequest inbound : requests) {
            inbound.answer(Samples.appended(snOf(inbound.request())));
        }
    }

    public static long snOf(PoolRequest request) {
        if (request instanceof AwaitCommitRequest question) {
            return question.knownSn();
        }
        return request instanceof AppendRequest append ? append.lastSn() : 0;
    }

    static List<Long> snsOf(List<InboundRequest> requests) {
        List<Long> sns = new ArrayList<>();
        for (InboundRequest inbound : requests) {
            sns.add(snOf(inbound.request()));
        }
        return sns;
    }

    @Override
    public NodeSession accept(Hello hello, String remote) throws SessionRefusedException {
        doorman.check(hello);
        hellos.add(hello);
        accepted.incrementAndGet();
        return new NodeSession() {
            @Override
            public Welcome welcome() {
                return Samples.welcome();
            }

            @Override
            public void handleRequests(List<InboundRequest> requests) {
                turnSizes.add(requests.size());
                threads.add(Thread.currentThread().getName());
                try {
                    turn.serve(requests);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }

            @Override
            public void onClosed() {
                closed.incrementAndGet();
                onClosed.accept(Thread.currentThread().getName());
            }
        };
    }
}

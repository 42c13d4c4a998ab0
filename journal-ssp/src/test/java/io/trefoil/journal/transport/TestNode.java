/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport;

import io.trefoil.journal.protocol.AppendRequest;
import io.trefoil.journal.protocol.PoolRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** A node that does what a test says, and remembers what it was asked, by which threads and how often at once. */
final class TestNode implements SessionAcceptor {

    /** What a turn of requests meets. */
    interface Turn {
        void serve(List<Inbound> requests) throws InterruptedException;
    }

    /** Decides about a caller. */
    interface Doorman {
        void check(Hello hello) throws SessionRefusedException;
    }

    final List<Integer> turnSizes = new CopyOnWriteArrayList<>();
    final List<String> threads = new CopyOnWriteArrayList<>();
    final List<Hello> hellos = new CopyOnWriteArrayList<>();
    final AtomicInteger accepted = new AtomicInteger();
    final AtomicInteger closed = new AtomicInteger();

    volatile Doorman doorman = hello -> {};
    volatile Turn turn = TestNode::answerAll;
    volatile Consumer<String> onClosed = thread -> {};

    /** Answers each append at once with what it would match. */
    static void answerAll(List<Inbound> requests) {
        for (Inbound inbound : requests) {
            inbound.answer(Samples.appended(snOf(inbound.request())));
        }
    }

    static long snOf(PoolRequest request) {
        return request instanceof AppendRequest append ? append.lastSn() : 0;
    }

    static List<Long> snsOf(List<Inbound> requests) {
        List<Long> sns = new ArrayList<>();
        for (Inbound inbound : requests) {
            sns.add(snOf(inbound.request()));
        }
        return sns;
    }

    @Override
    public Session accept(Hello hello, String remote) throws SessionRefusedException {
        doorman.check(hello);
        hellos.add(hello);
        accepted.incrementAndGet();
        return new Session() {
            @Override
            public Welcome welcome() {
                return Samples.welcome();
            }

            @Override
            public void requests(List<Inbound> requests) {
                turnSizes.add(requests.size());
                threads.add(Thread.currentThread().getName());
                try {
                    turn.serve(requests);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }

            @Override
            public void closed() {
                closed.incrementAndGet();
                onClosed.accept(Thread.currentThread().getName());
            }
        };
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.protocol.DoneReply;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.protocol.StatusRequest;
import io.trefoil.journal.protocol.StepDownRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class LocalCopyTest {
    private static final NodeAddress A = NodeAddress.of("a", 1);
    private static final PoolRequest FIRST = StatusRequest.create();
    private static final PoolRequest SECOND = StepDownRequest.of(Epoch.of(7));
    private static final PoolRequest THIRD = StepDownRequest.of(Epoch.of(8));

    private final Object lock = new Object();
    private final List<String> seen = Collections.synchronizedList(new ArrayList<>());
    private Runnable duringPerform = () -> {};
    private final LocalCopy copy = new LocalCopy(lock, A, this::perform, this::answered);

    @Test
    void whatIsThereIsPerformedAsOneGroup() {
        add(FIRST);
        add(SECOND);
        copy.perform();
        copy.perform();

        assertThat(seen).containsExactly("perform " + List.of(FIRST, SECOND), "2 answers");
        assertThat(copy.size()).isZero();
    }

    @Test
    void whatComesMeanwhileIsTheNextGroup() {
        add(FIRST);
        duringPerform = () -> {
            duringPerform = () -> {};
            add(SECOND);
            add(THIRD);
        };
        copy.perform();

        assertThat(seen)
                .containsExactly(
                        "perform " + List.of(FIRST), "1 answers", "perform " + List.of(SECOND, THIRD), "2 answers");
    }

    /** What follows from an answer, and puts the next request here, comes before anybody else's turn. */
    @Test
    void twoThreadsPerformOneAfterTheOther() throws InterruptedException {
        CountDownLatch goOn = new CountDownLatch(1);
        duringPerform = () -> {
            duringPerform = () -> {};
            awaitUninterrupted(goOn);
        };
        add(FIRST);
        Thread slow = new Thread(copy::perform);
        slow.start();
        await().until(() -> seen.size() == 1);
        add(SECOND);
        Thread next = new Thread(copy::perform);
        next.start();
        await().until(() -> next.getState() == Thread.State.WAITING);

        goOn.countDown();
        slow.join();
        next.join();

        assertThat(seen)
                .containsExactly("perform " + List.of(FIRST), "1 answers", "perform " + List.of(SECOND), "1 answers");
    }

    @Test
    void aCopyThatFailsDoesNotKeepTheTurn() throws InterruptedException {
        duringPerform = () -> {
            throw new IllegalStateException("planted");
        };
        add(FIRST);
        assertThatIllegalStateException().isThrownBy(copy::perform);

        duringPerform = () -> {};
        add(SECOND);
        Thread next = new Thread(copy::perform);
        next.start();
        next.join();

        assertThat(seen).containsExactly("perform " + List.of(FIRST), "perform " + List.of(SECOND), "1 answers");
    }

    private void add(PoolRequest request) {
        synchronized (lock) {
            copy.add(request);
        }
    }

    private List<Optional<PoolReply>> perform(List<PoolRequest> requests) {
        assertThat(Thread.holdsLock(lock)).isFalse();
        seen.add("perform " + requests);
        duringPerform.run();
        return Collections.nCopies(requests.size(), Optional.of(DoneReply.of(NodeId.of("n1"))));
    }

    private void answered(List<Optional<PoolReply>> replies, long sentNanos) {
        assertThat(Thread.holdsLock(lock)).isFalse();
        assertThat(sentNanos).isLessThanOrEqualTo(System.nanoTime());
        seen.add(replies.size() + " answers");
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}

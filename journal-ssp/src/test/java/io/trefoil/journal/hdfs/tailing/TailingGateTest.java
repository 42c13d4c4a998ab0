/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.tailing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class TailingGateTest {
    private final TailingGate gate = new TailingGate();

    @Test
    void rejectsSecondConcurrentTailer() {
        assertThat(gate.tryEnter()).isTrue();
        assertThat(gate.tryEnter()).isFalse();
        gate.leave();
        assertThat(gate.tryEnter()).isTrue();
    }

    @Test
    void rejectsTailerWhileShut() throws Exception {
        gate.closeAndAwaitExit();
        assertThat(gate.tryEnter()).isFalse();
        gate.open();
        assertThat(gate.tryEnter()).isTrue();
    }

    @Test
    void shutInterruptsTailerAndWaitsForIt() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CompletableFuture<Boolean> wasInterrupted = CompletableFuture.supplyAsync(() -> {
            assertThat(gate.tryEnter()).isTrue();
            inside.countDown();
            try {
                new CountDownLatch(1).await();
                return false;
            } catch (InterruptedException e) {
                return true;
            } finally {
                gate.leave();
            }
        });
        inside.await();

        gate.closeAndAwaitExit();

        assertThat(gate.tryEnter()).isFalse();
        assertThat(wasInterrupted.get()).isTrue();
    }

    @Test
    void leavingClearsInterruptMeantForTailer() {
        assertThat(gate.tryEnter()).isTrue();
        Thread.currentThread().interrupt();
        gate.leave();

        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }
}

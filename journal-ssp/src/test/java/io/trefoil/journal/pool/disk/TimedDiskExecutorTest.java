/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class TimedDiskExecutorTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    private final TimedDiskExecutor executor = new TimedDiskExecutor("ns1", () -> Duration.ofMillis(700));

    @Test
    void callerGetsResultOrException() throws IOException {
        assertThat(executor.<Integer>callWithin(LONG, Runnable::run, () -> 7)).isEqualTo(7);

        assertThatThrownBy(() -> executor.callWithin(LONG, Runnable::run, () -> {
                    throw new IOException("the disk is full");
                }))
                .isInstanceOf(IOException.class)
                .hasMessage("the disk is full");
        assertThatThrownBy(() -> executor.callWithin(LONG, Runnable::run, () -> {
                    throw new ArithmeticException("a bug");
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("a bug");
    }

    /** The handler that ends the process when memory runs out has to see it. */
    @Test
    void rethrowsErrors() {
        assertThatThrownBy(() -> executor.callWithin(LONG, Runnable::run, () -> {
                    throw new OutOfMemoryError("Java heap space");
                }))
                .isInstanceOf(OutOfMemoryError.class);
    }

    @Test
    void cancelsWorkNotStartedInTime() {
        Deque<Runnable> queued = new ArrayDeque<>();
        Deque<String> done = new ArrayDeque<>();

        assertThatThrownBy(() -> executor.callWithin(Duration.ofMillis(1), queued::add, () -> done.add("written")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("did not answer within 1 ms")
                .hasMessageContaining("silent for 700 ms");

        queued.remove().run();
        assertThat(done).isEmpty();
    }

    @Test
    void rejectingThreadCountsAsUnresponsiveDisk() {
        assertThatThrownBy(() -> executor.callWithin(
                        LONG,
                        work -> {
                            throw new RejectedExecutionException("full");
                        },
                        () -> 7))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("did not answer");
    }
}

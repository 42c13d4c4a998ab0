/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class DaemonThreadsTest {

    @Test
    void whatIsDoneFromTimeToTimeGoesOnAfterAnError() {
        AtomicInteger times = new AtomicInteger();
        ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor(DaemonThreads.named("look"));
        try {
            Runnable look = DaemonThreads.lasting(() -> {
                times.incrementAndGet();
                throw new OutOfMemoryError("planted");
            });
            executor.scheduleWithFixedDelay(look, 0, 1, TimeUnit.MILLISECONDS);
            await().until(() -> times.get() > 2);
        } finally {
            executor.shutdownNow();
        }
    }

    @Test
    void theyAreDaemonsOfThatName() {
        Thread thread = DaemonThreads.named("look").newThread(() -> {});
        assertThat(thread.isDaemon()).isTrue();
        assertThat(thread.getName()).isEqualTo("look");
    }
}

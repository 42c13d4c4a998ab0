/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.foundation.HungLog;
import io.trefoil.journal.transport.codec.field.RefusalCause;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class RefusalCountersTest {

    private final RefusalCounters refusals = new RefusalCounters();

    @Test
    void countsRefusalsByCause() {
        refusals.recordRefusal(RefusalCause.CHECKSUM, "somewhere", "planted");
        refusals.recordFailure("somewhere", new IllegalStateException("planted"));

        assertThat(refusals.countsByCause()).hasSize(RefusalCause.values().length);
        assertThat(refusals.countsByCause()).containsEntry("CHECKSUM", 1L).containsEntry("INTERNAL", 1L);
        assertThat(refusals.count(RefusalCause.MALFORMED)).isZero();
    }

    @Test
    @Timeout(120)
    void hungLogDoesNotDelayOtherConnections() throws InterruptedException {
        try (HungLog log = new HungLog("Connection ")) {
            refusals.recordRefusal(RefusalCause.CHECKSUM, "somewhere", "planted");
            log.awaitHanging();
            refusals.recordFailure("somewhere", new IllegalStateException("planted"));
        }
    }

    @Test
    void preservesCountsUnderConcurrency() throws InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        for (int i = 0; i < 4; i++) {
            threads.execute(() -> {
                for (int n = 0; n < 10_000; n++) {
                    refusals.recordRefusal(RefusalCause.GIANT_FRAME, "somewhere", "planted");
                }
            });
        }
        threads.shutdown();
        assertThat(threads.awaitTermination(60, TimeUnit.SECONDS)).isTrue();

        assertThat(refusals.count(RefusalCause.GIANT_FRAME)).isEqualTo(40_000);
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class BackoffTest {

    private final Backoff backoff = new Backoff(Duration.ofMillis(20), Duration.ofSeconds(1));

    @Test
    void doublesUpToMaximumAndResets() {
        for (long millis : new long[] {20, 40, 80, 160, 320, 640, 1000, 1000, 1000}) {
            assertThat(backoff.next()).isBetween(Duration.ofMillis(millis / 2), Duration.ofMillis(millis));
        }
        backoff.reset();
        assertThat(backoff.next()).isLessThanOrEqualTo(Duration.ofMillis(20));
    }
}

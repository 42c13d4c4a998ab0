/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class WaitsTest {

    private static Duration invitedWait(int invitedMillis, int elapsedMillis) {
        return Duration.ofNanos(RetryDelays.nanosAfterInvitation(
                Duration.ofMillis(invitedMillis).toNanos(),
                Duration.ofMillis(elapsedMillis).toNanos()));
    }

    @Test
    void invitationIsTakenAtSuggestedTime() {
        assertThat(invitedWait(30, 200)).isEqualTo(Duration.ofMillis(30));
    }

    @Test
    void invitedProbeHasMinimumPause() {
        assertThat(invitedWait(0, 0)).isEqualTo(Duration.ofMillis(5));
    }

    @Test
    void hintedProbesBackOffDuringLongOutage() {
        assertThat(invitedWait(10, 10_000)).isEqualTo(Duration.ofMillis(400));
    }
}

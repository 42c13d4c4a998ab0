/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class DiskStallLoggerTest {
    private final DiskStallLogger alarm = new DiskStallLogger("n1/ns1");

    @Test
    void diskHangsFromLongSilenceUntilNextAnswer() {
        assertThat(alarm.check(Duration.ZERO)).isFalse();
        assertThat(alarm.check(Duration.ofMillis(2_900))).isFalse();
        assertThat(alarm.check(Duration.ofMillis(3_900))).isTrue();
        assertThat(alarm.check(Duration.ofMillis(4_900))).isTrue();
        assertThat(alarm.check(Duration.ofMillis(3))).isFalse();
    }
}

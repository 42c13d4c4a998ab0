/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class DiskCallTrackerTest {
    private long nowNanos = Long.MAX_VALUE - 50;
    private final DiskCallTracker watch = new DiskCallTracker(() -> nowNanos);

    @Test
    void diskIsUnresponsiveSinceOldestPendingCall() {
        assertThat(watch.stallTime()).isZero();

        DiskCallTracker.Call first = watch.begin();
        nowNanos += 100;
        DiskCallTracker.Call second = watch.begin();
        nowNanos += 10;
        assertThat(watch.stallTime()).isEqualTo(Duration.ofNanos(110));

        first.close();
        assertThat(watch.stallTime()).isEqualTo(Duration.ofNanos(10));
        second.close();
        assertThat(watch.stallTime()).isZero();
    }
}

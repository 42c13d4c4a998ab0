/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class DiskWatchTest {
    private long nowNanos = Long.MAX_VALUE - 50;
    private final DiskWatch watch = new DiskWatch(() -> nowNanos);

    @Test
    void aDiskIsSilentForAsLongAsTheOldestThingThatIsUnderWayTakes() {
        assertThat(watch.silent()).isZero();

        DiskWatch.Operation first = watch.begin();
        nowNanos += 100;
        DiskWatch.Operation second = watch.begin();
        nowNanos += 10;
        assertThat(watch.silent()).isEqualTo(Duration.ofNanos(110));

        watch.end(first);
        assertThat(watch.silent()).isEqualTo(Duration.ofNanos(10));
        watch.end(second);
        assertThat(watch.silent()).isZero();
    }
}

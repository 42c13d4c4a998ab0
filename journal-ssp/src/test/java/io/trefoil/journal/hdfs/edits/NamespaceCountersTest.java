/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.edits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.trefoil.journal.model.Incarnation;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class NamespaceCountersTest {

    private static final long NOW = Instant.parse("2026-11-28T12:00:00Z").toEpochMilli();

    private static final NamespaceCounters USED = NamespaceCounters.builder()
            .contiguousId(1L << 41)
            .stripedId(Long.MIN_VALUE + 160)
            .generationStamp(1L << 41)
            .inodeId(1L << 41)
            .build();

    /** DataNodes have replicas of the first one, of which nothing else is left. */
    @Test
    void laterTimelineStartsAboveLostTimelineWithSameCounters() throws IOException {
        Duration lived = Duration.ofHours(1);
        // A thousand a millisecond are more than a NameNode can do.
        long assigned = lived.toMillis() * 1_000;

        NamespaceCounters lost = USED.startOfNextTimelineAt(NOW, Incarnation.NONE);
        NamespaceCounters next = USED.startOfNextTimelineAt(NOW + lived.toMillis(), Incarnation.NONE);

        assertThat(next.contiguousId()).isGreaterThan(lost.contiguousId() + assigned);
        assertThat(next.stripedId())
                .isGreaterThan(lost.stripedId() + 16 * assigned)
                .isNegative();
        assertThat(next.generationStamp()).isGreaterThan(lost.generationStamp() + assigned);
        assertThat(next.inodeId()).isGreaterThan(lost.inodeId() + assigned);
    }

    @Test
    void timelineSkipsUsualNumberOfIdsWhenClockIsWrong() throws IOException {
        assertThat(USED.startOfNextTimelineAt(0, Incarnation.NONE)).isEqualTo(USED.startOfNextTimeline());
    }

    /** Of the lost one, only the incarnation is known: it began before the clock went back, and may have lived long since. */
    @Test
    void timelineSkipsIdsOfNewestIncarnationWhenClockWentBack() throws IOException {
        long assigned = Duration.ofDays(10).toMillis() * 1_000;
        NamespaceCounters lost = USED.startOfNextTimelineAt(NOW, Incarnation.NONE);

        for (long now : new long[] {0, NOW - 1, NOW}) {
            NamespaceCounters next = USED.startOfNextTimelineAt(now, Incarnation.ofFormat(NOW, 0));
            assertThat(next.contiguousId()).isGreaterThan(lost.contiguousId() + assigned);
        }
        assertThatIOException()
                .isThrownBy(() -> USED.startOfNextTimelineAt(NOW, Incarnation.ofFormat(Long.MAX_VALUE - 1, 0)))
                .withMessageContaining("not enough");
    }

    @Test
    void idsSufficeForThousandTimelines() throws IOException {
        NamespaceCounters counters = USED;
        for (int i = 0; i < 1_000; i++) {
            counters = counters.startOfNextTimelineAt(NOW + i, Incarnation.NONE);
        }
        NamespaceCounters full = USED.toBuilder()
                .contiguousId(Long.MAX_VALUE / 4 * 3)
                .inodeId(Long.MAX_VALUE - 1)
                .build();
        assertThatIOException()
                .isThrownBy(() -> full.startOfNextTimelineAt(NOW, Incarnation.NONE))
                .withMessageContaining("not enough");
    }
}

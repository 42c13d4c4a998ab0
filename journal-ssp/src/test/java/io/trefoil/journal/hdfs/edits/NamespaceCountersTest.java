/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.edits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

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
    void laterTimelineBeginsAboveLostOneOfSameCounters() throws IOException {
        Duration lived = Duration.ofHours(1);
        // A thousand a millisecond are more than a NameNode can do.
        long assigned = lived.toMillis() * 1_000;

        NamespaceCounters lost = USED.startOfNextTimelineAt(NOW);
        NamespaceCounters next = USED.startOfNextTimelineAt(NOW + lived.toMillis());

        assertThat(next.contiguousId()).isGreaterThan(lost.contiguousId() + assigned);
        assertThat(next.stripedId())
                .isGreaterThan(lost.stripedId() + 16 * assigned)
                .isNegative();
        assertThat(next.generationStamp()).isGreaterThan(lost.generationStamp() + assigned);
        assertThat(next.inodeId()).isGreaterThan(lost.inodeId() + assigned);
    }

    @Test
    void timelineLeapsAsFarAsEverWhenClockIsWrong() throws IOException {
        assertThat(USED.startOfNextTimelineAt(0)).isEqualTo(USED.startOfNextTimeline());
    }

    @Test
    void thousandTimelinesFindRoom() throws IOException {
        NamespaceCounters counters = USED;
        for (int i = 0; i < 1_000; i++) {
            counters = counters.startOfNextTimelineAt(NOW + i);
        }
        NamespaceCounters full = USED.toBuilder()
                .contiguousId(Long.MAX_VALUE / 4 * 3)
                .inodeId(Long.MAX_VALUE - 1)
                .build();
        assertThatIOException()
                .isThrownBy(() -> full.startOfNextTimelineAt(NOW))
                .withMessageContaining("not enough");
    }
}

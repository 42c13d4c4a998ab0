/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer.peer;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.writer.events.EntryRange;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What the rules know of the entries in memory. */
class MemoryWindowTest {

    private static final long NO_LIMIT = Long.MAX_VALUE;

    private static MemoryWindow windowOf(long... sizes) {
        MemoryWindow window = MemoryWindow.emptyWindowAfter(10);
        for (long size : sizes) {
            window = window.plus(size, NO_LIMIT, 0);
        }
        return window;
    }

    private static List<Long> sizes(MemoryWindow window, long lastSn) {
        List<Long> sizes = new ArrayList<>();
        for (long sn = window.firstSn(); sn <= lastSn; sn++) {
            sizes.add(window.bytes(EntryRange.of(sn - 1, sn)));
        }
        return sizes;
    }

    @Test
    void newWindowIsEmptyAfterContinuedEntry() {
        MemoryWindow window = MemoryWindow.emptyWindowAfter(10);

        assertThat(window.firstSn()).isEqualTo(11);
        assertThat(window.reachesBackTo(10)).isTrue();
        assertThat(window.reachesBackTo(9)).isFalse();
        assertThat(window).hasToString("11..10 with 0 bytes");
    }

    @Test
    void dropsOldestEntriesAboveByteLimit() {
        MemoryWindow window = windowOf(5, 5, 5);

        assertThat(window.plus(5, 20, 99).firstSn()).isEqualTo(11);
        assertThat(window.plus(6, 20, 99).firstSn()).isEqualTo(12);
        assertThat(window.plus(20, 20, 99).firstSn()).isEqualTo(14);
        assertThat(window.plus(21, 20, 99).firstSn()).isEqualTo(15);
    }

    @Test
    void keepsUncommittedEntries() {
        MemoryWindow window = windowOf(5, 5, 5);

        assertThat(window.plus(20, 1, 10).firstSn()).isEqualTo(11);
        assertThat(window.plus(20, 1, 12).firstSn()).isEqualTo(13);
    }

    @Test
    void partHoldsEntriesWithinByteLimitButAtLeastOne() {
        MemoryWindow window = windowOf(5, 5, 5);

        assertThat(window.prefix(EntryRange.of(10, 13), 15)).isEqualTo(EntryRange.of(10, 13));
        assertThat(window.prefix(EntryRange.of(10, 13), 14)).isEqualTo(EntryRange.of(10, 12));
        assertThat(window.prefix(EntryRange.of(11, 13), 5)).isEqualTo(EntryRange.of(11, 12));
        assertThat(window.prefix(EntryRange.of(11, 13), 1)).isEqualTo(EntryRange.of(11, 12));
        assertThat(window.prefix(EntryRange.of(10, 12), 100)).isEqualTo(EntryRange.of(10, 12));
        assertThat(window.prefix(EntryRange.of(13, 13), 100)).isEqualTo(EntryRange.of(13, 13));
    }

    @Test
    void divergingSuccessorsStayIndependent() {
        MemoryWindow before = windowOf(1, 2);

        MemoryWindow one = before.plus(3, NO_LIMIT, 0);
        MemoryWindow other = before.plus(4, NO_LIMIT, 0).plus(5, NO_LIMIT, 0);

        assertThat(sizes(before, 12)).containsExactly(1L, 2L);
        assertThat(sizes(one.plus(6, NO_LIMIT, 0), 14)).containsExactly(1L, 2L, 3L, 6L);
        assertThat(sizes(other, 14)).containsExactly(1L, 2L, 4L, 5L);
    }

    @Test
    void equalEntriesMakeEqualWindows() {
        assertThat(windowOf(1, 2, 3))
                .isEqualTo(windowOf(1, 2, 3))
                .hasSameHashCodeAs(windowOf(1, 2, 3))
                .isNotEqualTo(windowOf(1, 2, 4))
                .doesNotHaveSameHashCodeAs(windowOf(1, 2, 4))
                .isNotEqualTo("11..13 with 6 bytes");
        assertThat(windowOf(1, 2, 3).withoutBelow(12))
                .isEqualTo(windowOf(9, 2, 3).withoutBelow(12))
                .isNotEqualTo(windowOf(1, 2, 3));
        assertThat(windowOf(1, 2, 3).withoutBelow(12)).isNotEqualTo(windowOf(2, 3));
        assertThat(MemoryWindow.emptyWindowAfter(10)).isNotEqualTo(MemoryWindow.emptyWindowAfter(11));
    }

    @Test
    void keepsSizesOfNewestEntriesIndefinitely() {
        Random random = new Random(1);
        Deque<Long> newest = new ArrayDeque<>();
        MemoryWindow window = MemoryWindow.emptyWindowAfter(0);
        long bytes = 0;
        for (long sn = 1; sn <= 10_000; sn++) {
            long size = random.nextInt(100);
            long committedSn = sn - 1 - random.nextInt(300);
            newest.add(size);
            bytes += size;
            while (bytes > 5_000 && sn - newest.size() + 1 <= committedSn) {
                bytes -= newest.remove();
            }

            window = window.plus(size, 5_000, committedSn);

            assertThat(window.firstSn()).isEqualTo(sn - newest.size() + 1);
            assertThat(window.bytes(EntryRange.of(window.firstSn() - 1, sn))).isEqualTo(bytes);
        }
        assertThat(sizes(window, 10_000)).containsExactlyElementsOf(newest);
    }

    @Test
    void windowsAtDifferentPositionsDiffer() {
        MemoryWindow window = MemoryWindow.emptyWindowAfter(10).plus(5, NO_LIMIT, 0);

        assertThat(window).isEqualTo(MemoryWindow.emptyWindowAfter(10).plus(5, NO_LIMIT, 0));
        assertThat(window).isNotEqualTo(MemoryWindow.emptyWindowAfter(11).plus(5, NO_LIMIT, 0));
    }
}

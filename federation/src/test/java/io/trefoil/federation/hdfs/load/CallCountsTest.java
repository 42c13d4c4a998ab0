/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CallCountsTest {
    private static final int DEPTH = 3;

    private static void add(CallCounts counts, String command, String path, int times) {
        for (int i = 0; i < times; i++) {
            counts.add(CountedCall.of(command, path, null, DEPTH).orElseThrow());
        }
    }

    private static List<String> texts(CallCounts counts, int limit) {
        return counts.heaviest(limit).stream()
                .map(one -> one.path() + " " + one.reads() + " " + one.changes())
                .toList();
    }

    @Test
    void countsReadsAndChangesSeparately() {
        CallCounts counts = new CallCounts();
        add(counts, "open", "/a/b/file", 3);
        add(counts, "create", "/a/c", 2);

        assertThat(texts(counts, 3)).containsExactly("/a 3 2", "/a/b 3 0", "/a/b/file 3 0");
        assertThat(counts.reads()).isEqualTo(3);
        assertThat(counts.changes()).isEqualTo(2);
        assertThat(counts.maxError()).isZero();
    }

    @Test
    void findsHeaviestSubtreesWithBoundedMemory() {
        CallCounts counts = new CallCounts();
        int light = 100_000;
        for (int i = 0; i < light; i++) {
            add(counts, "open", "/user/" + i + "/file", 1);
            if (i % 10 == 0) {
                add(counts, "open", "/warehouse/sales/orders", 2);
                add(counts, "create", "/logs/today", 1);
            }
        }

        long allowed = 7L * (counts.reads() + counts.changes()) * DEPTH / (2L * CallCounts.SLOTS);
        assertThat(counts.maxError()).isPositive().isLessThanOrEqualTo(allowed);
        assertThat(counts.reads()).isEqualTo(light + light / 5);
        List<SubtreeCalls> found = counts.heaviest(6);
        assertThat(found)
                .extracting(SubtreeCalls::path)
                .containsExactly(
                        "/user", "/warehouse", "/warehouse/sales", "/warehouse/sales/orders", "/logs", "/logs/today");
        assertThat(found.get(0).reads()).isBetween(light - counts.maxError(), light + counts.maxError());
        assertThat(found.get(1).reads()).isBetween(light / 5 - counts.maxError(), light / 5 + counts.maxError());
        assertThat(counts.heaviest(Integer.MAX_VALUE)).hasSizeLessThanOrEqualTo(2 * CallCounts.SLOTS);
    }

    @Test
    void mergedCountsEqualSum() {
        CallCounts one = new CallCounts();
        CallCounts other = new CallCounts();
        add(one, "open", "/a", 1);
        add(other, "open", "/a", 2);
        add(other, "create", "/a", 4);

        one.add(other);

        assertThat(texts(one, 9)).containsExactly("/a 3 4");
        assertThat(one.reads()).isEqualTo(3);
        assertThat(one.changes()).isEqualTo(4);
    }
}

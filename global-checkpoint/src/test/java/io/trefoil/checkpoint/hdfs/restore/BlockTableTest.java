/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs.restore;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BlockTableTest {
    private static final long FIRST = 1L << 30;
    private static final int COUNT = 100_000;

    @Test
    void containsExactlyInsertedBlocks() {
        BlockTable table = new BlockTable();
        for (int i = 0; i < COUNT; i += 2) {
            table.put(FIRST + i, 1_000 + i, i);
            table.put(-FIRST - 16L * i, 7, i);
        }
        for (int i = 0; i < COUNT; i++) {
            assertThat(table.contains(FIRST + i)).isEqualTo(i % 2 == 0);
            assertThat(table.contains(-FIRST - 16L * i)).isEqualTo(i % 2 == 0);
        }
        assertThat(table.contains(FIRST + 4, 1_004, 4)).isTrue();
        assertThat(table.contains(FIRST + 4, 1_005, 4)).isFalse();
        assertThat(table.contains(FIRST + 4, 1_004, 5)).isFalse();
        assertThat(table.contains(FIRST + 5, 0, 0)).isFalse();
    }

    @Test
    void lastBlockWithSameIdWins() {
        BlockTable table = new BlockTable();
        table.put(FIRST, 1, 10);
        table.put(FIRST, 2, 20);
        assertThat(table.contains(FIRST, 2, 20)).isTrue();
        assertThat(table.contains(FIRST, 1, 10)).isFalse();
    }
}

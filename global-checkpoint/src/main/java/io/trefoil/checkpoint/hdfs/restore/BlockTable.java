/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs.restore;

/**
 * A set of blocks by id, with generation stamp and length, for hundreds of millions of blocks at 24 to 48 bytes each.
 * If an id is added twice, the later entry wins. Not thread-safe.
 */
final class BlockTable {

    private static final int WIDTH = 3;

    /** An id that no HDFS block has. */
    private static final long NONE = 0;

    private long[][] slots = new long[WIDTH][1 << 10];
    private int count;

    void put(long id, long generation, long length) {
        if (count * 2 >= slots[0].length) {
            grow();
        }
        int slot = slot(id);
        count += slots[0][slot] == NONE ? 1 : 0;
        slots[0][slot] = id;
        slots[1][slot] = generation;
        slots[2][slot] = length;
    }

    private void grow() {
        long[][] old = slots;
        slots = new long[WIDTH][old[0].length * 2];
        count = 0;
        for (int i = 0; i < old[0].length; i++) {
            if (old[0][i] != NONE) {
                put(old[0][i], old[1][i], old[2][i]);
            }
        }
    }

    /** The slot that has the id, or would get it. */
    private int slot(long id) {
        int mask = slots[0].length - 1;
        int slot = Long.hashCode(id * 0x9E3779B97F4A7C15L) & mask;
        while (slots[0][slot] != NONE && slots[0][slot] != id) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    boolean contains(long id) {
        return slots[0][slot(id)] == id;
    }

    boolean contains(long id, long generation, long length) {
        int slot = slot(id);
        return slots[0][slot] == id && slots[1][slot] == generation && slots[2][slot] == length;
    }
}

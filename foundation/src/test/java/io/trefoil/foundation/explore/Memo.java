/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.explore;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.function.LongToIntFunction;

/**
 * A function of numbers that are not negative, whose results, which are not negative either, are computed once. Any thread may ask.
 *
 * <p>The upper half of a key mostly is the number of a part, and the lower one what happens to it. All that is known of one part is in one
 * small table: what is asked next is of the same part, and in the same line of the cache.
 */
public final class Memo {

    private static final VarHandle ENTRY = MethodHandles.arrayElementVarHandle(long[].class);
    private static final VarHandle TABLE = MethodHandles.arrayElementVarHandle(long[][].class);
    private static final int NONE = -1;
    private static final int MIN_CAPACITY = 8;

    private final ComputationCache memory;
    private final int number;
    private final LongToIntFunction function;
    /** By the upper half of the key: its lower half above the result plus one, where there is one. */
    private volatile long[][] tables = new long[1 << 8][];

    private int[] sizes = new int[1 << 8];

    Memo(ComputationCache memory, int number, LongToIntFunction function) {
        this.memory = memory;
        this.number = number;
        this.function = function;
    }

    public int get(long key) {
        int known = find(key);
        return known == NONE ? compute(key) : known;
    }

    private int find(long key) {
        long[][] all = tables;
        int upper = (int) (key >>> Integer.SIZE);
        if (upper >= all.length) {
            return NONE;
        }
        long[] table = (long[]) TABLE.getAcquire(all, upper);
        if (table == null) {
            return NONE;
        }
        int lower = (int) key;
        int at = place(lower, table);
        for (long entry = (long) ENTRY.getAcquire(table, at); entry != 0; entry = (long) ENTRY.getAcquire(table, at)) {
            if ((int) (entry >>> Integer.SIZE) == lower) {
                return (int) entry - 1;
            }
            at = (at + 1) & (table.length - 1);
        }
        return NONE;
    }

    private static int place(int lower, long[] table) {
        return (int) ((lower * 0x9e3779b97f4a7c15L) >>> Integer.SIZE) & (table.length - 1);
    }

    private int compute(long key) {
        synchronized (memory) {
            int known = find(key);
            if (known == NONE) {
                known = memory.compute(number, key, function);
                put((int) (key >>> Integer.SIZE), (key << Integer.SIZE) | (known + 1));
            }
            return known;
        }
    }

    private void put(int upper, long entry) {
        if (upper >= tables.length) {
            int length = Math.max(upper + 1, tables.length * 2);
            sizes = Arrays.copyOf(sizes, length);
            tables = Arrays.copyOf(tables, length);
        }
        long[] table = tables[upper];
        sizes[upper]++;
        if (table == null || sizes[upper] > table.length / 4 * 3) {
            long[] larger = new long[table == null ? MIN_CAPACITY : table.length * 2];
            for (int i = 0; table != null && i < table.length; i++) {
                if (table[i] != 0) {
                    put(table[i], larger);
                }
            }
            table = larger;
            put(entry, table);
            TABLE.setRelease(tables, upper, table);
        } else {
            put(entry, table);
        }
    }

    private static void put(long entry, long[] table) {
        int at = place((int) (entry >>> Integer.SIZE), table);
        while (table[at] != 0) {
            at = (at + 1) & (table.length - 1);
        }
        ENTRY.setRelease(table, at, entry);
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.explore;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.function.LongToIntFunction;

/** A function of numbers that are not negative, whose results, which are not negative either, are computed once. Any thread may ask. */
public final class Memo {

    private static final VarHandle KEY = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int NONE = -1;

    private static final class Table {
        final long[] keys;
        final int[] values;

        Table(int length) {
            keys = new long[length];
            values = new int[length];
            Arrays.fill(keys, NONE);
        }

        int find(long key) {
            int at = (int) Fingerprints.mixed(key) & (keys.length - 1);
            for (long known = (long) KEY.getAcquire(keys, at); known != NONE; known = (long) KEY.getAcquire(keys, at)) {
                if (known == key) {
                    return values[at];
                }
                at = (at + 1) & (keys.length - 1);
            }
            return NONE;
        }

        void put(long key, int value) {
            int at = (int) Fingerprints.mixed(key) & (keys.length - 1);
            while (keys[at] != NONE) {
                at = (at + 1) & (keys.length - 1);
            }
            values[at] = value;
            KEY.setRelease(keys, at, key);
        }
    }

    private final Memory memory;
    private final int number;
    private final LongToIntFunction function;
    private volatile Table table = new Table(1 << 8);
    private int size;

    Memo(Memory memory, int number, LongToIntFunction function) {
        this.memory = memory;
        this.number = number;
        this.function = function;
    }

    public int get(long key) {
        int known = table.find(key);
        return known == NONE ? computed(key) : known;
    }

    private int computed(long key) {
        synchronized (memory) {
            int known = table.find(key);
            if (known == NONE) {
                known = memory.compute(number, key, function);
                put(key, known);
            }
            return known;
        }
    }

    private void put(long key, int value) {
        size++;
        if (size > table.keys.length / 3 * 2) {
            Table larger = new Table(table.keys.length * 2);
            for (int i = 0; i < table.keys.length; i++) {
                if (table.keys[i] != NONE) {
                    larger.put(table.keys[i], table.values[i]);
                }
            }
            table = larger;
        }
        table.put(key, value);
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.explore;

import java.util.Arrays;

/** A list of numbers that only grows, with the rules of {@link NumberedList}. */
public final class NumberedLongs {

    private volatile long[] items = new long[1 << 8];
    private int size;

    /** The number of what was added. */
    public int add(long item) {
        if (size == items.length) {
            items = Arrays.copyOf(items, size * 2);
        }
        items[size] = item;
        return size++;
    }

    public long get(int number) {
        return items[number];
    }

    public int size() {
        return size;
    }
}

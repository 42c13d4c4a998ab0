/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.explore;

import java.util.Arrays;

/**
 * A list that only grows. One thread at a time adds to it, with a lock that is its caller's; any thread may read what is at a number that
 * was handed to it.
 */
public final class NumberedList<T> {

    private volatile Object[] items = new Object[1 << 8];
    private int size;

    /** The number of what was added. */
    public int add(T item) {
        if (size == items.length) {
            items = Arrays.copyOf(items, size * 2);
        }
        items[size] = item;
        return size++;
    }

    @SuppressWarnings("unchecked")
    public T get(int number) {
        return (T) items[number];
    }

    public int size() {
        return size;
    }
}

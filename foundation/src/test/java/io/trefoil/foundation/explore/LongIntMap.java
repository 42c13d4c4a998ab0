/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.explore;

import java.util.Arrays;

/** Numbers of results by numbers of what was asked. Neither is negative. */
public final class LongIntMap {

    /** What {@link #get} returns for what is not there. */
    public static final int NONE = -1;

    private long[] keys = filled(1 << 12);
    private int[] values = new int[1 << 12];
    private int size;

    public int get(long key) {
        int at = place(keys, key);
        return keys[at] == key ? values[at] : NONE;
    }

    public void put(long key, int value) {
        int at = place(keys, key);
        keys[at] = key;
        values[at] = value;
        size++;
        if (size > keys.length / 3 * 2) {
            grow();
        }
    }

    private void grow() {
        long[] largerKeys = filled(keys.length * 2);
        int[] largerValues = new int[keys.length * 2];
        for (int i = 0; i < keys.length; i++) {
            if (keys[i] >= 0) {
                int at = place(largerKeys, keys[i]);
                largerKeys[at] = keys[i];
                largerValues[at] = values[i];
            }
        }
        keys = largerKeys;
        values = largerValues;
    }

    private static long[] filled(int length) {
        long[] keys = new long[length];
        Arrays.fill(keys, -1);
        return keys;
    }

    private static int place(long[] keys, long key) {
        int at = (int) (Fingerprints.mixed(key) & (keys.length - 1));
        while (keys[at] >= 0 && keys[at] != key) {
            at = (at + 1) & (keys.length - 1);
        }
        return at;
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.explore;

/** A set of 64-bit fingerprints, in 8 bytes each at two thirds full. */
public final class Fingerprints {

    private static final int MIN_CAPACITY = 1 << 16;

    private long[] table;
    private int size;

    public Fingerprints() {
        this(0);
    }

    /** @param expected for how many there shall be room at once */
    Fingerprints(long expected) {
        table = new long[Math.max(MIN_CAPACITY, Integer.highestOneBit((int) (expected / 2 * 3)) * 2)];
    }

    /** Whether it was not there before. */
    public boolean add(long fingerprint) {
        long stored = fingerprint == 0 ? 1 : fingerprint;
        int at = findSlot(table, stored);
        if (table[at] == stored) {
            return false;
        }
        table[at] = stored;
        size++;
        if (size > table.length / 3 * 2) {
            grow();
        }
        return true;
    }

    public int size() {
        return size;
    }

    private void grow() {
        long[] larger = new long[table.length * 2];
        for (long each : table) {
            if (each != 0) {
                larger[findSlot(larger, each)] = each;
            }
        }
        table = larger;
    }

    private static int findSlot(long[] table, long fingerprint) {
        int at = (int) (fingerprint & (table.length - 1));
        while (table[at] != 0 && table[at] != fingerprint) {
            at = (at + 1) & (table.length - 1);
        }
        return at;
    }

    /** The fingerprint of a text. */
    public static long of(CharSequence text) {
        long hash = 0xcbf29ce484222325L;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
            hash ^= hash >>> 29;
        }
        return mix(hash);
    }

    /** Two fingerprints in this order. */
    public static long combine(long first, long second) {
        return mix(first * 0x9e3779b97f4a7c15L + second);
    }

    public static long mix(long value) {
        long hash = value;
        hash = (hash ^ (hash >>> 30)) * 0xbf58476d1ce4e5b9L;
        hash = (hash ^ (hash >>> 27)) * 0x94d049bb133111ebL;
        return hash ^ (hash >>> 31);
    }
}

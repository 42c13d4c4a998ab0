/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.explore;

/** Some of the fingerprints that were met: it forgets, so that it needs no more memory, but is never wrong about what it knows. */
final class RecentFingerprints {

    private final long[] table;

    /** @param length a power of two */
    RecentFingerprints(int length) {
        table = new long[length];
    }

    /** Whether it may not have been there before. Threads that race for one place both hear that. */
    boolean add(long fingerprint) {
        int at = (int) fingerprint & (table.length - 1);
        boolean isNew = table[at] != fingerprint;
        table[at] = fingerprint;
        return isNew;
    }
}

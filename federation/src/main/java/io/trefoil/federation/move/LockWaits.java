/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move;

import java.io.Closeable;
import java.util.Collections;
import java.util.SortedMap;

/** Measures the time that others, who work elsewhere, wait for the NameNodes of both ends while a move runs. Thread-safe. */
public interface LockWaits {

    /** Starts measuring; closing the returned handle ends it. */
    Closeable measure();

    /** The longest wait so far in each nameservice that was measured, in ms. */
    SortedMap<String, Long> longestMillis();

    /** Measures nothing. */
    static LockWaits none() {
        return new LockWaits() {
            @Override
            public Closeable measure() {
                return () -> {};
            }

            @Override
            public SortedMap<String, Long> longestMillis() {
                return Collections.emptySortedMap();
            }
        };
    }
}

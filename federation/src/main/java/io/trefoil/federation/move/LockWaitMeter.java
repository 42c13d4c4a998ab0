/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move;

import java.io.Closeable;
import java.util.Collections;
import java.util.SortedMap;

/** Measures how long other clients, working elsewhere, wait for the NameNodes of both nameservices while a move runs. Thread-safe. */
public interface LockWaitMeter {

    /** Starts measuring; closing the returned handle ends it. */
    Closeable measure();

    /** The longest wait so far in each nameservice that was measured, in ms. */
    SortedMap<String, Long> longestMillis();

    /** Returns a meter that measures nothing. */
    static LockWaitMeter none() {
        return new LockWaitMeter() {
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

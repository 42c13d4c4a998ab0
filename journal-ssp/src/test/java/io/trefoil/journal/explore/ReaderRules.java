/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.explore;

import io.trefoil.journal.writer.WriterState;
import io.trefoil.journal.writer.peer.ReadLeases;
import java.util.function.IntUnaryOperator;
import java.util.function.Predicate;

/**
 * How leases to read are given and used, by drivers.
 *
 * @param isAlone whether a writer that has just been asked is the only one
 * @param beganAgo how many ticks ago a lease began, by how many ticks ago it was asked for
 * @param usedMillis for how long a lease is used
 */
record ReaderRules(Predicate<WriterState> isAlone, IntUnaryOperator beganAgo, long usedMillis) {

    /** As {@code PoolWriter} and {@code ReadLeaseRenewer} do it. */
    static final ReaderRules REAL = new ReaderRules(
            state -> state.soleWriterUntilNanos()
                    .filter(until -> until > JournalWorld.NOW)
                    .isPresent(),
            ago -> ago,
            ReadLeases.USED_MILLIS);

    /** Grants what it is asked for, whichever writer may have begun meanwhile. */
    static ReaderRules withSupersededWriters() {
        return new ReaderRules(state -> true, REAL.beganAgo, REAL.usedMillis);
    }

    /** Uses a lease from when the answer arrived. */
    static ReaderRules countingFromArrivals() {
        return new ReaderRules(REAL.isAlone, ago -> 0, REAL.usedMillis);
    }

    /** Uses a lease for as long as the writer counts it. */
    static ReaderRules trustingClocks() {
        return new ReaderRules(REAL.isAlone, REAL.beganAgo, ReadLeases.HELD_MILLIS);
    }
}

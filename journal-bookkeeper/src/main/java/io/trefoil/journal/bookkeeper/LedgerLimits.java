/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.bookkeeper;

import com.google.auto.value.AutoValue;

/** The sizes and times of a journal in ledgers. Immutable. */
@AutoValue
public abstract class LedgerLimits {
    private static final long LEDGER_BYTES = 64L << 20;
    /** Bookies by default accept messages of 5 MB. */
    private static final int ADD_BYTES = 4 << 20;

    /** @param leaseMillis how long a new writer waits for an old one that may still answer */
    public static LedgerLimits ofLease(long leaseMillis) {
        return of(leaseMillis, LEDGER_BYTES);
    }

    static LedgerLimits of(long leaseMillis, long ledgerBytes) {
        return of(leaseMillis, ledgerBytes, ADD_BYTES);
    }

    static LedgerLimits of(long leaseMillis, long ledgerBytes, int addBytes) {
        if (leaseMillis < 100) {
            throw new IllegalArgumentException("A lease lasts at least 100 ms, got " + leaseMillis);
        }
        return new AutoValue_LedgerLimits(leaseMillis, ledgerBytes, addBytes);
    }

    public abstract long leaseMillis();

    /** The size at which a writer continues in another ledger. */
    public abstract long ledgerBytes();

    /** The largest piece that bookies are sent: a larger entry is cut into several. */
    public abstract int addBytes();
}

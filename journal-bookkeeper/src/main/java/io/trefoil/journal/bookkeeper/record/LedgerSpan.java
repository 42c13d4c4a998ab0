/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.bookkeeper.record;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Epoch;

/** A ledger of the journal, and the place in the log at which it begins. Immutable. */
@AutoValue
public abstract class LedgerSpan {

    public static LedgerSpan of(long ledger, Epoch epoch, long firstSn) {
        return new AutoValue_LedgerSpan(ledger, epoch, firstSn);
    }

    /** The ledger's id in BookKeeper. */
    public abstract long ledger();

    /** The epoch of the writer that began it. */
    public abstract Epoch epoch();

    /** The serial number of its first entry, whether that has been written yet or not. */
    public abstract long firstSn();
}

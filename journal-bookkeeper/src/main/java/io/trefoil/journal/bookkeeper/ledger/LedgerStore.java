/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.bookkeeper.ledger;

import io.trefoil.journal.bookkeeper.record.LedgerSpan;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.pool.StoreStatus;
import java.io.IOException;
import java.util.List;

/** The ledgers of a cluster of bookies. Thread-safe; all methods wait for bookies and their metadata. */
public interface LedgerStore extends AutoCloseable {

    /**
     * Creates an empty ledger, to be written only by this process. Its number is above those of all ledgers that were created before.
     *
     * @param owner the incarnation of the journal that it is for, which the ledger shows
     */
    WritableLedger create(Incarnation owner) throws IOException;

    /** The ledgers with numbers between these two that were created for an incarnation of a journal and still exist. */
    List<Long> find(Incarnation owner, long above, long below) throws IOException;

    /** The bookies that accept new ledgers. */
    List<String> availableBookies() throws IOException;

    /** The bookies that hold a ledger, and how many of them have an entry before it is acknowledged. */
    StoreStatus.Ledger describe(LedgerSpan ledger) throws IOException;

    /**
     * Opens a ledger with recovery: from the time that this returns, no add of its writer is acknowledged, and its end does not change.
     *
     * @throws IOException if that could not be done; it is unknown then whether the writer is fenced
     */
    ReadableLedger recover(long ledger) throws IOException;

    /** Opens a ledger while its writer uses it; the writer does not notice. */
    ReadableLedger open(long ledger) throws IOException;

    /** Deletes a ledger; one that does not exist counts as deleted. */
    void delete(long ledger) throws IOException;

    @Override
    void close();
}

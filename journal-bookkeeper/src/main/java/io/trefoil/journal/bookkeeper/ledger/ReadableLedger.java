/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.bookkeeper.ledger;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** A ledger that is being read. Thread-safe. */
public interface ReadableLedger extends AutoCloseable {

    long id();

    /** Whether the end of the ledger is final. Does not block. */
    boolean isClosed();

    /** The id of the last entry known to be confirmed; -1 if there is none. Does not block. */
    long lastConfirmed();

    /** Asks the bookies for the last confirmed entry. */
    long readLastConfirmed() throws IOException;

    /**
     * The id of the last entry that any bookie may have acknowledged, whether confirmed or not: nothing later had been acknowledged when
     * this was called.
     */
    long readLastWritten() throws IOException;

    /** Waits until an entry above {@code known} is confirmed, the ledger is closed, or the time is up. */
    void awaitConfirmed(long known, Duration limit) throws IOException, InterruptedException;

    /** The confirmed entries from {@code first} to {@code last}. */
    List<byte[]> read(long first, long last) throws IOException;

    @Override
    void close();
}

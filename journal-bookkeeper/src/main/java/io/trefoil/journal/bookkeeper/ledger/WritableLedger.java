/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.bookkeeper.ledger;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;

/** A ledger that this process writes. */
public interface WritableLedger {

    long id();

    /**
     * Adds an entry after the previous ones; called by one thread at a time.
     *
     * @return completes when an ack quorum has it on disk, in the order of the calls; fails if the ledger takes nothing
     *     more. It is unknown then whether the entry is in the ledger, until a process recovers it
     */
    CompletableFuture<Void> add(byte[] entry);

    /** Ends the ledger after the last acknowledged entry. */
    void close() throws IOException;
}

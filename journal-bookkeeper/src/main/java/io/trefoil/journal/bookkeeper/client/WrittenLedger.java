/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.bookkeeper.client;

import io.trefoil.journal.bookkeeper.ledger.WritableLedger;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.apache.bookkeeper.client.BKException;
import org.apache.bookkeeper.client.LedgerHandle;

/** A ledger of a real cluster that is being written. */
final class WrittenLedger implements WritableLedger {
    private final LedgerHandle handle;

    WrittenLedger(LedgerHandle handle) {
        this.handle = handle;
    }

    @Override
    public long id() {
        return handle.getId();
    }

    @Override
    public CompletableFuture<Void> add(byte[] entry) {
        CompletableFuture<Void> added = new CompletableFuture<>();
        handle.asyncAddEntry(
                entry,
                (code, ledger, id, context) -> {
                    if (code == BKException.Code.OK) {
                        added.complete(null);
                    } else {
                        added.completeExceptionally(BKException.create(code));
                    }
                },
                null);
        return added;
    }

    @Override
    public void close() throws IOException {
        BookKeeperLedgers.call("close ledger " + id(), () -> {
            handle.close();
            return id();
        });
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.bookkeeper;

import io.trefoil.journal.bookkeeper.ledger.LedgerStore;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Deletes ledgers that no record names, where a failure costs only the room that they take. */
final class UnneededLedgers {
    private static final Logger LOG = LoggerFactory.getLogger(UnneededLedgers.class);

    private UnneededLedgers() {}

    /** Deletes a ledger, or says in the log that an operator has to. */
    static void delete(LedgerStore ledgers, long ledger) {
        try {
            ledgers.delete(ledger);
        } catch (IOException | RuntimeException e) {
            LOG.warn("Cannot delete ledger={}, which no journal needs any more; do: delete it by hand", ledger, e);
        }
    }
}

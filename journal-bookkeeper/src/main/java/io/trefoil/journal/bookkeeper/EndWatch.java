/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.bookkeeper;

import io.trefoil.journal.bookkeeper.ledger.LedgerStore;
import io.trefoil.journal.bookkeeper.ledger.ReadableLedger;
import io.trefoil.journal.bookkeeper.record.LedgerLog;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** Watches the end of the log from a process that does not write it; its writer does not notice. Thread-safe. */
final class EndWatch implements AutoCloseable {
    private final OwnRecord records;
    private final LedgerStore ledgers;
    private final Map<Long, ReadableLedger> opened = new HashMap<>();
    private volatile QuietEnd end = QuietEnd.NONE;

    EndWatch(OwnRecord records, LedgerStore ledgers) {
        this.records = records;
        this.ledgers = ledgers;
    }

    /**
     * Looks at the record, and at the ledgers that may be written to.
     *
     * @return the record
     * @throws IOException if anything is out of reach; what was known stays
     */
    synchronized LedgerLog checkParent() throws IOException {
        long asked = System.nanoTime();
        LedgerLog found = records.requireFormatted().log();
        Map<Long, Long> last = new HashMap<>();
        last.put(found.newest().ledger(), readLastWritten(found.newest().ledger()));
        if (found.continuationLedger().isPresent()) {
            last.put(
                    found.continuationLedger().getAsLong(),
                    readLastWritten(found.continuationLedger().getAsLong()));
        }
        end = end.seen(last, asked, System.nanoTime());
        closeUnless(last.keySet());
        return found;
    }

    private long readLastWritten(long ledger) throws IOException {
        ReadableLedger known = opened.get(ledger);
        if (known == null) {
            known = ledgers.open(ledger);
            opened.put(ledger, known);
        }
        return known.readLastWritten();
    }

    private void closeUnless(Set<Long> needed) {
        for (Long ledger : new ArrayList<>(opened.keySet())) {
            if (!needed.contains(ledger)) {
                opened.remove(ledger).close();
            }
        }
    }

    /** What the last look has shown. Does not block. */
    QuietEnd end() {
        return end;
    }

    @Override
    public synchronized void close() {
        closeUnless(Collections.emptySet());
    }
}

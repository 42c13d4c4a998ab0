/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.bookkeeper;

import io.trefoil.journal.bookkeeper.ledger.EntryAssembly;
import io.trefoil.journal.bookkeeper.ledger.LedgerEntry;
import io.trefoil.journal.bookkeeper.ledger.ReadableLedger;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.LogSummary;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Reads a ledger from its summary on, entry by entry, as far as it is confirmed. Not thread-safe. */
final class LedgerScan {
    /** The number of entries per request; a batch of HDFS has a few kilobytes. */
    private static final int CHUNK = 100;

    private final ReadableLedger ledger;
    private final EntryAssembly parts = new EntryAssembly();
    private long nextEntry;
    private Optional<LogSummary> before = Optional.empty();
    private Optional<LogSummary> end = Optional.empty();

    LedgerScan(ReadableLedger ledger) {
        this.ledger = ledger;
    }

    ReadableLedger ledger() {
        return ledger;
    }

    /** The summary of the log up to the scan's position; empty if not even the first entry is confirmed. */
    Optional<LogSummary> end() {
        return end;
    }

    /** The summary at the beginning of the ledger, if it was read. */
    Optional<LogSummary> summaryBefore() {
        return before;
    }

    /** The id of the next entry to read. */
    long nextEntry() {
        return nextEntry;
    }

    /** Reads the first entry if it is confirmed: the summary of the log before the ledger. */
    Optional<LogSummary> readSummary() throws IOException {
        if (!end.isPresent() && ledger.lastConfirmed() >= 0) {
            LedgerEntry first = LedgerEntry.decode(ledger.read(0, 0).get(0));
            if (!first.summary().isPresent()) {
                throw new IOException(
                        "Ledger " + ledger.id() + " does not begin with a summary: it is not of a journal");
            }
            before = first.summary();
            end = before;
            nextEntry = 1;
        }
        return end;
    }

    /** Continues reading up to the last confirmed entry, and passes each entry of the journal to {@code found}. */
    void advance(Consumer<Entry> found) throws IOException {
        long last = ledger.lastConfirmed();
        if (!readSummary().isPresent()) {
            return;
        }
        while (nextEntry <= last) {
            List<byte[]> some = ledger.read(nextEntry, Math.min(last, nextEntry + CHUNK - 1));
            for (byte[] bytes : some) {
                Optional<Entry> entry = parts.add(LedgerEntry.decode(bytes));
                if (entry.isPresent()) {
                    try {
                        end = Optional.of(end.get().plus(entry.get()));
                    } catch (IllegalArgumentException e) {
                        throw new IOException("Ledger " + ledger.id() + " is damaged: " + e.getMessage(), e);
                    }
                    found.accept(entry.get());
                }
                nextEntry++;
            }
        }
    }

    /** Whether everything that will ever be in the ledger was read. */
    boolean isDone() {
        return ledger.isClosed() && nextEntry > ledger.lastConfirmed();
    }
}

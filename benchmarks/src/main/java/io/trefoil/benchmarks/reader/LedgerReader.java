/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.reader;

import io.trefoil.benchmarks.writer.bookkeeper.BookKeeperClient;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.bookkeeper.client.api.LedgerEntries;
import org.apache.bookkeeper.client.api.LedgerEntry;
import org.apache.bookkeeper.client.api.LedgersIterator;
import org.apache.bookkeeper.client.api.ReadHandle;

/**
 * Reads BookKeeper's ledgers, of two ledgers the older one for the finalized segment. Of the one that is being written it sees what clients
 * know to be acknowledged: the last entry comes with the next one.
 */
final class LedgerReader implements JournalReader {
    /**
     * The number of entries for which the client waits together: 4 MiB of edits, with a request for each entry. The second version of the
     * protocol has one for many, but BookKeeper 4.17 never answers it if an entry comes with a wrong checksum, as happens now and then (its
     * pull request 4789).
     */
    private static final int ENTRIES = 64;

    private final BookKeeperClient client;

    private LedgerReader(BookKeeperClient client) {
        this.client = client;
    }

    /** @param settings lines of the client's configuration */
    static LedgerReader of(String metadataUri, List<String> settings) throws IOException {
        return new LedgerReader(BookKeeperClient.connect(metadataUri, settings));
    }

    @Override
    public long read(Segment segment, long firstTxId, long records) throws IOException {
        SortedSet<Long> ledgers = ledgers();
        ReadHandle ledger = BookKeeperClient.get(client.openLedger()
                .withLedgerId(segment == Segment.FINALIZED ? ledgers.first() : ledgers.last())
                .execute());
        try {
            long last = BookKeeperClient.get(ledger.readLastAddConfirmedAsync());
            long count = 0;
            long first = 0;
            while (first <= last) {
                long to = Math.min(last, first + ENTRIES - 1);
                try (LedgerEntries entries = BookKeeperClient.get(ledger.readAsync(first, to))) {
                    for (LedgerEntry entry : entries) {
                        count += EditDecoder.count(new ByteArrayInputStream(entry.getEntryBytes()), records);
                        first = entry.getEntryId() + 1;
                    }
                }
            }
            return count;
        } finally {
            BookKeeperClient.get(ledger.closeAsync());
        }
    }

    private SortedSet<Long> ledgers() throws IOException {
        SortedSet<Long> ids = new TreeSet<>();
        LedgersIterator all =
                BookKeeperClient.get(client.api().newListLedgersOp().execute()).iterator();
        while (all.hasNext()) {
            ids.add(all.next());
        }
        return ids;
    }

    @Override
    public void close() throws IOException {
        client.close();
    }
}

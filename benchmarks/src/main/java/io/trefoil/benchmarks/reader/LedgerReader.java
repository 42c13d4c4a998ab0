/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.reader;

import io.trefoil.benchmarks.writer.bookkeeper.BookKeeperLedger;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.bookkeeper.client.api.BKException;
import org.apache.bookkeeper.client.api.BookKeeper;
import org.apache.bookkeeper.client.api.LedgerEntries;
import org.apache.bookkeeper.client.api.LedgerEntry;
import org.apache.bookkeeper.client.api.LedgersIterator;
import org.apache.bookkeeper.client.api.ReadHandle;
import org.apache.bookkeeper.conf.ClientConfiguration;

/**
 * Reads BookKeeper's ledgers, the older of two for the finalized segment. Of the one that is being written it sees what clients know to be
 * acknowledged: the last entry comes with the next one.
 */
final class LedgerReader implements JournalReader {
    /** In one request of the client, so that it waits for the bookies once for many. */
    private static final long ENTRIES = 16;

    private final BookKeeper client;

    private LedgerReader(BookKeeper client) {
        this.client = client;
    }

    static LedgerReader of(String metadataUri) throws IOException {
        ClientConfiguration conf = new ClientConfiguration();
        conf.setMetadataServiceUri(metadataUri);
        try {
            return new LedgerReader(BookKeeper.newBuilder(conf).build());
        } catch (BKException e) {
            throw new IOException("BookKeeper at " + metadataUri + " does not let a client in", e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    @Override
    public long read(Segment segment, long firstTxId, long records) throws IOException {
        SortedSet<Long> ledgers = ledgers();
        ReadHandle ledger = get(client.newOpenLedgerOp()
                .withLedgerId(segment == Segment.FINALIZED ? ledgers.first() : ledgers.last())
                .withDigestType(BookKeeperLedger.DIGEST)
                .withPassword(BookKeeperLedger.password())
                .execute());
        try {
            long last = get(ledger.readLastAddConfirmedAsync());
            long count = 0;
            for (long first = 0; first <= last; first += ENTRIES) {
                try (LedgerEntries entries = get(ledger.readAsync(first, Math.min(last, first + ENTRIES - 1)))) {
                    for (LedgerEntry entry : entries) {
                        count += EditDecoder.count(new ByteArrayInputStream(entry.getEntryBytes()), records);
                    }
                }
            }
            return count;
        } finally {
            get(ledger.closeAsync());
        }
    }

    private SortedSet<Long> ledgers() throws IOException {
        SortedSet<Long> ids = new TreeSet<>();
        LedgersIterator all = get(client.newListLedgersOp().execute()).iterator();
        while (all.hasNext()) {
            ids.add(all.next());
        }
        return ids;
    }

    private static <T> T get(CompletableFuture<T> answer) throws IOException {
        try {
            return answer.get();
        } catch (ExecutionException e) {
            throw new IOException("BookKeeper refused", e.getCause());
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    @Override
    public void close() throws IOException {
        try {
            client.close();
        } catch (BKException e) {
            throw new IOException("BookKeeper's client did not end", e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static IOException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return (IOException) new InterruptedIOException("Nobody interrupts a benchmark").initCause(e);
    }
}

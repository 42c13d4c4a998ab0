/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.writer.bookkeeper;

import io.trefoil.benchmarks.writer.journal.BatchSink;
import io.trefoil.it.process.Await;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.apache.bookkeeper.client.api.BKException;
import org.apache.bookkeeper.client.api.WriteHandle;

/**
 * Apache BookKeeper: each batch is an entry that is sent to all bookies and must be synced on a majority, as on any of
 * our nodes. A new ledger begins where a segment would; the one before it is kept, as the segment is.
 */
public final class BookKeeperLedger implements BatchSink {
    private static final Duration TIMEOUT = Duration.ofSeconds(80);

    private final BookKeeperClient client;
    private final int bookies;
    private final Queue<Long> ended = new ArrayDeque<>();
    private WriteHandle ledger;

    private BookKeeperLedger(BookKeeperClient client, int bookies, WriteHandle ledger) {
        this.client = client;
        this.bookies = bookies;
        this.ledger = ledger;
    }

    /**
     * Creates a ledger as soon as all bookies are up.
     *
     * @param settings lines of the client's configuration
     */
    public static BookKeeperLedger begin(String metadataUri, int bookies, List<String> settings) throws IOException {
        BookKeeperClient client = BookKeeperClient.connect(metadataUri, settings);
        return new BookKeeperLedger(client, bookies, begin(client, bookies));
    }

    /** Waits for all bookies: one that was killed is missing until its ZooKeeper session has expired, even if it is running again. */
    private static WriteHandle begin(BookKeeperClient client, int bookies) {
        CompletableFuture<WriteHandle> begun = new CompletableFuture<>();
        Await.until(
                bookies + " bookies are there",
                TIMEOUT,
                () -> begun.complete(tryToBegin(client, bookies)),
                () -> "see their logs");
        return begun.join();
    }

    private static WriteHandle tryToBegin(BookKeeperClient client, int bookies) throws IOException {
        return BookKeeperClient.get(client.newLedger()
                .withEnsembleSize(bookies)
                .withWriteQuorumSize(bookies)
                .withAckQuorumSize(bookies / 2 + 1)
                .execute());
    }

    @Override
    public void makeDurable(ByteBuffer batch) throws IOException {
        try {
            ledger.append(batch);
        } catch (BKException e) {
            throw new IOException("Ledger " + ledger.getId() + " took no entry", e);
        } catch (InterruptedException e) {
            throw BookKeeperClient.interrupted(e);
        }
    }

    @Override
    public void roll() throws IOException {
        WriteHandle old = ledger;
        ledger = begin(client, bookies);
        BookKeeperClient.get(old.closeAsync());
        ended.add(old.getId());
        if (ended.size() > 1) {
            BookKeeperClient.get(client.api()
                    .newDeleteLedgerOp()
                    .withLedgerId(ended.remove())
                    .execute());
        }
    }

    @Override
    public void close() throws IOException {
        client.close();
    }
}

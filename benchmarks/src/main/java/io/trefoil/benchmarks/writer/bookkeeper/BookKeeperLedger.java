/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.writer.bookkeeper;

import io.trefoil.benchmarks.writer.journal.BatchSink;
import io.trefoil.it.process.Await;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.bookkeeper.client.api.BKException;
import org.apache.bookkeeper.client.api.BookKeeper;
import org.apache.bookkeeper.client.api.DigestType;
import org.apache.bookkeeper.client.api.WriteHandle;
import org.apache.bookkeeper.conf.ClientConfiguration;

/**
 * Apache BookKeeper: each batch is an entry that is sent to three bookies and must be synced on two, as on any two of
 * our three nodes. A new ledger begins where a segment would.
 */
public final class BookKeeperLedger implements BatchSink {
    private static final int BOOKIES = 3;
    private static final int MAJORITY = 2;
    private static final Duration PATIENCE = Duration.ofSeconds(80);

    private final BookKeeper client;
    private WriteHandle ledger;

    private BookKeeperLedger(BookKeeper client, WriteHandle ledger) {
        this.client = client;
        this.ledger = ledger;
    }

    /** Begins a ledger as soon as all bookies are up. */
    public static BookKeeperLedger begin(String metadataUri) throws IOException {
        ClientConfiguration conf = new ClientConfiguration();
        conf.setMetadataServiceUri(metadataUri);
        try {
            BookKeeper client = BookKeeper.newBuilder(conf).build();
            CompletableFuture<WriteHandle> first = new CompletableFuture<>();
            Await.until(
                    BOOKIES + " bookies are there",
                    PATIENCE,
                    () -> first.complete(begin(client)),
                    () -> "see their logs");
            return new BookKeeperLedger(client, first.join());
        } catch (BKException e) {
            throw new IOException("BookKeeper at " + metadataUri + " does not let a client in", e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static WriteHandle begin(BookKeeper client) throws IOException {
        return get(client.newCreateLedgerOp()
                .withEnsembleSize(BOOKIES)
                .withWriteQuorumSize(BOOKIES)
                .withAckQuorumSize(MAJORITY)
                .withDigestType(DigestType.CRC32C)
                .withPassword(new byte[0])
                .execute());
    }

    @Override
    public void makeDurable(ByteBuffer batch) throws IOException {
        try {
            ledger.append(batch);
        } catch (BKException e) {
            throw new IOException("Ledger " + ledger.getId() + " took no entry", e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    @Override
    public void roll() throws IOException {
        WriteHandle old = ledger;
        ledger = begin(client);
        get(old.closeAsync());
        get(client.newDeleteLedgerOp().withLedgerId(old.getId()).execute());
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

    private static <T> T get(CompletableFuture<T> answer) throws IOException {
        try {
            return answer.get();
        } catch (ExecutionException e) {
            throw new IOException("BookKeeper refused", e.getCause());
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static IOException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return (IOException) new InterruptedIOException("Nobody interrupts a benchmark").initCause(e);
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.writer.bookkeeper;

import io.trefoil.benchmarks.writer.journal.BatchSink;
import io.trefoil.it.process.Await;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.bookkeeper.client.api.BKException;
import org.apache.bookkeeper.client.api.BookKeeper;
import org.apache.bookkeeper.client.api.DigestType;
import org.apache.bookkeeper.client.api.WriteHandle;
import org.apache.bookkeeper.conf.ClientConfiguration;

/**
 * Apache BookKeeper: each batch is an entry that is sent to all bookies and must be synced on a majority, as on any of
 * our nodes. A new ledger begins where a segment would; the one before it is kept, as the segment is.
 */
public final class BookKeeperLedger implements BatchSink {
    /** What readers have to name as well. */
    public static final DigestType DIGEST = DigestType.CRC32C;

    private static final Duration PATIENCE = Duration.ofSeconds(80);

    private final BookKeeper client;
    private final int bookies;
    private final Queue<Long> ended = new ArrayDeque<>();
    private WriteHandle ledger;

    private BookKeeperLedger(BookKeeper client, int bookies, WriteHandle ledger) {
        this.client = client;
        this.bookies = bookies;
        this.ledger = ledger;
    }

    /**
     * Begins a ledger as soon as all bookies are up.
     *
     * @param settings lines of the client's configuration
     */
    public static BookKeeperLedger begin(String metadataUri, int bookies, List<String> settings) throws IOException {
        ClientConfiguration conf = new ClientConfiguration();
        conf.setMetadataServiceUri(metadataUri);
        for (String line : settings) {
            String[] setting = line.split("=");
            conf.setProperty(setting[0], setting[1]);
        }
        try {
            BookKeeper client = BookKeeper.newBuilder(conf).build();
            return new BookKeeperLedger(client, bookies, begin(client, bookies));
        } catch (BKException e) {
            throw new IOException("BookKeeper at " + metadataUri + " does not let a client in", e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /** Waits for all bookies: one that was killed is away until its ZooKeeper session is over, even if it runs again. */
    private static WriteHandle begin(BookKeeper client, int bookies) {
        CompletableFuture<WriteHandle> begun = new CompletableFuture<>();
        Await.until(
                bookies + " bookies are there",
                PATIENCE,
                () -> begun.complete(tryToBegin(client, bookies)),
                () -> "see their logs");
        return begun.join();
    }

    private static WriteHandle tryToBegin(BookKeeper client, int bookies) throws IOException {
        return get(client.newCreateLedgerOp()
                .withEnsembleSize(bookies)
                .withWriteQuorumSize(bookies)
                .withAckQuorumSize(bookies / 2 + 1)
                .withDigestType(DIGEST)
                .withPassword(password())
                .execute());
    }

    /** Of every ledger; empty. */
    public static byte[] password() {
        return new byte[0];
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
        ledger = begin(client, bookies);
        get(old.closeAsync());
        ended.add(old.getId());
        if (ended.size() > 1) {
            get(client.newDeleteLedgerOp().withLedgerId(ended.remove()).execute());
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

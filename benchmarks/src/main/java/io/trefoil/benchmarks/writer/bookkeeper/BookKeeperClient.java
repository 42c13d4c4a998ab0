/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.writer.bookkeeper;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.bookkeeper.client.api.BKException;
import org.apache.bookkeeper.client.api.BookKeeper;
import org.apache.bookkeeper.client.api.CreateBuilder;
import org.apache.bookkeeper.client.api.DigestType;
import org.apache.bookkeeper.client.api.OpenBuilder;
import org.apache.bookkeeper.conf.ClientConfiguration;

/** BookKeeper's client, with the failures of a file, so that the code that writes and reads ledgers here can be used like a journal. */
public final class BookKeeperClient implements Closeable {
    private static final DigestType DIGEST = DigestType.CRC32C;
    /** The password of every ledger. */
    private static final byte[] NO_PASSWORD = {};

    private final BookKeeper bookKeeper;

    private BookKeeperClient(BookKeeper bookKeeper) {
        this.bookKeeper = bookKeeper;
    }

    /**
     * Connects to a cluster.
     *
     * @param settings lines of the client's configuration
     */
    public static BookKeeperClient connect(String metadataUri, List<String> settings) throws IOException {
        ClientConfiguration conf = new ClientConfiguration();
        conf.setMetadataServiceUri(metadataUri);
        for (String line : settings) {
            String[] setting = line.split("=");
            conf.setProperty(setting[0], setting[1]);
        }
        try {
            return new BookKeeperClient(BookKeeper.newBuilder(conf).build());
        } catch (BKException e) {
            throw new IOException("BookKeeper at " + metadataUri + " does not let a client in", e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /** Starts the builder of a new ledger. */
    CreateBuilder newLedger() {
        return bookKeeper.newCreateLedgerOp().withDigestType(DIGEST).withPassword(NO_PASSWORD);
    }

    /** Starts the builder for opening a ledger. */
    public OpenBuilder openLedger() {
        return bookKeeper.newOpenLedgerOp().withDigestType(DIGEST).withPassword(NO_PASSWORD);
    }

    /** The settings that are independent of the protection of ledgers. */
    public BookKeeper api() {
        return bookKeeper;
    }

    /** Waits for an answer. */
    public static <T> T get(CompletableFuture<T> answer) throws IOException {
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
            bookKeeper.close();
        } catch (BKException e) {
            throw new IOException("BookKeeper's client did not end", e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    static IOException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return (IOException) new InterruptedIOException("A benchmark is never interrupted").initCause(e);
    }
}

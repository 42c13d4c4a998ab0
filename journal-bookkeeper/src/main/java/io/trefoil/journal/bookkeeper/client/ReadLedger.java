/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.bookkeeper.client;

import io.trefoil.journal.bookkeeper.ledger.ReadableLedger;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.bookkeeper.client.BKException;
import org.apache.bookkeeper.client.LedgerEntry;
import org.apache.bookkeeper.client.LedgerHandle;
import org.apache.bookkeeper.client.api.LastConfirmedAndEntry;
import org.apache.bookkeeper.client.api.LedgerMetadata;
import org.apache.bookkeeper.net.BookieId;
import org.apache.bookkeeper.proto.BookieClient;
import org.apache.bookkeeper.proto.BookieProtocol;

/** A ledger of a real cluster that is being read. */
final class ReadLedger implements ReadableLedger {
    /** How much longer than requested a bookie may take to answer. */
    private static final long SLACK_MILLIS = 2_000;

    private final LedgerHandle handle;
    private final BookieClient bookies;

    ReadLedger(LedgerHandle handle, BookieClient bookies) {
        this.handle = handle;
        this.bookies = bookies;
    }

    @Override
    public long id() {
        return handle.getId();
    }

    @Override
    public boolean isClosed() {
        return handle.isClosed();
    }

    @Override
    public long lastConfirmed() {
        return isClosed() ? handle.getLedgerMetadata().getLastEntryId() : handle.getLastAddConfirmed();
    }

    @Override
    public long readLastConfirmed() throws IOException {
        return BookKeeperLedgers.call("ask for the end of ledger " + id(), handle::readLastConfirmed);
    }

    @Override
    public long readLastWritten() throws IOException {
        long last = readLastConfirmed();
        while (!isClosed() && isWritten(last + 1)) {
            last++;
        }
        return Math.max(last, lastConfirmed());
    }

    private boolean isWritten(long entry) throws IOException {
        return BookKeeperLedgers.call("read entry " + entry + " of ledger " + id(), () -> {
            Holders holders = new Holders(handle.getLedgerMetadata(), entry);
            for (BookieId bookie : holders.asked) {
                bookies.readEntry(
                        bookie,
                        id(),
                        entry,
                        (code, ledger, read, content, context) -> holders.answered(code),
                        null,
                        BookieProtocol.FLAG_NONE);
            }
            return holders.awaitDecision();
        });
    }

    /** Counts the bookies that have an entry: one that is silent, or in trouble, may have it. */
    private static final class Holders {
        private final List<BookieId> asked;
        private final int ackQuorum;
        private int holding;
        private int lacking;
        private int failed;

        Holders(LedgerMetadata metadata, long entry) {
            asked = metadata.getEnsembleAt(entry);
            ackQuorum = metadata.getAckQuorumSize();
        }

        synchronized void answered(int code) {
            boolean isLacking = code == BKException.Code.NoSuchEntryException
                    || code == BKException.Code.NoSuchLedgerExistsException;
            lacking += isLacking ? 1 : 0;
            holding += code == BKException.Code.OK ? 1 : 0;
            failed += isLacking || code == BKException.Code.OK ? 0 : 1;
            notifyAll();
        }

        private boolean canBeAcknowledged() {
            return asked.size() - lacking >= ackQuorum;
        }

        /** Waits no longer for a silent bookie if the others settle it. */
        synchronized boolean awaitDecision() throws InterruptedException, BKException {
            long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(SLACK_MILLIS);
            long left = SLACK_MILLIS;
            while (canBeAcknowledged()
                    && holding < ackQuorum
                    && holding + lacking + failed < asked.size()
                    && left > 0) {
                wait(left);
                left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            }
            if (canBeAcknowledged() && holding == 0) {
                throw new BKException.BKBookieHandleNotAvailableException();
            }
            return canBeAcknowledged();
        }
    }

    @Override
    public void awaitConfirmed(long known, Duration limit) throws IOException, InterruptedException {
        if (lastConfirmed() > known || isClosed()) {
            return;
        }
        try (LastConfirmedAndEntry found = handle.readLastAddConfirmedAndEntryAsync(known + 1, limit.toMillis(), false)
                .get(limit.toMillis() + SLACK_MILLIS, TimeUnit.MILLISECONDS)) {
            // The handle remembers what was found.
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException("BookKeeper: cannot wait for the end of ledger " + id() + ": " + e.getMessage(), e);
        }
    }

    @Override
    public List<byte[]> read(long first, long last) throws IOException {
        Enumeration<LedgerEntry> found = BookKeeperLedgers.call(
                "read entries " + first + " to " + last + " of ledger " + id(), () -> handle.readEntries(first, last));
        List<byte[]> entries = new ArrayList<>();
        while (found.hasMoreElements()) {
            entries.add(found.nextElement().getEntry());
        }
        return entries;
    }

    @Override
    public void close() {
        handle.closeAsync();
    }
}

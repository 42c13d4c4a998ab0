/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.bookkeeper.client;

import io.trefoil.journal.bookkeeper.ledger.ReadableLedger;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
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
            try {
                handle.readUnconfirmedEntries(entry, entry);
                return true;
            } catch (BKException.BKNoSuchEntryException | BKException.BKNoSuchLedgerExistsException e) {
                return false;
            } catch (BKException e) {
                // Perhaps only one of the bookies does not answer, and the others can tell.
                if (canBeAcknowledged(entry)) {
                    throw e;
                }
                return false;
            }
        });
    }

    /** Whether the bookies that do not say that they lack an entry are enough to acknowledge it. */
    private boolean canBeAcknowledged(long entry) throws InterruptedException {
        LedgerMetadata metadata = handle.getLedgerMetadata();
        List<BookieId> ensemble = metadata.getEnsembleAt(entry);
        CountDownLatch pending = new CountDownLatch(ensemble.size());
        AtomicInteger lacking = new AtomicInteger();
        for (BookieId bookie : ensemble) {
            bookies.readEntry(
                    bookie,
                    id(),
                    entry,
                    (code, ledger, read, content, context) -> {
                        if (code == BKException.Code.NoSuchEntryException
                                || code == BKException.Code.NoSuchLedgerExistsException) {
                            lacking.incrementAndGet();
                        }
                        pending.countDown();
                    },
                    null,
                    BookieProtocol.FLAG_NONE);
        }
        pending.await(SLACK_MILLIS, TimeUnit.MILLISECONDS);
        return ensemble.size() - lacking.get() >= metadata.getAckQuorumSize();
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

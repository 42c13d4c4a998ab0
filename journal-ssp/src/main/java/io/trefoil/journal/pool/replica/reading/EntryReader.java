/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.replica.reading;

import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.pool.disk.ReplicaThreads;
import io.trefoil.journal.pool.disk.TimedDiskExecutor;
import io.trefoil.journal.pool.replica.storage.CommitSignal;
import io.trefoil.journal.pool.replica.storage.ReplicaLock;
import io.trefoil.journal.pool.replica.storage.ReplicaStorage;
import io.trefoil.journal.pool.replica.storage.ReplicaView;
import io.trefoil.journal.pool.replica.storage.StorageOpener;
import io.trefoil.journal.protocol.EntriesReply;
import io.trefoil.journal.protocol.FailedReply;
import io.trefoil.journal.protocol.FetchRequest;
import io.trefoil.journal.protocol.NotFormattedReply;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PurgedReply;
import io.trefoil.journal.storage.JournalStorage;
import io.trefoil.journal.storage.PurgedException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Reads the entries of one replica, on any thread; waits only for the disk, not for the threads that write.
 *
 * <p>Storage that cannot be read is treated as failed: reopening it finds the damage (rule R9), and until then this
 * replica would be chosen and asked for entries that it does not have.
 */
public final class EntryReader {

    private static final int MAX_FETCH_BYTES = 4 << 20;

    private final String name;
    private final ReplicaStorage replica;
    private final CommitSignal commits;
    private final ReplicaLock turn;
    private final StorageOpener opener;
    private final ReplicaThreads threads;
    private final TimedDiskExecutor diskExecutor;

    /**
     * @param name of the replica, for messages
     * @param commits say how far readers may read
     */
    public EntryReader(
            String name,
            ReplicaStorage replica,
            CommitSignal commits,
            ReplicaLock turn,
            StorageOpener opener,
            ReplicaThreads threads,
            TimedDiskExecutor diskExecutor) {
        this.name = name;
        this.replica = replica;
        this.commits = commits;
        this.turn = turn;
        this.opener = opener;
        this.threads = threads;
        this.diskExecutor = diskExecutor;
    }

    /**
     * @throws PurgedException if the first entry is no longer kept
     * @throws IOException if the disk failed, this replica has no storage, or holds another incarnation of the journal
     */
    public List<Entry> read(FetchRequest request) throws IOException {
        return read(readableLog(request), request);
    }

    /**
     * Reads for callers that can ask other nodes instead: entries in memory at once, others within the caller's timeout.
     *
     * @throws IOException also if the disk does not answer in time
     */
    public List<Entry> read(FetchRequest request, Duration limit) throws IOException {
        ReadableLog readableLog = readableLog(request);
        List<Entry> inMemory = readableLog.readFromMemory(request);
        if (!inMemory.isEmpty() || !readableLog.contains(request.firstSn())) {
            return inMemory;
        }
        return diskExecutor.callWithin(limit, threads::executeRead, () -> read(readableLog, request));
    }

    private List<Entry> read(ReadableLog readableLog, FetchRequest request) throws IOException {
        try {
            return readableLog.read(request);
        } catch (PurgedException e) {
            throw e;
        } catch (IOException e) {
            handleReadFailure(readableLog.storage(), e);
            throw e;
        }
    }

    /** The part of the log that the caller may read now. */
    private ReadableLog readableLog(FetchRequest request) throws IOException {
        Optional<ReadableLog> readable = replica.runQuery(() -> readableLog(request.readerEpoch()));
        if (!readable.isPresent()) {
            String failure = replica.failureReason();
            throw new IOException(name + ": no storage to read from" + (failure.isEmpty() ? "" : ": " + failure));
        }
        Optional<String> strange = readable.get().foreignReaderReason(request);
        if (strange.isPresent()) {
            throw new IOException(name + ": " + strange.get());
        }
        return readable.get();
    }

    /**
     * Called while nothing visible to readers changes, so that storage of a new incarnation is not read as far as
     * the old one.
     */
    private Optional<ReadableLog> readableLog(Epoch reader) {
        return replica.openStorage().map(open -> new ReadableLog(open, readableSn(reader)));
    }

    private long readableSn(Epoch reader) {
        ReplicaView seen = replica.shownView();
        boolean isWriter = !reader.equals(Epoch.NONE) && reader.equals(seen.promisedEpoch());
        return isWriter ? seen.state().get().lastSn() : commits.committedSn();
    }

    private void handleReadFailure(JournalStorage storage, IOException cause) {
        threads.executeOnDisk(() -> turn.runInTurn(() -> {
            // Storage closed meanwhile cannot be read either; that is no failure.
            if (replica.isOpen(storage)) {
                replica.fail(cause);
            }
        }));
    }

    /** Answers a reader. */
    public PoolReply answer(FetchRequest request) {
        if (!replica.failureReason().isEmpty()) {
            opener.reopenIfDueAndFree();
        }
        ReplicaView seen = replica.shownView();
        String failure = replica.failureReason();
        if (!failure.isEmpty()) {
            return failedReply(seen.node(), failure);
        }
        if (!seen.state().isPresent()) {
            return NotFormattedReply.of(seen.node());
        }
        Optional<ReadableLog> readable = replica.runQuery(() -> readableLog(request.readerEpoch()));
        if (!readable.isPresent()) {
            return failedReply(seen.node(), "closed");
        }
        try {
            return entriesReply(request, readable.get(), seen.state().get().committedSn());
        } catch (IOException e) {
            handleReadFailure(readable.get().storage(), e);
            return failedReply(seen.node(), e.toString());
        }
    }

    /** Answers a request made within a turn; there must be storage. */
    public PoolReply answerInTurn(FetchRequest request) throws IOException {
        return entriesReply(
                request,
                readableLog(request.readerEpoch()).get(),
                replica.state().committedSn());
    }

    private PoolReply entriesReply(FetchRequest request, ReadableLog readableLog, long committedSn) throws IOException {
        Optional<String> strange = readableLog.foreignReaderReason(request);
        if (strange.isPresent()) {
            return failedReply(readableLog.node(), strange.get());
        }
        // The number comes from the wire: no caller may make this node read too much at once.
        try {
            return EntriesReply.of(
                    readableLog.node(), readableLog.read(request.withMaxBytes(MAX_FETCH_BYTES)), committedSn);
        } catch (PurgedException e) {
            return PurgedReply.of(readableLog.node(), e.base());
        }
    }

    private PoolReply failedReply(NodeId node, String reason) {
        return FailedReply.of(node, name + ": " + reason);
    }
}

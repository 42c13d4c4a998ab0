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
import io.trefoil.journal.pool.replica.storage.StorageOpening;
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
 * Reads the entries of one replica, on any thread; does not wait for the threads that write, only for the disk.
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
    private final StorageOpening opening;
    private final ReplicaThreads threads;
    private final TimedDiskExecutor patience;

    /**
     * @param name of the replica, for messages
     * @param commits say how far readers may read
     */
    public EntryReader(
            String name,
            ReplicaStorage replica,
            CommitSignal commits,
            ReplicaLock turn,
            StorageOpening opening,
            ReplicaThreads threads,
            TimedDiskExecutor patience) {
        this.name = name;
        this.replica = replica;
        this.commits = commits;
        this.turn = turn;
        this.opening = opening;
        this.threads = threads;
        this.patience = patience;
    }

    /**
     * @throws PurgedException if the first entry is no longer kept
     * @throws IOException if the disk failed, this replica has no storage, or holds another incarnation of the journal
     */
    public List<Entry> read(FetchRequest request) throws IOException {
        return read(readable(request), request);
    }

    /**
     * Reads for callers that have others to ask: entries in memory at once, others within the caller's patience.
     *
     * @throws IOException also if the disk does not answer in time
     */
    public List<Entry> read(FetchRequest request, Duration limit) throws IOException {
        ReadableLog readable = readable(request);
        List<Entry> inMemory = readable.readFromMemory(request);
        if (!inMemory.isEmpty() || !readable.has(request.firstSn())) {
            return inMemory;
        }
        return patience.within(limit, threads::reading, () -> read(readable, request));
    }

    private List<Entry> read(ReadableLog readable, FetchRequest request) throws IOException {
        try {
            return readable.read(request);
        } catch (PurgedException e) {
            throw e;
        } catch (IOException e) {
            failedToRead(readable.storage(), e);
            throw e;
        }
    }

    /** The part of the log that the caller may read now. */
    private ReadableLog readable(FetchRequest request) throws IOException {
        Optional<ReadableLog> readable = replica.asking(() -> readable(request.reader()));
        if (!readable.isPresent()) {
            String failure = replica.failure();
            throw new IOException(name + ": no storage to read from" + (failure.isEmpty() ? "" : ": " + failure));
        }
        Optional<String> strange = readable.get().foreignReaderReason(request);
        if (strange.isPresent()) {
            throw new IOException(name + ": " + strange.get());
        }
        return readable.get();
    }

    /**
     * Called while nothing changes that readers are shown, so that storage of a new incarnation is not read as far as
     * the old one.
     */
    private Optional<ReadableLog> readable(Epoch reader) {
        return replica.openStorage().map(open -> new ReadableLog(open, readableSn(reader)));
    }

    private long readableSn(Epoch reader) {
        ReplicaView seen = replica.shown();
        boolean isWriter = !reader.equals(Epoch.NONE) && reader.equals(seen.promised());
        return isWriter ? seen.state().get().lastSn() : commits.committedSn();
    }

    private void failedToRead(JournalStorage used, IOException cause) {
        threads.disk(() -> turn.run(() -> {
            // Storage closed meanwhile cannot be read either; that is no failure.
            if (replica.isOpen(used)) {
                replica.fail(cause);
            }
        }));
    }

    /** Answers a reader. */
    public PoolReply answer(FetchRequest request) {
        if (!replica.failure().isEmpty()) {
            opening.reopenIfDueAndFree();
        }
        ReplicaView seen = replica.shown();
        String failure = replica.failure();
        if (!failure.isEmpty()) {
            return failed(seen.node(), failure);
        }
        if (!seen.state().isPresent()) {
            return NotFormattedReply.of(seen.node());
        }
        Optional<ReadableLog> readable = replica.asking(() -> readable(request.reader()));
        if (!readable.isPresent()) {
            return failed(seen.node(), "closed");
        }
        try {
            return entries(request, readable.get(), seen.state().get().committedSn());
        } catch (IOException e) {
            failedToRead(readable.get().storage(), e);
            return failed(seen.node(), e.toString());
        }
    }

    /** Answers a request made within a turn; there must be storage. */
    public PoolReply answerInTurn(FetchRequest request) throws IOException {
        return entries(
                request, readable(request.reader()).get(), replica.state().committedSn());
    }

    private PoolReply entries(FetchRequest request, ReadableLog readable, long committedSn) throws IOException {
        Optional<String> strange = readable.foreignReaderReason(request);
        if (strange.isPresent()) {
            return failed(readable.node(), strange.get());
        }
        // The number comes from the wire: no caller may make this node read too much at once.
        try {
            return EntriesReply.of(readable.node(), readable.read(request.atMost(MAX_FETCH_BYTES)), committedSn);
        } catch (PurgedException e) {
            return PurgedReply.of(readable.node(), e.base());
        }
    }

    private PoolReply failed(NodeId node, String why) {
        return FailedReply.of(node, name + ": " + why);
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.replica.storage;

import io.trefoil.journal.model.Entry;
import io.trefoil.journal.protocol.FailedReply;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.SegmentsReply;
import io.trefoil.journal.storage.JournalStorage;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;

/**
 * The part of a replica that is visible to others: the {@link ReplicaView}, the index of its committed segments, and how
 * far they may read.
 *
 * <p>One lock, held only briefly, serializes questions with the owner's changes. All of it changes together, so that
 * no caller is told of entries that it would not be given. The lock is never held during disk I/O. The owner is the thread
 * that has the {@link ReplicaLock}; methods documented for any thread need no turn.
 */
final class VisibleLog {

    private final String name;
    private final CommitSignal commits;
    private SegmentIndex index;
    private volatile ReplicaView view;

    /** @param commits told how far readers may read */
    VisibleLog(String name, CommitSignal commits, ReplicaView view) {
        this.name = name;
        this.commits = commits;
        this.view = view;
    }

    /** Runs a query while nothing visible changes; for any thread. */
    synchronized <T> T runQuery(Supplier<T> query) {
        return query.get();
    }

    /** Makes several changes atomic for callers of {@link #runQuery}. */
    synchronized void changeAtomically(Runnable change) {
        change.run();
    }

    /** The replica at its disk's last answer; for any thread. */
    ReplicaView view() {
        return view;
    }

    synchronized void publish(Supplier<ReplicaView> viewSupplier) {
        view = viewSupplier.get();
    }

    /** Shows another log from now on; the signal's listeners are not notified yet. */
    synchronized void showLog(SegmentIndex otherIndex) {
        index = otherIndex;
        commits.setCommitted(index.lastSn(), index.lastTxId());
    }

    void notifyListeners() {
        commits.notifyListeners();
    }

    /** Shows the committed entries up to {@code sn}; after the sync, so that a reader never sees entries that this node may lose. */
    void advance(long sn, JournalStorage storage) throws IOException {
        while (index.lastSn() < sn) {
            List<Entry> entries = index.readNextMissing(sn, storage);
            synchronized (this) {
                entries.forEach(index::add);
                commits.setCommitted(index.lastSn(), index.lastTxId());
            }
            commits.notifyListeners();
        }
    }

    /** Forgets segments that begin below the oldest entry kept. */
    synchronized void purge(long keptSn) {
        index.purge(keptSn);
    }

    /** The lowest entry to keep so that these transactions stay readable. */
    long firstSnFor(long minTxId) {
        return index.firstSnFor(minTxId);
    }

    /** The segments with transactions at or above {@code fromTxId}; for any thread. */
    synchronized PoolReply segments(long fromTxId) {
        int count = index.countFrom(fromTxId);
        if (count > SegmentsReply.MAX_SEGMENTS) {
            return FailedReply.of(view.node(), name + ": " + tooManyMessage(count, fromTxId));
        }
        return SegmentsReply.of(view.node(), index.segmentsFrom(fromTxId), index.lastSn(), index.lastTxId());
    }

    static String tooManyMessage(int count, long fromTxId) {
        return "holds " + count + " segments with transactions from " + fromTxId + " on, and an answer names at most "
                + SegmentsReply.MAX_SEGMENTS
                + "; start from a newer image, which needs fewer ('hdfs dfsadmin -saveNamespace'), and let"
                + " the NameNode purge what no image needs (dfs.namenode.num.extra.edits.retained)";
    }
}

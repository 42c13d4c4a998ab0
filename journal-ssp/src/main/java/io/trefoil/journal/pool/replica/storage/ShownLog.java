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
 * What others are shown of a replica: the {@link ReplicaView}, the index of its committed segments, and how far they may read.
 *
 * <p>Those who ask meet the owner under one lock, for moments: all of it moves together, so that nobody is told of entries that he
 * would not be given. It is never held over the disk. The owner is who has the {@link ReplicaTurn}; what is documented for any
 * thread needs no turn.
 */
final class ShownLog {

    private final String name;
    private final CommitSignal commits;
    private SegmentIndex index;
    private volatile ReplicaView view;

    /** @param commits told how far readers may read */
    ShownLog(String name, CommitSignal commits, ReplicaView view) {
        this.name = name;
        this.commits = commits;
        this.view = view;
    }

    /** Asks while nothing changes that is shown; for any thread. */
    synchronized <T> T asking(Supplier<T> question) {
        return question.get();
    }

    /** Changes several things as one for those who {@link #asking ask}. */
    synchronized void together(Runnable change) {
        change.run();
    }

    /** The replica when its disk last answered; for any thread. */
    ReplicaView view() {
        return view;
    }

    synchronized void publish(Supplier<ReplicaView> present) {
        view = present.get();
    }

    /** Another log is shown from now on; the signal's listeners are not told yet. */
    synchronized void begin(SegmentIndex another) {
        index = another;
        commits.set(index.lastSn(), index.lastTxId());
    }

    void tell() {
        commits.tell();
    }

    /** Shows what is committed up to {@code sn}; after the sync, so that a reader never sees what this node may lose. */
    void advance(long sn, JournalStorage storage) throws IOException {
        while (index.lastSn() < sn) {
            List<Entry> entries = index.lacking(sn, storage);
            synchronized (this) {
                entries.forEach(index::add);
                commits.set(index.lastSn(), index.lastTxId());
            }
            commits.tell();
        }
    }

    /** Forgets segments that begin below an entry that is not kept any more. */
    synchronized void purge(long keptSn) {
        index.purge(keptSn);
    }

    /** The lowest entry that must be kept so that these transactions stay readable. */
    long firstSnFor(long minTxId) {
        return index.firstSnFor(minTxId);
    }

    /** The segments with transactions from there on; for any thread. */
    synchronized PoolReply segments(long fromTxId) {
        int count = index.countFrom(fromTxId);
        if (count > SegmentsReply.MOST) {
            return FailedReply.of(view.node(), name + ": " + tooMany(count, fromTxId));
        }
        return SegmentsReply.of(view.node(), index.from(fromTxId), index.lastSn(), index.lastTxId());
    }

    static String tooMany(int count, long fromTxId) {
        return "holds " + count + " segments with transactions from " + fromTxId + " on, and an answer names at most "
                + SegmentsReply.MOST
                + "; start from a newer image, which needs fewer ('hdfs dfsadmin -saveNamespace'), and let"
                + " the NameNode purge what no image needs (dfs.namenode.num.extra.edits.retained)";
    }
}

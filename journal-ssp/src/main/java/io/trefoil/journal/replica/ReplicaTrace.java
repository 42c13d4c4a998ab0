/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.replica;

import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Promise;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.ReplicaRequest;
import java.util.List;
import java.util.Optional;

/**
 * Records the events that the rules of a replica got, and what their driver did, in order: replaying the same events through the rules
 * shows what the driver had to do, and when. All calls come from within the turns of the replica.
 */
public interface ReplicaTrace {

    /** The trace that records nothing. */
    ReplicaTrace NONE = new ReplicaTrace() {
        @Override
        public void recordStart(ReplicaState state, long nowNanos) {}

        @Override
        public void recordRequest(ReplicaState state, ReplicaRequest request, long firstTxId, long nowNanos) {}

        @Override
        public void recordSavedPromise(Promise promise, LogCompleteness completeness) {}

        @Override
        public void recordWrite(List<Entry> entries, long committedSn) {}

        @Override
        public void recordSync() {}

        @Override
        public void recordTruncate(long lastSn) {}

        @Override
        public void recordRebase(LogSummary base) {}

        @Override
        public void recordClose() {}

        @Override
        public void recordShown(long sn) {}

        @Override
        public void recordReplies(List<Optional<PoolReply>> replies) {}
    };

    /** Storage was opened and is in use; the rules begin with this state. */
    void recordStart(ReplicaState state, long nowNanos);

    /**
     * The rules see a request.
     *
     * @param firstTxId the lowest transaction that the node still has, if the rules are told
     * @param nowNanos the time, if the rules are told
     */
    void recordRequest(ReplicaState state, ReplicaRequest request, long firstTxId, long nowNanos);

    /** A promise is on the disk. */
    void recordSavedPromise(Promise promise, LogCompleteness completeness);

    /** Entries were written, which may not be durable yet. */
    void recordWrite(List<Entry> entries, long committedSn);

    /** Everything written is on the disk. */
    void recordSync();

    /** The log was truncated after an entry. */
    void recordTruncate(long lastSn);

    /** The log was replaced by an empty one. */
    void recordRebase(LogSummary base);

    /** The storage is no longer in use, perhaps because it failed. */
    void recordClose();

    /** Readers are about to be shown the entries up to {@code sn}. */
    void recordShown(long sn);

    /** A group of requests is about to be answered. */
    void recordReplies(List<Optional<PoolReply>> replies);
}

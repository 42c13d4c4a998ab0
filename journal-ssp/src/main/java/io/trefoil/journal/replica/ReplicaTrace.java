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
 * Told what the rules of a replica saw, and what their driver did, in that order: whoever steps the rules with the same events again knows
 * what the driver had to do, and when. All calls come from within the turns of the replica.
 */
public interface ReplicaTrace {

    /** Notes nothing. */
    ReplicaTrace NONE = new ReplicaTrace() {
        @Override
        public void began(ReplicaState state, long nowNanos) {}

        @Override
        public void saw(ReplicaState state, ReplicaRequest request, long firstTxId, long nowNanos) {}

        @Override
        public void savedPromise(Promise promise, LogCompleteness completeness) {}

        @Override
        public void wrote(List<Entry> entries, long committedSn) {}

        @Override
        public void synced() {}

        @Override
        public void truncated(long lastSn) {}

        @Override
        public void rebased(LogSummary base) {}

        @Override
        public void closed() {}

        @Override
        public void showed(long sn) {}

        @Override
        public void answered(List<Optional<PoolReply>> replies) {}
    };

    /** Storage was opened and is in use: the rules begin with this state. */
    void began(ReplicaState state, long nowNanos);

    /**
     * The rules see a request.
     *
     * @param firstTxId the lowest transaction that the node still has, if the rules are told
     * @param nowNanos the time, if the rules are told
     */
    void saw(ReplicaState state, ReplicaRequest request, long firstTxId, long nowNanos);

    /** A promise is on the disk. */
    void savedPromise(Promise promise, LogCompleteness completeness);

    /** Entries were written, which may not be durable yet. */
    void wrote(List<Entry> entries, long committedSn);

    /** All that was written is on the disk. */
    void synced();

    /** The log was cut behind an entry. */
    void truncated(long lastSn);

    /** The log was replaced by an empty one. */
    void rebased(LogSummary base);

    /** The storage is no longer in use, perhaps because it failed. */
    void closed();

    /** Readers are about to be shown the entries up to {@code sn}. */
    void showed(long sn);

    /** A group of requests is about to be answered. */
    void answered(List<Optional<PoolReply>> replies);
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.replica;

import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.pool.disk.DiskAlarm;
import io.trefoil.journal.pool.replica.storage.ReplicaStorage;
import io.trefoil.journal.pool.replica.storage.ReplicaView;
import io.trefoil.journal.pool.replica.storage.StorageOpening;
import io.trefoil.journal.protocol.AwaitCommitRequest;
import io.trefoil.journal.protocol.FailedReply;
import io.trefoil.journal.protocol.NotFormattedReply;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.protocol.SegmentsRequest;
import io.trefoil.journal.protocol.StatusRequest;
import io.trefoil.journal.replica.ReplicaState;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Answers questions about one replica at once, from its state at the disk's last answer, even while the disk hangs. For
 * any thread.
 */
final class ReplicaQueries {

    private final String name;
    private final ReplicaStorage replica;
    private final StorageOpening opening;
    private final PromisedWriter writer;
    private final Supplier<Duration> diskSilent;
    private final Supplier<String> unapplied;

    /**
     * @param diskSilent how long the disk has not answered
     * @param unapplied what the NameNode beside this replica could not apply
     */
    ReplicaQueries(
            String name,
            ReplicaStorage replica,
            StorageOpening opening,
            PromisedWriter writer,
            Supplier<Duration> diskSilent,
            Supplier<String> unapplied) {
        this.name = name;
        this.replica = replica;
        this.opening = opening;
        this.writer = writer;
        this.diskSilent = diskSilent;
        this.unapplied = unapplied;
    }

    /** Whether a request is a question: answered without waiting for the disk. */
    static boolean isQuestion(PoolRequest request) {
        return request instanceof StatusRequest
                || request instanceof SegmentsRequest
                || request instanceof AwaitCommitRequest;
    }

    PoolReply answer(PoolRequest question) {
        if (!replica.failure().isEmpty()) {
            opening.reopenIfDueAndFree();
        }
        return replica.asking(() -> {
            // Neither changes during this block.
            ReplicaView seen = replica.shown();
            String failure = replica.failure();
            if (!failure.isEmpty()) {
                return failed(seen.node(), failure + silence());
            }
            if (!seen.state().isPresent()) {
                return NotFormattedReply.of(seen.node());
            }
            // Waiting takes a thread or a callback; a caller here has neither, so it is answered at once.
            return question instanceof SegmentsRequest
                    ? replica.segments(((SegmentsRequest) question).fromTxId())
                    : status(seen.state().get());
        });
    }

    /** Implements {@link JournalReplica#performIfCaughtUp}. */
    Optional<PoolReply> answerIfCaughtUp(PoolRequest question, Duration within) {
        return replica.asking(
                () -> writer.isCaughtUp(within) ? Optional.of(answer(question)) : Optional.<PoolReply>empty());
    }

    private PoolReply failed(NodeId node, String why) {
        return FailedReply.of(node, name + ": " + why);
    }

    /** A note about a hung disk, to append to another message. */
    private String silence() {
        Duration silent = diskSilent.get();
        return silent.compareTo(DiskAlarm.LONG) > 0
                ? "; its disk has not answered for " + silent.toMillis() / 1_000 + " s"
                : "";
    }

    private PoolReply status(ReplicaState state) {
        // Read in this order: a group that ended in between has been published by then.
        long leaseMillis = writer.leaseMillis();
        ReplicaView seen = replica.shown();
        return GroupPerformer.status(seen.node(), seen.namespace(), state, seen.firstSn(), leaseMillis)
                .diskSilent(diskSilent.get().toMillis())
                .unapplied(unapplied.get());
    }
}

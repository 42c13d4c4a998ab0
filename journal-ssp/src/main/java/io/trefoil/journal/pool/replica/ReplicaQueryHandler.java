/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.replica;

import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.pool.disk.DiskStallLogger;
import io.trefoil.journal.pool.replica.storage.ReplicaStorage;
import io.trefoil.journal.pool.replica.storage.ReplicaView;
import io.trefoil.journal.pool.replica.storage.StorageOpener;
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
 * Answers queries about one replica at once, from its state at the disk's last answer, even while the disk hangs. For
 * any thread.
 */
final class ReplicaQueryHandler {

    private final String name;
    private final ReplicaStorage replica;
    private final StorageOpener opener;
    private final PromisedWriter writer;
    private final Supplier<Duration> diskSilent;
    private final Supplier<String> unapplied;

    /**
     * @param diskSilent how long the disk has not answered
     * @param unapplied what the NameNode in this replica's process could not apply
     */
    ReplicaQueryHandler(
            String name,
            ReplicaStorage replica,
            StorageOpener opener,
            PromisedWriter writer,
            Supplier<Duration> diskSilent,
            Supplier<String> unapplied) {
        this.name = name;
        this.replica = replica;
        this.opener = opener;
        this.writer = writer;
        this.diskSilent = diskSilent;
        this.unapplied = unapplied;
    }

    /** Whether a request is a query, which is answered without waiting for the disk. */
    static boolean isQuery(PoolRequest request) {
        return request instanceof StatusRequest
                || request instanceof SegmentsRequest
                || request instanceof AwaitCommitRequest;
    }

    PoolReply answer(PoolRequest question) {
        if (!replica.failureReason().isEmpty()) {
            opener.reopenIfDueAndFree();
        }
        return replica.runQuery(() -> {
            // Neither changes during this block.
            ReplicaView seen = replica.shownView();
            String failure = replica.failureReason();
            if (!failure.isEmpty()) {
                return failedReply(seen.node(), failure + stallNote());
            }
            if (!seen.state().isPresent()) {
                return NotFormattedReply.of(seen.node());
            }
            // Waiting takes a thread or a callback; a caller here has neither, so it is answered at once.
            return question instanceof SegmentsRequest
                    ? replica.segments(((SegmentsRequest) question).fromTxId())
                    : statusReply(seen.state().get());
        });
    }

    /** Implements {@link JournalReplica#performIfCaughtUp}. */
    Optional<PoolReply> answerIfCaughtUp(PoolRequest question, Duration maxLag) {
        return replica.runQuery(
                () -> writer.isCaughtUp(maxLag) ? Optional.of(answer(question)) : Optional.<PoolReply>empty());
    }

    private PoolReply failedReply(NodeId node, String reason) {
        return FailedReply.of(node, name + ": " + reason);
    }

    /** A note about a hung disk, to append to another message. */
    private String stallNote() {
        Duration silent = diskSilent.get();
        return silent.compareTo(DiskStallLogger.LONG) > 0
                ? "; its disk has not answered for " + silent.toMillis() / 1_000 + " s"
                : "";
    }

    private PoolReply statusReply(ReplicaState state) {
        // Read in this order: a group that ended in between has been published by then.
        long leaseMillis = writer.leaseMillis();
        ReplicaView seen = replica.shownView();
        return GroupPerformer.status(seen.node(), seen.namespace(), state, seen.firstSn(), leaseMillis)
                .withDiskStallMillis(diskSilent.get().toMillis())
                .withUnappliedEdit(unapplied.get());
    }
}

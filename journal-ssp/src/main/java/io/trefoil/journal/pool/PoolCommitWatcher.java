/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool;

import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.client.ReadQuorum;
import io.trefoil.journal.pool.replica.JournalReplica;
import io.trefoil.journal.protocol.AwaitCommitRequest;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.SegmentsRequest;
import io.trefoil.journal.protocol.StatusReply;
import io.trefoil.journal.protocol.StatusRequest;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds how far a journal is committed, and waits for more: asks the replica in this process if it learns of commits, otherwise other
 * nodes. Thread-safe.
 */
final class PoolCommitWatcher {
    private static final Logger LOG = LoggerFactory.getLogger(PoolJournal.class);

    /** How long a writer with nothing to append may take to announce a commit. */
    private static final long ANNOUNCING_MILLIS = 2;

    private final PoolSettings settings;
    private final LocalNode localNode;
    private final PoolMembers members;
    private final PoolQueryClient questions;

    PoolCommitWatcher(PoolSettings settings, LocalNode localNode, PoolMembers members, PoolQueryClient questions) {
        this.settings = settings;
        this.localNode = localNode;
        this.members = members;
        this.questions = questions;
    }

    /** The summary of the log that a majority has; see {@link Journal#committedPosition}. */
    LogSummary committedByMajority() throws IOException {
        Map<NodeAddress, PoolReply> statuses = questions.queryStatusesForReading();
        ReadQuorum quorum =
                ReadQuorum.of(statuses, questions.queryDetails(statuses, SegmentsRequest.of(Long.MAX_VALUE)));
        if (statuses.isEmpty()) {
            throw questions.newUnreachableException("to ask for what is committed");
        }
        if (!quorum.hasMajority()) {
            throw new IOException("Journal " + settings.journal() + ": what is committed can be read when " + quorum);
        }
        return PoolQueryClient.highestCommitted(statuses);
    }

    /** Implements {@link Journal#awaitWritten}. */
    void awaitWritten(Duration limit) throws IOException {
        Optional<JournalReplica> caughtUp =
                localNode.responsiveReplica().filter(replica -> replica.isCaughtUp(settings.lease()));
        try {
            if (caughtUp.isPresent()) {
                caughtUp.get().awaitWritten(limit);
            } else {
                awaitWrittenRemotely(limit);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException(
                    "Journal " + settings.journal() + ": interrupted while what is written was being committed");
        }
    }

    private void awaitWrittenRemotely(Duration limit) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        Map<NodeAddress, PoolReply> first = questions.queryStatuses();
        LogSummary writtenLog = StatusReply.endInForce(first);
        Collection<PoolReply> statuses = first.values();
        while (!isCommitted(writtenLog, statuses) && System.nanoTime() < deadline) {
            TimeUnit.MILLISECONDS.sleep(ANNOUNCING_MILLIS);
            statuses = questions.queryStatuses().values();
        }
    }

    private static boolean isCommitted(LogSummary writtenLog, Collection<PoolReply> statuses) {
        return statuses.stream()
                .filter(StatusReply.class::isInstance)
                .map(StatusReply.class::cast)
                .filter(status -> status.end().hasSameIncarnation(writtenLog))
                .anyMatch(status -> status.committedSummary().position().sn()
                        >= writtenLog.position().sn());
    }

    /** Implements {@link Journal#awaitCommitted}. */
    long awaitCommitted(long knownTxId, Duration timeout) throws InterruptedException, IOException {
        long deadline = System.nanoTime() + timeout.toNanos();
        Optional<JournalReplica> telling = subscribedReplica();
        while (telling.isPresent()) {
            // A replica whose disk hangs learns of nothing more, so others have to be asked in the end.
            long leftMillis = Math.max(0, (deadline - System.nanoTime()) / 1_000_000L);
            long committed = telling.get()
                    .commitSignal()
                    .awaitTxId(
                            knownTxId,
                            Math.min(leftMillis, settings.ackTimeout().toMillis()));
            if (committed > knownTxId || leftMillis <= settings.ackTimeout().toMillis()) {
                return committed;
            }
            telling = subscribedReplica();
        }
        // Which incarnation others may answer for (rule R11).
        members.learnFromLocal();
        for (NodeAddress otherNode : members.otherAddresses()) {
            Duration remaining = Duration.ofNanos(Math.max(1_000_000L, deadline - System.nanoTime()));
            try {
                return awaitCommittedAt(otherNode, knownTxId, remaining);
            } catch (IOException e) {
                LOG.debug(
                        "journal={}: node={} does not report commits: {}", settings.journal(), otherNode, e.toString());
            }
        }
        throw questions.newUnreachableException("to wait for edits");
    }

    /** The replica in this process, if it is learning of commits at present. */
    private Optional<JournalReplica> subscribedReplica() {
        return localNode
                .responsiveReplica()
                .filter(replica ->
                        replica.isFormatted() && replica.failureReason().isEmpty());
    }

    private long awaitCommittedAt(NodeAddress otherNode, long knownTxId, Duration remaining) throws IOException {
        long deadline = System.nanoTime() + remaining.toNanos();
        PoolReply reply = questions.query(otherNode, StatusRequest.create(), remaining.plus(PoolQueryClient.TIMEOUT));
        while (reply instanceof StatusReply) {
            LogSummary committed = ((StatusReply) reply).committedSummary();
            if (!committed.hasSameIncarnation(members.newestLog())) {
                throw new IOException("Pool node " + otherNode + " holds incarnation " + committed.incarnation()
                        + " of the journal, this process knows of "
                        + members.newestLog().incarnation());
            }
            long leftMillis = (deadline - System.nanoTime()) / 1_000_000L;
            if (committed.lastTxId() > knownTxId || leftMillis <= 0) {
                return committed.lastTxId();
            }
            reply = questions.query(
                    otherNode,
                    AwaitCommitRequest.of(committed.position().sn(), leftMillis),
                    remaining.plus(PoolQueryClient.TIMEOUT));
        }
        throw new IOException("Pool node " + otherNode + " cannot tell: " + reply.describe());
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool;

import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.SegmentInfo;
import io.trefoil.journal.pool.client.ReadQuorum;
import io.trefoil.journal.pool.replica.JournalReplica;
import io.trefoil.journal.pool.writer.PoolWriter;
import io.trefoil.journal.protocol.EntriesReply;
import io.trefoil.journal.protocol.FetchRequest;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PurgedReply;
import io.trefoil.journal.protocol.SegmentsReply;
import io.trefoil.journal.protocol.SegmentsRequest;
import io.trefoil.journal.storage.PurgedException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads a journal: chooses the node whose segments are shown, and asks nodes for entries, one after the other, until
 * one has some. Thread-safe.
 */
final class PoolReader {
    private final PoolSettings settings;
    private final LocalNode localNode;
    private final LocalWriters writers;
    private final PoolMembers members;
    private final PoolQueryClient questions;

    private volatile Optional<NodeAddress> lastSource = Optional.empty();
    /** The incarnation of the segments shown last; entries are read of the same one (rule R11). */
    private volatile Incarnation lastIncarnation = Incarnation.NONE;

    PoolReader(
            PoolSettings settings,
            LocalNode localNode,
            LocalWriters writers,
            PoolMembers members,
            PoolQueryClient questions) {
        this.settings = settings;
        this.localNode = localNode;
        this.writers = writers;
        this.members = members;
        this.questions = questions;
    }

    /** Implements {@link Journal#segments}. */
    List<SegmentInfo> segments(long fromTxId) throws IOException {
        SegmentsRequest request = SegmentsRequest.of(fromTxId);
        Incarnation ownIncarnation =
                localNode.replica().map(JournalReplica::incarnation).orElse(Incarnation.NONE);
        Optional<SegmentsReply> shown = localSegments(request, ownIncarnation);
        if (shown.isPresent()) {
            return selectSource(localNode.address().get(), ownIncarnation, shown.get());
        }
        Optional<PoolWriter> writing = writers.activeWriter();
        Map<NodeAddress, PoolReply> statuses = questions.queryStatusesForReading();
        Map<NodeAddress, PoolReply> answers = questions.queryDetails(statuses, request);
        ReadQuorum quorum = ReadQuorum.of(statuses, answers);
        if (!quorum.mostAdvanced().isPresent()) {
            throw answers.isEmpty()
                    ? questions.newUnreachableException("to read edits")
                    : new IOException("Journal " + settings.journal() + ": no pool node has edits to read: " + answers);
        }
        NodeAddress best = quorum.mostAdvanced().get();
        if (writing.isPresent() && !writing.get().hasEnded()) {
            refuseBelow(writing.get().committedSn(), answers.get(best));
        } else if (!quorum.hasMajority()) {
            throw new IOException("Journal " + settings.journal() + ": edits can be read when " + quorum);
        }
        return selectSource(best, quorum.incarnation(), (SegmentsReply) answers.get(best));
    }

    private void refuseBelow(long committedSn, PoolReply bestReply) throws IOException {
        if (committedSn(bestReply) < committedSn) {
            throw new IOException("Journal " + settings.journal() + ": entry " + committedSn
                    + " is committed, but the nodes that answer show readers only up to " + committedSn(bestReply)
                    + " so far");
        }
    }

    private static long committedSn(PoolReply reply) {
        return ((SegmentsReply) reply).committedSn();
    }

    private List<SegmentInfo> selectSource(NodeAddress from, Incarnation incarnation, SegmentsReply reply) {
        lastIncarnation = incarnation;
        lastSource = Optional.of(from);
        return reply.segments();
    }

    /**
     * The local replica's segments, if it is known to be about as far along as any other: it was caught up a moment ago, or the
     * writer is in this process.
     */
    private Optional<SegmentsReply> localSegments(SegmentsRequest request, Incarnation incarnation) {
        Optional<JournalReplica> working = localNode.responsiveReplica();
        if (!working.isPresent()) {
            return Optional.empty();
        }
        Optional<PoolWriter> writing = writers.activeWriter();
        long wantedSn = writing.map(PoolWriter::committedSn).orElse(0L);
        if (writing.isPresent() && !incarnation.equals(writing.get().end().incarnation())) {
            return Optional.empty();
        }
        JournalReplica replica = working.get();
        return (writing.isPresent() ? replica.perform(request) : replica.performIfCaughtUp(request, settings.lease()))
                .filter(SegmentsReply.class::isInstance)
                .map(SegmentsReply.class::cast)
                // If the journal was formatted again meanwhile, these segments would be taken for those of the previous
                // one.
                .filter(reply -> replica.incarnation().equals(incarnation))
                .filter(reply -> reply.committedSn() >= wantedSn);
    }

    /** Implements {@link Journal#lastShownIncarnation}. */
    Incarnation lastShownIncarnation() {
        return lastIncarnation;
    }

    /** Implements {@link Journal#read}. */
    List<Entry> read(long firstSn, int maxBytes) throws IOException {
        FetchRequest request = FetchRequest.of(firstSn, maxBytes, Epoch.NONE).withIncarnation(lastIncarnation);
        IOException failed = null;
        for (NodeAddress address : findSources(firstSn)) {
            try {
                List<Entry> entries = readAt(address, request);
                if (!entries.isEmpty()) {
                    return entries;
                }
            } catch (IOException e) {
                if (failed != null) {
                    e.addSuppressed(failed);
                }
                failed = e;
            }
        }
        if (failed != null) {
            throw failed;
        }
        return new ArrayList<>();
    }

    /**
     * Returns which nodes to ask for an entry: the local replica if it has it, then the last source of segments, then all
     * others.
     */
    private List<NodeAddress> findSources(long firstSn) {
        List<NodeAddress> sources = new ArrayList<>();
        boolean ownHas =
                localNode.replica().filter(replica -> holds(replica, firstSn)).isPresent();
        boolean ownHangs = ownHas && !localNode.responsiveReplica().isPresent();
        if (ownHas && !ownHangs) {
            sources.add(localNode.address().get());
        }
        lastSource.filter(address -> !sources.contains(address)).ifPresent(sources::add);
        for (NodeAddress other : members.otherAddresses()) {
            if (!sources.contains(other)) {
                sources.add(other);
            }
        }
        if (ownHangs) {
            // The entry may be in the memory of the hung replica.
            sources.remove(localNode.address().get());
            sources.add(localNode.address().get());
        }
        return sources;
    }

    private boolean holds(JournalReplica replica, long sn) {
        return replica.failureReason().isEmpty()
                && replica.incarnation().equals(lastIncarnation)
                && replica.commitSignal().committedSn() >= sn;
    }

    /** Reads from one node, in this process or another; the request names the incarnation (rule R11). */
    List<Entry> readAt(NodeAddress address, FetchRequest request) throws IOException {
        if (localNode.isAt(address)) {
            return localNode.replica().get().entryReader().read(request, PoolQueryClient.TIMEOUT);
        }
        PoolReply reply = questions.query(address, request, PoolQueryClient.TIMEOUT.multipliedBy(5));
        if (reply instanceof EntriesReply) {
            return ((EntriesReply) reply).entries();
        }
        if (reply instanceof PurgedReply) {
            throw new PurgedException(request.firstSn(), ((PurgedReply) reply).base());
        }
        throw new IOException(
                "Pool node " + address + " gives no entries from " + request.firstSn() + ": " + reply.describe());
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.history;

import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.MemberChange;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.Promise;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.protocol.SegmentsReply;
import java.util.List;
import java.util.Optional;

/**
 * An event that rules are about, seen from outside: at a disk, on the wire or at a writer's user, never in the state of
 * the machines that are judged. Immutable; times are those of the simulation.
 */
public sealed interface Fact {

    /** A node's disk now holds this promise. */
    record PromiseSaved(NodeAddress at, NodeId node, Promise promise, LogCompleteness completeness) implements Fact {}

    /** A disk was formatted. */
    record Formatted(NodeAddress at, NodeId node, LogSummary base, List<Entry> entries) implements Fact {}

    /** A format that failed, or whose process ended meanwhile: the disk holds the new storage, or the old one. */
    record FormatCutShort(NodeAddress at, NodeId node, LogSummary base, List<Entry> entries) implements Fact {}

    /** The storage of a node is gone: moved aside, lost, or taken out. */
    record StorageRemoved(NodeAddress at) implements Fact {}

    /** The end of a log rotted where nothing proves that it was durable: what the log held there counts as never acknowledged. */
    record TailRotted(NodeAddress at, long fromSn) implements Fact {}

    /** A node opened its storage and found this. */
    record Opened(
            NodeAddress at,
            NodeId node,
            Promise promise,
            LogCompleteness completeness,
            LogSummary base,
            List<Entry> log)
            implements Fact {
        @Override
        public String toString() {
            return "Opened[" + at + " " + node + " promised=" + promise.epoch() + " " + completeness + " behind "
                    + base.position() + " entries=" + log + "]";
        }
    }

    /** A node wrote entries at the end of its log; they are not durable yet. */
    record Written(NodeAddress at, List<Entry> entries) implements Fact {}

    /** Everything that a node wrote is durable. */
    record Synced(NodeAddress at) implements Fact {}

    /** A node cut every entry above {@code lastSn}; what is left is durable. */
    record Cut(NodeAddress at, long lastSn) implements Fact {}

    /** A node discarded its log, which now begins after {@code base}. */
    record Rebased(NodeAddress at, LogSummary base) implements Fact {}

    /** A node purged the oldest entries of its log, which now begins after {@code base}. */
    record Purged(NodeAddress at, LogSummary base) implements Fact {}

    /** A node shows its readers everything up to {@code committedSn}. */
    record Shown(NodeAddress at, long committedSn) implements Fact {}

    /**
     * A node answered; the answer is on its way. Answers to requests that came together are reported together, so that
     * what a later request did to the storage comes before all of these answers.
     *
     * @param before the storage that the node had before it read this request and those that came with it; empty if
     *     none
     * @param promisedBefore what that storage had promised by then
     */
    record Answered(
            NodeAddress at,
            long atNanos,
            Optional<NodeId> before,
            Epoch promisedBefore,
            PoolRequest request,
            PoolReply reply)
            implements Fact {}

    /** A node answered whose storage belongs to another incarnation of the journal than the one in force. */
    record AnsweredByStranger(Answered answered) implements Fact {}

    /** A reader that began under the current incarnation was shown segments of storage of another one. */
    record StrangerShown(NodeAddress by) implements Fact {}

    /** A writer began a term on another incarnation of the journal than the one in force. */
    record TermOfStranger(WriterId writer, Epoch epoch) implements Fact {}

    /** A writer began a term on an incarnation that a host formatted alone. */
    record LoneTermBegan(WriterId writer, Epoch epoch) implements Fact {}

    /** A writer asked a node for something before its term was wanted, when another writer may still have had its lease. */
    record RequestedTooEarly(WriterId writer, PoolRequest request) implements Fact {}

    /** An operator, or a node, asks for a membership change. */
    record ChangeRequested(MemberChange change) implements Fact {}

    /** A writer has the promises of a majority and begins its term after {@code chosenLast}. */
    record TermBegan(WriterId writer, Epoch epoch, LogPosition chosenLast) implements Fact {}

    /** A writer put an entry at the end of its log. */
    record EntryAppended(WriterId writer, Entry entry, long committedSn) implements Fact {}

    /** A writer considers everything up to {@code sn} committed; {@code members} are those at the end of its log. */
    record Committed(WriterId writer, Epoch epoch, long sn, Members members) implements Fact {}

    /** A writer is ready for appends. */
    record BecameReady(WriterId writer, Epoch epoch) implements Fact {}

    /** An append returned to a writer's user. */
    record Acked(WriterId writer, Entry entry) implements Fact {}

    /** A command returned that took back committed transactions with this entry. */
    record TakenBack(WriterId writer, Entry entry) implements Fact {}

    /**
     * A node showed segments to a reader.
     *
     * @param knownSn the newest entry that took something back and whose command had returned when this reader began; 0
     *     if there was none
     */
    record ReaderShown(NodeAddress by, long knownSn, SegmentsReply reply) implements Fact {}

    /**
     * A writer believes that until then no other writer can get a promise.
     *
     * @param leasedUntilNanos the same, as long as no node presumes it dead
     */
    record LeaseBelieved(WriterId writer, long nowNanos, long untilNanos, long leasedUntilNanos) implements Fact {}

    /**
     * An observer beside a node answered a read by a lease.
     *
     * @param toldSn the last entry that any client had been told is committed when the read began
     * @param servedSn what the observer had applied when it answered
     */
    record NearRead(NodeAddress at, long toldSn, long servedSn) implements Fact {}

    /** A node believes that a writer is gone, whether it is or not. */
    record WriterPresumedDead(NodeAddress at, WriterId writer) implements Fact {}

    /** A writer has ended: fenced, stepped down or dead. */
    record WriterEnded(WriterId writer, String how) implements Fact {}
}

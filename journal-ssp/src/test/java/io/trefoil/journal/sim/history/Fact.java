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
 * Something that happened and that rules are about: seen from outside, at a disk, on the wire or at a writer's user,
 * never in the state of the machines that are judged. Immutable values; times are those of the simulation.
 */
public sealed interface Fact {

    /** A node's disk holds this promise now. */
    record PromiseSaved(NodeAddress at, NodeId node, Promise promise, LogCompleteness completeness) implements Fact {}

    /** A disk was given storage. */
    record Formatted(NodeAddress at, NodeId node, LogSummary base, List<Entry> entries) implements Fact {}

    /** The same, and it failed or its process ended within: it is there, or what was before. */
    record FormatCutShort(NodeAddress at, NodeId node, LogSummary base, List<Entry> entries) implements Fact {}

    /** The storage of a node is no longer there: moved aside, lost, or taken out. */
    record StorageGone(NodeAddress at) implements Fact {}

    /** The end of a log rotted where nothing proves that it was durable: what it held there counts as never acknowledged. */
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

    /** A node forgot its log; it begins behind {@code base} now. */
    record Rebased(NodeAddress at, LogSummary base) implements Fact {}

    /** A node forgot the oldest entries of its log; it begins behind {@code base} now. */
    record Purged(NodeAddress at, LogSummary base) implements Fact {}

    /** A node shows its readers everything up to {@code committedSn}. */
    record Shown(NodeAddress at, long committedSn) implements Fact {}

    /**
     * A node answered; the answer is on its way. Answers to requests that came together are told together, so that
     * what a later one of them did to the storage stands before all of them.
     *
     * @param before the storage that it held before it read this request and those that came with it; empty if none
     * @param promisedBefore what that had promised then
     */
    record Answered(
            NodeAddress at,
            long atNanos,
            Optional<NodeId> before,
            Epoch promisedBefore,
            PoolRequest request,
            PoolReply reply)
            implements Fact {}

    /** A node answered whose storage goes back to another beginning of the journal than the one in force. */
    record AnsweredByStranger(Answered answered) implements Fact {}

    /** Segments of storage that goes back to another beginning of the journal were shown to a reader that began since. */
    record StrangerShown(NodeAddress by) implements Fact {}

    /** A writer began a term on another beginning of the journal than the one in force. */
    record TermOfStranger(WriterId writer, Epoch epoch) implements Fact {}

    /** An operator, or a node, wants other members. */
    record Wanted(MemberChange change) implements Fact {}

    /** A writer has the promises of a majority and begins its term behind {@code chosenLast}. */
    record TermBegan(WriterId writer, Epoch epoch, LogPosition chosenLast) implements Fact {}

    /** A writer put an entry at the end of its log. */
    record Remembered(WriterId writer, Entry entry, long committedSn) implements Fact {}

    /** A writer holds everything up to {@code sn} for committed; {@code members} are those of the end of its log. */
    record Committed(WriterId writer, Epoch epoch, long sn, Members members) implements Fact {}

    /** A writer may be appended to. */
    record BecameReady(WriterId writer, Epoch epoch) implements Fact {}

    /** An append returned to the user of a writer. */
    record Acked(WriterId writer, Entry entry) implements Fact {}

    /** A command returned that took back committed transactions by this entry. */
    record TakenBack(WriterId writer, Entry entry) implements Fact {}

    /**
     * A reader was shown segments by a node.
     *
     * @param knownSn the newest entry that took something back, of those whose commands had returned when this reader
     *     began; 0 if there was none
     */
    record ReaderShown(NodeAddress by, long knownSn, SegmentsReply reply) implements Fact {}

    /** A writer believes until then that no other one can be promised to. */
    record LeaseBelieved(WriterId writer, long nowNanos, long untilNanos) implements Fact {}

    /**
     * Beside a node somebody read by a lease.
     *
     * @param toldSn what anybody had been told is committed when the read began
     * @param servedSn what the reader had applied when it answered
     */
    record NearRead(NodeAddress at, long toldSn, long servedSn) implements Fact {}

    /** To a node a writer seems to be gone, whether it is or not. */
    record TakenForGone(NodeAddress at, WriterId writer) implements Fact {}

    /** A writer is over: fenced, stepped down or dead. */
    record WriterEnded(WriterId writer, String how) implements Fact {}
}

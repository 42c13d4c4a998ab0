/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.writer;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.writer.events.NodeProgress;
import io.trefoil.journal.writer.events.WriterStage;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The state of a writer at one moment, for monitoring. Immutable. */
@AutoValue
public abstract class WriterStatus {

    public static WriterStatus of(
            WriterStage stage,
            Epoch epoch,
            long lastSn,
            long committedSn,
            Optional<Duration> leaseRemaining,
            Duration waitedForReaders,
            Queues queues,
            List<NodeLag> nodes) {
        return new AutoValue_WriterStatus(
                stage, epoch, lastSn, committedSn, leaseRemaining, waitedForReaders, queues, nodes);
    }

    public abstract WriterStage stage();

    public abstract Epoch epoch();

    public abstract long lastSn();

    public abstract long committedSn();

    /** Returns how long no other writer can take over; empty if a majority does not hold this writer's lease. */
    public abstract Optional<Duration> leaseRemaining();

    /**
     * Returns how long commits have waited in this term for nodes that are read from, although a majority had the
     * entries.
     */
    public abstract Duration readerWaitTime();

    public abstract Queues queues();

    /** All nodes known to the writer. */
    public abstract List<NodeLag> nodes();

    /** The queues inside the writer's process. Immutable. */
    @AutoValue
    public abstract static class Queues {

        public static Queues of(int requests, int memoryEntries, long memoryBytes) {
            return new AutoValue_WriterStatus_Queues(requests, memoryEntries, memoryBytes);
        }

        /** Requests waiting for the network's thread, or for the node in this process. */
        public abstract int requests();

        /** Entries kept in memory until they are committed and no node lacks them. */
        public abstract int memoryEntries();

        /** The payload bytes of these entries. */
        public abstract long memoryBytes();
    }

    /** Describes how far one node has the log, and how much it lacks. Immutable. */
    @AutoValue
    public abstract static class NodeLag {

        public static NodeLag of(NodeProgress progress, long entries, long bytes, Duration age) {
            return new AutoValue_WriterStatus_NodeLag(progress, entries, bytes, age);
        }

        public abstract NodeProgress progress();

        /** Returns the number of entries that the node lacks. */
        public abstract long lagEntries();

        /** The payload bytes of the entries it lacks, accurate to what is written in 100 ms. */
        public abstract long lagBytes();

        /** Returns how long ago the oldest entry that the node lacks was written, accurate to 100 ms. */
        public abstract Duration lagTime();
    }
}

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

/** A writer at one moment, for monitoring. Immutable. */
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

    /** How long no other writer can take over; empty if a majority does not hold this writer's lease. */
    public abstract Optional<Duration> leaseRemaining();

    /** How long commits have waited in this term for nodes that are read from, although a majority had the entries. */
    public abstract Duration waitedForReaders();

    public abstract Queues queues();

    /** All nodes that the writer knows. */
    public abstract List<NodeLag> nodes();

    /** The queues inside the writer's process. Immutable. */
    @AutoValue
    public abstract static class Queues {

        public static Queues of(int requests, int memoryEntries, long memoryBytes) {
            return new AutoValue_WriterStatus_Queues(requests, memoryEntries, memoryBytes);
        }

        /** Requests that wait for the network's thread, or for the node in this process. */
        public abstract int requests();

        /** Entries kept in memory for nodes that lack them, and until they are committed. */
        public abstract int memoryEntries();

        /** The payload bytes of these entries. */
        public abstract long memoryBytes();
    }

    /** How far one node has the log, and how much it lacks. Immutable. */
    @AutoValue
    public abstract static class NodeLag {

        public static NodeLag of(NodeProgress progress, long entries, long bytes, Duration age) {
            return new AutoValue_WriterStatus_NodeLag(progress, entries, bytes, age);
        }

        public abstract NodeProgress progress();

        /** How many entries the node lacks. */
        public abstract long entries();

        /** The payload bytes of the entries it lacks, to within what is written in 100 ms. */
        public abstract long lagBytes();

        /** How long ago the oldest entry that the node lacks was written, to within 100 ms. */
        public abstract Duration age();
    }
}

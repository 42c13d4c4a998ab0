/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.foundation.DriverFault;
import io.trefoil.foundation.WrongDriver;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.pool.disk.ReplicaThreads;
import io.trefoil.journal.pool.replica.JournalReplica;
import io.trefoil.journal.protocol.AppendRequest;
import io.trefoil.journal.protocol.CommitRequest;
import io.trefoil.journal.protocol.FailedReply;
import io.trefoil.journal.protocol.FormatRequest;
import io.trefoil.journal.protocol.LeaseHeldReply;
import io.trefoil.journal.protocol.NewEpochRequest;
import io.trefoil.journal.protocol.PromiseReply;
import io.trefoil.journal.protocol.StatusRequest;
import io.trefoil.journal.protocol.StepDownRequest;
import io.trefoil.journal.replica.ReplicaTrace;
import io.trefoil.journal.sim.disk.SimDisk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a replica's driver does is what the rules ask for, and a driver that did something else is found by its trace. */
class ReplicaTraceTest {

    private static final NodeId NODE = NodeId.of("node");

    private final SimDisk disk = new SimDisk(new Random(1));
    private long nowNanos;

    @TempDir
    private Path directory;

    private static Entry entry(long epoch, long sn, EntryKind kind) {
        return Entry.of(
                LogPosition.of(Epoch.of(epoch), sn),
                kind,
                kind == EntryKind.EDITS ? TxRange.of(sn, sn) : TxRange.NONE,
                Bytes.ofUtf8("payload of " + sn));
    }

    private static NewEpochRequest newEpoch(long epoch) {
        return NewEpochRequest.of(Epoch.of(epoch), WriterId.of("writer-" + epoch), 1000);
    }

    private static AppendRequest append(long epoch, LogPosition prev, long committedSn, Entry... entries) {
        return AppendRequest.of(
                Epoch.of(epoch),
                WriterId.of("writer-" + epoch),
                1000,
                prev,
                List.of(entries),
                LogPosition.of(Epoch.of(epoch), committedSn),
                prev.sn() + entries.length);
    }

    /** A term of two entries, of which the second is cut in the next term, a group that only asks, and a restart. */
    private Path recordTrace(UnaryOperator<ReplicaTrace> driver) throws IOException {
        ReplicaTrace trace = driver.apply(new ReplicaTraceFile(directory, "ns1-"));
        JournalReplica replica = replica(trace);
        replica.perform(FormatRequest.of(NamespaceId.of("CID-1", 42), NODE, LogSummary.ORIGIN, List.of(), false));
        replica.perform(newEpoch(5));
        replica.perform(List.of(
                append(5, LogPosition.ORIGIN, 0, entry(5, 1, EntryKind.EPOCH_START)),
                append(5, LogPosition.of(Epoch.of(5), 1), 0, entry(5, 2, EntryKind.EPOCH_START)),
                CommitRequest.of(Epoch.of(5), 1)));
        replica.perform(StatusRequest.create());
        replica.perform(newEpoch(6));
        nowNanos += 2_000_000_000L;
        replica.perform(List.of(StepDownRequest.of(Epoch.of(5)), newEpoch(6)));
        replica.perform(append(6, LogPosition.of(Epoch.of(5), 1), 1, entry(6, 2, EntryKind.EPOCH_START)));
        replica.close();
        replica(trace).close();
        return trace();
    }

    private Path trace() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.findFirst().orElseThrow();
        }
    }

    private JournalReplica replica(ReplicaTrace trace) {
        JournalReplica replica = new JournalReplica(
                "replica", disk.device(), () -> nowNanos, () -> NODE, writer -> false, ReplicaThreads.NONE, trace);
        replica.open();
        return replica;
    }

    @Test
    void driverPerformsEffectsOfRules() throws Exception {
        assertThat(ReplicaTraceReader.replay(recordTrace(trace -> trace))).isEqualTo(8);
    }

    /** The promise that is saved to see whether the disk can be written is none that the rules gave. */
    @Test
    void reopenedStorageStartsReplayAgain() throws Exception {
        JournalReplica replica = replica(new ReplicaTraceFile(directory, "ns1-"));
        replica.perform(FormatRequest.of(NamespaceId.of("CID-1", 42), NODE, LogSummary.ORIGIN, List.of(), false));
        replica.perform(newEpoch(5));
        disk.failAt(1);
        assertThat(replica.perform(newEpoch(6))).containsInstanceOf(FailedReply.class);
        nowNanos += 60_000_000_000L;
        assertThat(replica.perform(newEpoch(7))).containsInstanceOf(LeaseHeldReply.class);
        nowNanos += 2_000_000_000L;
        assertThat(replica.perform(newEpoch(7))).containsInstanceOf(PromiseReply.class);

        assertThat(ReplicaTraceReader.replay(trace())).isEqualTo(4);
    }

    @Test
    void traceOmitsEdits() throws Exception {
        JournalReplica replica = replica(new ReplicaTraceFile(directory, "ns1-"));
        replica.perform(FormatRequest.of(NamespaceId.of("CID-1", 42), NODE, LogSummary.ORIGIN, List.of(), false));
        replica.perform(newEpoch(5));
        replica.perform(append(5, LogPosition.ORIGIN, 0, entry(5, 1, EntryKind.EDITS)));

        assertThat(Files.readString(trace(), StandardCharsets.ISO_8859_1)).doesNotContain("payload of");
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource({
        "late, recordSync, the last write is not durable",
        "late, recordSavedPromise, has not done before",
        "late, recordWrite, has not done before",
        "late, recordTruncate, does: write",
        "twice, recordSavedPromise, the rules want: nothing",
        "twice, recordWrite, the rules want: nothing",
        "never, recordTruncate, does: write",
        "never, recordSync, the last write is not durable",
    })
    void detectsWrongDriver(String alteration, String action, String fault) throws Exception {
        Path file = recordTrace(trace -> WrongDriver.of(ReplicaTrace.class, trace, alteration, action));

        assertThatThrownBy(() -> ReplicaTraceReader.replay(file))
                .isInstanceOf(DriverFault.class)
                .hasMessageContaining(fault);
    }
}

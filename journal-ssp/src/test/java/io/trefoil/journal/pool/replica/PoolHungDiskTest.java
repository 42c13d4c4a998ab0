/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trefoil.foundation.TestPorts;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.SegmentInfo;
import io.trefoil.journal.model.StorageRecord;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.pool.HangingDevice;
import io.trefoil.journal.pool.PoolJournal;
import io.trefoil.journal.pool.PoolSettings;
import io.trefoil.journal.pool.server.NodeSettings;
import io.trefoil.journal.pool.server.PoolNode;
import io.trefoil.journal.pool.server.PoolObserver;
import io.trefoil.journal.pool.writer.JournalWriter;
import io.trefoil.journal.pool.writer.PoolWriter;
import io.trefoil.journal.pool.writer.WriterStatus;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.StatusReply;
import io.trefoil.journal.protocol.StatusRequest;
import io.trefoil.journal.sim.disk.SimDisk;
import io.trefoil.journal.writer.events.NodeProgress;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three real nodes over real sockets, and a disk that answers no call any more. A thread that waits for it although it
 * must not never comes back here, and runs into the time limit.
 */
@Timeout(120)
class PoolHungDiskTest {
    private static final JournalId JOURNAL = JournalId.of("ns1");
    private static final NamespaceId NAMESPACE = NamespaceId.of("CID-1", 42);
    private static final Duration ACK_TIMEOUT = Duration.ofMillis(200);
    private static final Duration LEASE = Duration.ofSeconds(1);

    @TempDir
    Path directory;

    private final List<HangingDevice> devices = new ArrayList<>();
    private final List<NodeAddress> addresses = new ArrayList<>();
    private final PoolNode[] nodes = new PoolNode[3];
    private final PoolJournal[] journals = new PoolJournal[3];
    private JournalWriter writer;
    private long lastTxId;

    @BeforeEach
    void writeToThree() throws IOException {
        for (int i = 0; i < 3; i++) {
            devices.add(new HangingDevice(new SimDisk(new Random(i)).device()));
            addresses.add(NodeAddress.of("127.0.0.1", TestPorts.free()));
        }
        for (int i = 0; i < 3; i++) {
            start(i);
        }
        journals[0].format(NAMESPACE, StorageRecord.Version.of(-67, 1000), false);
        writer = journals[0].openWriter(3);
        writer.appendAhead(EntryKind.SEGMENT_START, TxRange.emptyRangeAt(1), Bytes.ofUtf8("-67"));
        write(10);
    }

    @AfterEach
    void stopAll() throws IOException {
        devices.forEach(HangingDevice::resume);
        for (int i = 0; i < 3; i++) {
            stop(i);
        }
    }

    private void start(int i) throws IOException {
        nodes[i] = PoolNode.start(settings(i), journal -> devices.get(i), PoolObserver.NONE);
        journals[i] = journal(i, LEASE);
    }

    private NodeSettings settings(int i) {
        return NodeSettings.builder()
                .address(addresses.get(i))
                .bindHost("127.0.0.1")
                .directory(directory.resolve("node" + i))
                .journalsToJoin(Map.of(JOURNAL, addresses))
                .build();
    }

    private PoolJournal journal(int i, Duration lease) throws IOException {
        PoolSettings pool = PoolSettings.builder()
                .journal(JOURNAL)
                .addresses(addresses)
                .lease(lease)
                .ackTimeout(ACK_TIMEOUT)
                .node(settings(i))
                .build();
        return new PoolJournal(pool, Optional.of(nodes[i]), PoolObserver.NONE);
    }

    /** Writes in a term whose lease does not run out between two heartbeats, however busy the machine is. */
    private void beginTermOf(Duration lease) throws IOException {
        journals[0].close();
        journals[0] = journal(0, lease);
        writer = journals[0].openWriter(3);
        writer.append(EntryKind.SEGMENT_START, TxRange.emptyRangeAt(lastTxId + 1), Bytes.ofUtf8("-67"));
    }

    private void stop(int i) throws IOException {
        if (nodes[i] != null) {
            journals[i].close();
            nodes[i].close();
            nodes[i] = null;
        }
    }

    private void write(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            lastTxId++;
            writer.append(EntryKind.EDITS, TxRange.of(lastTxId, lastTxId), Bytes.ofUtf8("edit " + lastTxId));
        }
    }

    private JournalReplica replica(int i) {
        return nodes[i].replica(JOURNAL);
    }

    private void hang(int i) {
        devices.get(i).hang();
    }

    private NodeProgress progressOf(int i) {
        return ((PoolWriter) writer)
                .status().nodes().stream()
                        .map(WriterStatus.NodeLag::progress)
                        .filter(node -> node.address().equals(addresses.get(i)))
                        .findFirst()
                        .orElseThrow();
    }

    @Test
    void flushesContinueWhenWritersDiskHangsAndCatchesUpLater() throws Exception {
        hang(0);
        write(100);

        await().untilAsserted(() -> assertThat(progressOf(0).inSync()).isFalse());
        write(100);
        assertThat(devices.get(0).hangingThreadCount()).isPositive();

        devices.get(0).resume();
        await().untilAsserted(() -> assertThat(progressOf(0).inSync()).isTrue());
        await().untilAsserted(
                        () -> assertThat(replica(0).replicaStatus().lastTxId()).isEqualTo(lastTxId));
        await().untilAsserted(() -> assertThat(replica(0).diskStallTime()).isLessThan(ACK_TIMEOUT));
    }

    @Test
    void flushWaitsForHungDiskWithoutMajorityOfOthers() throws Exception {
        stop(2);
        hang(0);
        CompletableFuture<Void> flush = CompletableFuture.runAsync(() -> {
            try {
                write(1);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });

        assertThatThrownBy(() -> flush.get(500, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        devices.get(0).resume();
        flush.get(30, TimeUnit.SECONDS);
    }

    @Test
    void stateQueriesAreAnsweredWhileWritersDiskHangs() throws Exception {
        beginTermOf(Duration.ofMinutes(1));
        hang(0);
        write(1);
        await().until(() -> devices.get(0).hangingThreadCount() > 0);

        assertThat(journals[0].observedTerm()).isPresent();
        assertThat(journals[0].localTerm()).isPresent();
        assertThat(replica(0).isFormatted()).isTrue();
        assertThat(replica(0).replicaStatus().failureReason()).isEmpty();
        assertThat(journals[0].queryLease(Duration.ofMillis(500)).leaseFree()).isFalse();
        await().untilAsserted(() -> assertThat(journals[0].diskStallTime()).isGreaterThan(ACK_TIMEOUT));
        assertThat(replica(0).replicaStatus().diskStallTime()).isGreaterThan(ACK_TIMEOUT);
    }

    @Test
    void nodeWithHungDiskAcceptsCallersAndAnswers() throws Exception {
        hang(1);
        write(1);
        await().until(() -> devices.get(1).hangingThreadCount() > 0);

        // As many as there are service loops, and more.
        for (int i = 0; i < 8; i++) {
            try (PoolJournal stranger = new PoolJournal(
                    PoolSettings.builder()
                            .journal(JOURNAL)
                            .addresses(List.of(addresses.get(1)))
                            .build(),
                    Optional.empty(),
                    PoolObserver.NONE)) {
                // On a busy machine an answer may come too late.
                await().pollDelay(Duration.ZERO)
                        .ignoreExceptionsInstanceOf(IOException.class)
                        .untilAsserted(
                                () -> assertThat(stranger.storageRecord()).isPresent());
            }
        }
        PoolReply status = replica(1).perform(StatusRequest.create()).get();
        assertThat(status).isInstanceOf(StatusReply.class);
        assertThat(((StatusReply) status).diskStallMillis()).isPositive();
    }

    /** What the disk does may be what renews it. */
    @Test
    void nodeWithHungDiskDoesNotReportFreeLease() throws Exception {
        Duration lease = Duration.ofSeconds(3);
        beginTermOf(lease);
        hang(1);
        write(1);
        await().until(() -> devices.get(1).hangingThreadCount() > 0);
        await().until(() -> replica(1).diskStallTime().compareTo(lease) > 0);

        assertThat(journals[1].observedTerm()).as("held or not is not known").isEmpty();
        PoolReply status = replica(1).perform(StatusRequest.create()).get();
        assertThat(((StatusReply) status).leaseHeldMillis()).isPositive();
    }

    /** The thread that finds out has other things to do than to wait for the disk. */
    @Test
    void nodeWithHungDiskLearnsWriterDeathLater() throws Exception {
        WriterId gone = PoolNode.newWriterId(addresses.get(0));
        hang(1);
        write(1);
        await().until(() -> devices.get(1).hangingThreadCount() > 0);

        assertThat(replica(1).promisedWriter().shortenLeaseOf(gone)).isPositive();

        devices.get(1).resume();
        await().untilAsserted(() ->
                assertThat(replica(1).promisedWriter().shortenLeaseOf(gone)).isZero());
    }

    @Test
    void standbyWithHungDiskFollowsFromOtherNodes() throws Exception {
        hang(1);
        write(50);

        await().atMost(Duration.ofSeconds(30))
                .ignoreExceptionsInstanceOf(IOException.class)
                .untilAsserted(() -> {
                    assertThat(journals[1].awaitCommitted(lastTxId - 1, Duration.ofSeconds(1)))
                            .isEqualTo(lastTxId);
                    List<SegmentInfo> segments = journals[1].segments(lastTxId);
                    assertThat(segments).hasSize(1);
                    assertThat(segments.get(0).txIds()).isEqualTo(TxRange.of(1, lastTxId));
                    List<Entry> entries = journals[1].read(segments.get(0).readFromSn(), 1 << 20);
                    assertThat(entries.get(entries.size() - 1).txIds().last()).isEqualTo(lastTxId);
                });
    }

    @Test
    void takeoverOfNameNodeWithHungDiskNeedsOnlyOthers() throws Exception {
        hang(1);
        writer.close();

        JournalWriter next = journals[1].openWriter(2);
        next.append(EntryKind.SEGMENT_START, TxRange.emptyRangeAt(11), Bytes.ofUtf8("-67"));

        assertThat(next.end().position().sn()).isPositive();
    }

    @Test
    void writerWithHungDiskStepsDownAndClosesInTime() throws Exception {
        beginTermOf(Duration.ofMinutes(1));
        hang(0);
        write(1);
        await().until(() -> devices.get(0).hangingThreadCount() > 0);

        assertThat(writer.awaitAllCommitted(Duration.ofSeconds(30))).isTrue();
        writer.close();
        // Not to be seen at once, but without waiting for the end of the lease at the two others.
        await().until(() -> journals[2].queryLease(Duration.ofMillis(200)).leaseFree());
        stop(0);
    }

    @Test
    void nodeWithHungDiskAtStartReportsNotOpen() throws Exception {
        stop(1);
        hang(1);
        start(1);

        assertThat(replica(1).failureReason()).isNotEmpty();
        assertThat(replica(1).isFormatted()).isTrue();
        write(1);

        devices.get(1).resume();
        await().untilAsserted(() -> assertThat(replica(1).failureReason()).isEmpty());
        await().untilAsserted(() -> assertThat(progressOf(1).inSync()).isTrue());
    }
}

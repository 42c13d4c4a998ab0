/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trefoil.foundation.DriverFault;
import io.trefoil.foundation.TestPorts;
import io.trefoil.foundation.TracedGroups;
import io.trefoil.foundation.WrongDriver;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.StorageRecord;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.pool.PoolJournal;
import io.trefoil.journal.pool.PoolSettings;
import io.trefoil.journal.pool.server.NodeSettings;
import io.trefoil.journal.pool.server.PoolNode;
import io.trefoil.journal.pool.server.PoolObserver;
import io.trefoil.journal.pool.writer.PoolWriter;
import io.trefoil.journal.pool.writer.term.WriterMachine;
import io.trefoil.journal.sim.disk.SimDisk;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.client.NettyTransport;
import io.trefoil.journal.writer.WriterTrace;
import io.trefoil.journal.writer.events.WriterSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a writer's driver does is what the rules ask for, and a driver that did something else is found by its trace. */
class WriterTraceTest {

    private static final JournalId JOURNAL = JournalId.of("ns1");
    private static final NamespaceId NAMESPACE = NamespaceId.of("CID-1", 42);
    private static final int ENTRIES = 20;

    @TempDir
    private Path directory;

    private final NodeAddress local = NodeAddress.of("127.0.0.1", TestPorts.free());
    private final NodeAddress remote = NodeAddress.of("127.0.0.1", TestPorts.free());
    private final ExecutorService worker = Executors.newSingleThreadExecutor();
    private final NettyTransport transport = NettyTransport.start("test");
    private final List<PoolNode> nodes = new ArrayList<>();

    @BeforeEach
    void format() throws IOException {
        List<NodeAddress> addresses = List.of(local, remote);
        for (NodeAddress address : addresses) {
            SimDisk disk = new SimDisk(new Random(1));
            nodes.add(PoolNode.start(
                    NodeSettings.builder()
                            .address(address)
                            .bindHost("127.0.0.1")
                            .directory(directory.resolve("node-" + address.port()))
                            .journalsToJoin(Collections.singletonMap(JOURNAL, addresses))
                            .build(),
                    journal -> disk.device(),
                    PoolObserver.NONE));
        }
        PoolSettings pool =
                PoolSettings.builder().journal(JOURNAL).addresses(addresses).build();
        try (PoolJournal journal = new PoolJournal(pool, Optional.empty(), PoolObserver.NONE)) {
            journal.format(NAMESPACE, StorageRecord.Version.of(-67, 1000), false);
        }
    }

    @AfterEach
    void close() throws IOException {
        transport.close();
        worker.shutdownNow();
        for (PoolNode node : nodes) {
            node.close();
        }
    }

    /** A term of some entries, with an answer to a reader. */
    private Path recordTrace(UnaryOperator<WriterTrace> driver) throws IOException {
        WriterTrace trace = driver.apply(new WriterTraceFile(directory.resolve("traces"), "ns1-"));
        PoolWriter writer = PoolWriter.connect(
                WriterMachine.withTrace(trace),
                transport,
                Hello.of(JOURNAL, NAMESPACE, Hello.CallerRole.WRITER, "test", Optional.empty()),
                Optional.of(nodes.get(0).replica(JOURNAL)),
                (from, request) -> Collections.emptyList(),
                worker,
                WriterSettings.builder()
                        .writer(WriterId.of("writer"))
                        .namespace(NAMESPACE)
                        .addresses(List.of(local, remote))
                        .localNode(local)
                        .build());
        writer.begin();
        writer.trackExclusivity();
        writer.appendAhead(EntryKind.SEGMENT_START, TxRange.emptyRangeAt(1), Bytes.ofUtf8("-67"));
        for (int txId = 1; txId <= ENTRIES; txId++) {
            writer.append(EntryKind.EDITS, TxRange.of(txId, txId), Bytes.ofUtf8("payload of " + txId));
        }
        await().atMost(Duration.ofSeconds(20)).until(() -> writer.wasSoleWriterAt(System.nanoTime()));
        writer.appendAhead(EntryKind.SEGMENT_END, TxRange.of(1, ENTRIES), Bytes.EMPTY);
        assertThat(writer.awaitAllCommitted(Duration.ofSeconds(20))).isTrue();
        assertThat(writer.term().leaseRemaining()).isPositive();
        writer.close();
        await().atMost(Duration.ofSeconds(20)).until(this::isEnded);
        return trace();
    }

    private Path trace() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("traces"))) {
            return files.findFirst().orElseThrow();
        }
    }

    private boolean isEnded() throws IOException {
        try (TracedGroups groups = TracedGroups.open(trace())) {
            for (Optional<byte[]> group = groups.next(); group.isPresent(); group = groups.next()) {
                if (group.get()[0] == WriterRecord.CLOSED.code()) {
                    return true;
                }
            }
        }
        return false;
    }

    @Test
    void driverPerformsEffectsOfRules() throws Exception {
        assertThat(WriterTraceReader.replay(recordTrace(trace -> trace))).isGreaterThan(2 * ENTRIES);
    }

    @Test
    void traceOmitsEdits() throws Exception {
        assertThat(Files.readString(recordTrace(trace -> trace), StandardCharsets.ISO_8859_1))
                .doesNotContain("payload of");
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource({
        "late, recordSent, has never sent",
        "twice, recordSent, sends to",
        "never, recordSent, sent to",
        "late, recordCommitted, the rules want: commit",
        "twice, recordCommitted, the rules want",
        "never, recordCommitted, the rules want: commit",
        "late, recordAcknowledged, has not done before",
        "twice, recordAcknowledged, the rules want",
        "never, recordAcknowledged, has not done before",
        "late, recordReady, the rules want: ready",
        "early, recordReturned, returns from entry",
        "early, recordAllCommitted, is committed",
        "longer, recordReportedLease, tells of a lease",
        "longer, recordReportedSoleWriter, says it was alone",
    })
    void detectsWrongDriver(String alteration, String action, String fault) throws Exception {
        Path file = recordTrace(trace -> WrongDriver.of(WriterTrace.class, trace, alteration, action));

        assertThatThrownBy(() -> WriterTraceReader.replay(file))
                .isInstanceOf(DriverFault.class)
                .hasMessageContaining(fault);
    }
}

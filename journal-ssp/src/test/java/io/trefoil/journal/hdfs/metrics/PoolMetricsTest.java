/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trefoil.foundation.TestPorts;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.StorageRecord;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.pool.Journal;
import io.trefoil.journal.pool.PoolProcess;
import io.trefoil.journal.pool.PoolSettings;
import io.trefoil.journal.pool.server.NodeSettings;
import io.trefoil.journal.pool.writer.JournalWriter;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.StreamSupport;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.impl.MetricsRecordImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The metrics of a pool of one node and its writer, as Hadoop collects them. */
class PoolMetricsTest {

    @TempDir
    Path directory;

    private NodeAddress address;
    private JournalWriter writer;

    @BeforeEach
    void writeEdits() throws IOException {
        address = NodeAddress.of("127.0.0.1", TestPorts.free());
        PoolMetrics.install();
        Journal journal = PoolProcess.journal(PoolSettings.builder()
                .journal(JournalId.of("ns1"))
                .addresses(List.of(address))
                .node(NodeSettings.builder()
                        .address(address)
                        .bindHost("127.0.0.1")
                        .directory(directory)
                        .build())
                .minReplicas(1)
                .build());
        journal.format(NamespaceId.of("CID-1", 1), StorageRecord.Version.of(-67, 0), false);
        writer = journal.openWriter(1);
        writer.append(EntryKind.SEGMENT_START, TxRange.emptyRangeAt(1), Bytes.ofUtf8("-67"));
        for (long txId = 1; txId <= 10; txId++) {
            writer.append(EntryKind.EDITS, TxRange.of(txId, txId), Bytes.wrap(new byte[100]));
        }
    }

    @AfterEach
    void stop() throws IOException {
        PoolProcess.closeAll();
    }

    @Test
    void replicaReportsDiskAndProgress() {
        Map<String, Number> replica = collect("SspReplica-ns1").get(0);

        long last = writer.end().position().sn();
        assertThat(replica.get("LastSn")).isEqualTo(last);
        assertThat(replica.get("FirstSn")).isEqualTo(1L);
        assertThat(replica.get("LastTxId")).isEqualTo(10L);
        assertThat(replica.get("PromisedEpoch")).isEqualTo(writer.epoch().number());
        assertThat(replica.get("EntriesWritten").longValue()).isGreaterThanOrEqualTo(11);
        assertThat(replica.get("BytesWritten").longValue()).isGreaterThanOrEqualTo(1000);
        assertThat(replica.get("WriterSilentMillis").longValue()).isBetween(0L, 60_000L);
        assertThat(replica.get("DiskSilentMillis").longValue()).isBetween(0L, 60_000L);
        assertThat(replica.get("Failed")).isEqualTo(0);
        assertThat(replica.get("Refetching")).isEqualTo(0);
        assertThat(replica.get("Formatted")).isEqualTo(1);
        assertThat(replica).containsKeys("Syncs60sNumOps", "Syncs3600s99thPercentileLatencyMicros");
        await().untilAsserted(() -> assertThat(collect("SspReplica-ns1").get(0))
                .containsEntry("CommittedSn", last)
                .containsEntry("CommittedTxId", 10L));
    }

    @Test
    void writerReportsTermAndEveryNode() {
        List<Map<String, Number>> records = collect("SspWriter-ns1");
        Map<String, Number> own = records.get(0);

        assertThat(own.get("Epoch")).isEqualTo(writer.epoch().number());
        assertThat(own.get("Writing")).isEqualTo(1);
        assertThat(own.get("UncommittedEntries")).isEqualTo(0L);
        assertThat(own.get("BatchBytesNumOps")).isEqualTo(11L);
        assertThat(own.get("MemoryEntries").longValue()).isGreaterThanOrEqualTo(11);
        assertThat(own.get("MemoryBytes").longValue()).isGreaterThanOrEqualTo(1000);
        assertThat(own.get("Voters")).isEqualTo(1);
        assertThat(own).containsKeys("Commits60sNumOps", "Commits300s50thPercentileLatencyMicros");
        assertThat(records).hasSize(2);
        // The heartbeats go on, and so there may be one under way, or late.
        await().untilAsserted(() -> {
            List<Map<String, Number>> now = collect("SspWriter-ns1");
            assertThat(now.get(0).get("LeaseRemainingMillis").longValue()).isPositive();
            assertThat(now.get(0))
                    .containsEntry("QueuedRequests", 0)
                    .containsEntry("InSyncVoters", 1)
                    .containsEntry("LaggingNodes", 0);
            assertThat(now.get(1))
                    .containsEntry("Up", 1)
                    .containsEntry("Voter", 1)
                    .containsEntry("InSync", 1)
                    .containsEntry("UnacknowledgedEntries", 0L)
                    .containsEntry("LagEntries", 0L)
                    .containsEntry("LagBytes", 0L)
                    .containsEntry("LagMillis", 0L);
        });
    }

    @Test
    void tailReportsLag() {
        TailLagMeter lag = startTail();
        lag.startFollowing(10);
        lag.recordCommitted(12, System.nanoTime() - 5_000_000_000L);

        assertThat(collect("SspTail-ns1").get(0).get("LagMillis").longValue()).isBetween(5_000L, 60_000L);

        lag.recordApplied(12, System.nanoTime(), nanos -> {});
        assertThat(collect("SspTail-ns1").get(0))
                .containsEntry("LagMillis", 0L)
                .containsKeys("Lags60sNumOps", "Lags60s99thPercentileLatencyMicros");
    }

    private static TailLagMeter startTail() {
        TailLagMeter lag = new TailLagMeter();
        PoolMetrics.register("SspTail-ns1", "", new TailMetrics(JournalId.of("ns1"), lag));
        return lag;
    }

    @Test
    void endedTermReportsNeitherWritingNorNodes() throws IOException {
        writer.close();

        List<Map<String, Number>> records = collect("SspWriter-ns1");
        assertThat(records).hasSize(1);
        assertThat(records.get(0))
                .containsEntry("Writing", 0)
                .containsEntry("UncommittedEntries", 0L)
                .containsEntry("LeaseRemainingMillis", -1L);
    }

    @Test
    void nodeCountsRejections() throws IOException {
        long before = collect("SspNode").get(0).get("RefusedGiantFrame").longValue();
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(address.host(), address.port()));
            socket.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            await().untilAsserted(() -> assertThat(collect("SspNode").get(0).get("RefusedGiantFrame"))
                    .isEqualTo(before + 1));
        }
        assertThat(collect("SspNode").get(0)).containsKey("Connections").doesNotContainKey("CertificateDaysLeft");
    }

    @Test
    void nodeReportsVolumeSpace() throws IOException {
        Map<String, Number> node = collect("SspNode").get(0);

        assertThat(node.get("DiskBytes"))
                .isEqualTo(Files.getFileStore(directory).getTotalSpace());
        assertThat(node.get("DiskFreeBytes").longValue())
                .isBetween(1L, node.get("DiskBytes").longValue());
    }

    /** Operators build their screens from the page. */
    @Test
    void operatorPageListsEveryMetric() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "operating", "metrics.md"));
        startTail();
        for (String source : List.of("SspReplica-ns1", "SspWriter-ns1", "SspTail-ns1")) {
            for (Map<String, Number> record : collect(source)) {
                assertThat(record.keySet()).allSatisfy(name -> assertThat(page).contains(onPage(name)));
            }
        }
    }

    private static String onPage(String name) {
        int window = name.indexOf("60s") >= 0 ? name.indexOf("60s") : name.indexOf("300s");
        int end = window >= 0 ? window : name.indexOf("3600s");
        return end >= 0 ? name.substring(0, end) + "60s…" : "`" + name + "`";
    }

    private static List<Map<String, Number>> collect(String name) {
        MetricsSource source = DefaultMetricsSystem.instance().getSource(name);
        assertThat(source).as(name).isNotNull();
        MetricsCollectorImpl collector = new MetricsCollectorImpl();
        source.getMetrics(collector, true);
        List<Map<String, Number>> records = new ArrayList<>();
        for (MetricsRecordImpl record : collector.getRecords()) {
            Map<String, Number> values = new TreeMap<>();
            StreamSupport.stream(record.metrics().spliterator(), false)
                    .forEach((AbstractMetric metric) -> values.put(metric.name(), metric.value()));
            records.add(values);
        }
        return records;
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.metrics;

import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.pool.replica.JournalObserver;
import io.trefoil.journal.pool.writer.WriterStatus;
import io.trefoil.journal.writer.events.NodeProgress;
import io.trefoil.journal.writer.events.WriterStage;
import java.time.Duration;
import java.util.function.Supplier;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.Interns;
import org.apache.hadoop.metrics2.lib.MetricsRegistry;
import org.apache.hadoop.metrics2.lib.MutableStat;

/**
 * The writer of one journal: its commits, and how far each node of the pool is behind it.
 *
 * <p>Uses {@code MetricsSource}, {@code MetricsRegistry}, {@code MutableStat} and what a source is asked with.
 */
final class WriterMetrics implements MetricsSource, JournalObserver {

    static final String NAME = "SspWriter";

    private final MetricsRegistry registry = new MetricsRegistry(NAME).setContext("dfs");
    private final JournalId journal;
    private final Supplier<WriterStatus> status;
    private final Latencies commits;
    private final MutableStat batchBytes;

    WriterMetrics(JournalId journal, Supplier<WriterStatus> status) {
        this.journal = journal;
        this.status = status;
        registry.tag("Journal", "The journal", journal.text());
        commits = new Latencies(registry, "commits", "Time from flush to majority");
        batchBytes = registry.newStat("BatchBytes", "Payload of a batch", "Ops", "Bytes");
    }

    @Override
    public void onCommitted(long nanos, long payloadBytes) {
        commits.add(nanos);
        batchBytes.add(payloadBytes);
    }

    @Override
    public void getMetrics(MetricsCollector collector, boolean all) {
        WriterStatus now = status.get();
        int voters = 0;
        int inSync = 0;
        int lagging = 0;
        for (WriterStatus.NodeLag node : now.nodes()) {
            NodeProgress progress = node.progress();
            voters += progress.voter() ? 1 : 0;
            inSync += progress.voter() && progress.inSync() ? 1 : 0;
            lagging += progress.inSync() ? 0 : 1;
        }
        boolean isOver = now.stage() == WriterStage.FENCED || now.stage() == WriterStage.STEPPED_DOWN;
        MetricsRecordBuilder record = collector.addRecord(registry.info());
        registry.snapshot(record, all);
        record.addGauge(Interns.info("Epoch", "Epoch of its term"), now.epoch().number())
                .addGauge(
                        Interns.info("Writing", "1 if it is ready for batches"),
                        now.stage() == WriterStage.WRITING ? 1 : 0)
                .addGauge(Interns.info("LastSn", "Newest entry"), now.lastSn())
                .addGauge(Interns.info("CommittedSn", "Newest entry committed"), now.committedSn())
                .addGauge(
                        Interns.info("UncommittedEntries", "Entries that no majority has acknowledged yet"),
                        isOver ? 0L : now.lastSn() - now.committedSn())
                .addGauge(
                        Interns.info("QueuedRequests", "Requests that wait inside this process"),
                        now.queues().requests())
                .addGauge(
                        Interns.info("MemoryEntries", "Entries kept in memory for nodes that lack them"),
                        now.queues().memoryEntries())
                .addGauge(
                        Interns.info("MemoryBytes", "Payload kept in memory for nodes that lack it"),
                        now.queues().memoryBytes())
                .addGauge(
                        Interns.info("LeaseRemainingMillis", "How long no other can take over; -1 without a lease"),
                        now.leaseRemaining().map(Duration::toMillis).orElse(-1L))
                .addCounter(
                        Interns.info(
                                "WaitedForReadersMillis",
                                "How long commits waited for nodes that observers read beside, in this term"),
                        now.readerWaitTime().toMillis())
                .addGauge(Interns.info("Voters", "Members that vote"), voters)
                .addGauge(Interns.info("InSyncVoters", "Voters that are in sync"), inSync)
                .addGauge(Interns.info("LaggingNodes", "Nodes that are not in sync"), lagging);
        // It learns nothing more of nodes after its term, which an alert would take for the present.
        if (!isOver) {
            now.nodes().forEach(node -> addNode(collector, node));
        }
    }

    private void addNode(MetricsCollector collector, WriterStatus.NodeLag node) {
        NodeProgress progress = node.progress();
        collector
                .addRecord(NAME + "Node")
                .setContext("dfs")
                .tag(Interns.info("Journal", "The journal"), journal.text())
                .tag(
                        Interns.info("PoolNode", "Address of the node"),
                        progress.address().toString())
                .addGauge(Interns.info("Up", "1 if there is a session with it"), progress.connected() ? 1 : 0)
                .addGauge(Interns.info("Voter", "1 if it votes"), progress.voter() ? 1 : 0)
                .addGauge(Interns.info("InSync", "1 if it is sent every entry at once"), progress.inSync() ? 1 : 0)
                .addGauge(
                        Interns.info(
                                "UnacknowledgedEntries", "Entries sent as they were written, and not acknowledged"),
                        progress.inFlightCount())
                .addCounter(
                        Interns.info(
                                "Timeouts",
                                "How often it did not acknowledge in time and was dropped from the in-sync set"),
                        progress.timeoutCount())
                .addGauge(
                        Interns.info(
                                "SlowReader", "1 if observers get no read lease beside it, as commits waited for it"),
                        progress.slowReader() ? 1 : 0)
                .addGauge(
                        Interns.info("NewerIncarnation", "1 if it holds a journal that was initialized again"),
                        progress.newerIncarnation() ? 1 : 0)
                .addGauge(Interns.info("LagEntries", "Entries that it lacks"), node.lagEntries())
                .addGauge(Interns.info("LagBytes", "Payload that it lacks"), node.lagBytes())
                .addGauge(
                        Interns.info("LagMillis", "Age of the oldest entry that it lacks"),
                        node.lagTime().toMillis());
    }
}

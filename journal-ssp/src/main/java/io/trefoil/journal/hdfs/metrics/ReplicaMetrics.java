/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.metrics;

import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.replica.JournalObserver;
import io.trefoil.journal.pool.replica.ReplicaStatus;
import java.time.Duration;
import java.util.function.Supplier;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.Interns;
import org.apache.hadoop.metrics2.lib.MetricsRegistry;
import org.apache.hadoop.metrics2.lib.MutableCounterLong;

/**
 * A node's replica of one journal: its disk, and its progress.
 *
 * <p>Uses {@code MetricsSource}, {@code MetricsRegistry}, {@code MutableCounterLong} and what a source is asked with.
 */
final class ReplicaMetrics implements MetricsSource, JournalObserver {

    static final String NAME = "SspReplica";

    private final MetricsRegistry registry = new MetricsRegistry(NAME).setContext("dfs");
    private final Supplier<ReplicaStatus> status;
    private final Latencies syncs;
    private final MutableCounterLong entriesWritten;
    private final MutableCounterLong bytesWritten;

    ReplicaMetrics(NodeAddress node, JournalId journal, Supplier<ReplicaStatus> status) {
        this.status = status;
        registry.tag("PoolNode", "Address of the node", node.toString());
        registry.tag("Journal", "The journal", journal.text());
        syncs = new Latencies(registry, "syncs", "Time to make a group of entries durable");
        entriesWritten = registry.newCounter("EntriesWritten", "Entries made durable", 0L);
        bytesWritten = registry.newCounter("BytesWritten", "Payload bytes made durable", 0L);
    }

    @Override
    public void onSynced(long nanos, long entryCount, long payloadBytes) {
        syncs.add(nanos);
        entriesWritten.incr(entryCount);
        bytesWritten.incr(payloadBytes);
    }

    @Override
    public void getMetrics(MetricsCollector collector, boolean all) {
        ReplicaStatus now = status.get();
        MetricsRecordBuilder record = collector.addRecord(registry.info());
        registry.snapshot(record, all);
        record.addGauge(
                        Interns.info("PromisedEpoch", "Highest epoch promised"),
                        now.promisedEpoch().number())
                .addGauge(Interns.info("FirstSn", "Oldest entry kept"), now.firstSn())
                .addGauge(Interns.info("LastSn", "Newest entry"), now.lastSn())
                .addGauge(Interns.info("CommittedSn", "Newest entry known to be committed"), now.committedSn())
                .addGauge(Interns.info("LastTxId", "Highest transaction written"), now.lastTxId())
                .addGauge(
                        Interns.info("CommittedTxId", "Highest transaction known to be committed"), now.committedTxId())
                .addGauge(
                        Interns.info("WriterSilentMillis", "Time since a writer was last heard; -1 if never"),
                        now.timeSinceWriterContact().map(Duration::toMillis).orElse(-1L))
                .addGauge(
                        Interns.info(
                                "DiskSilentMillis",
                                "How long its disk has left a request unanswered; 0 if " + "none is pending"),
                        now.diskStallTime().toMillis())
                .addGauge(
                        Interns.info("Refetching", "1 while it refetches after damage"),
                        now.completeness() == LogCompleteness.REFETCHING ? 1 : 0)
                .addGauge(
                        Interns.info("Failed", "1 while it can do nothing"),
                        now.failureReason().isEmpty() ? 0 : 1)
                .addGauge(Interns.info("Formatted", "1 if it has storage"), now.formatted() ? 1 : 0);
    }
}

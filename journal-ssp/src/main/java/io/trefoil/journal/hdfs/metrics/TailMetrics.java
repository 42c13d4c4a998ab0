/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.metrics;

import io.trefoil.journal.model.JournalId;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.Interns;
import org.apache.hadoop.metrics2.lib.MetricsRegistry;

/**
 * Measures how far a following NameNode is behind the last committed transaction.
 *
 * <p>Uses {@code MetricsSource}, {@code MetricsRegistry} and what a source is asked with.
 */
public final class TailMetrics implements MetricsSource {

    public static final String NAME = "SspTail";

    private final MetricsRegistry registry = new MetricsRegistry(NAME).setContext("dfs");
    private final TailLagMeter lag;
    private final Latencies lags;

    public TailMetrics(JournalId journal, TailLagMeter lag) {
        this.lag = lag;
        registry.tag("Journal", "The journal", journal.text());
        lags = new Latencies(registry, "lags", "Time from hearing of a commit until it is applied");
    }

    public void recordApplied(long nanos) {
        lags.add(nanos);
    }

    @Override
    public void getMetrics(MetricsCollector collector, boolean all) {
        MetricsRecordBuilder record = collector.addRecord(registry.info());
        registry.snapshot(record, all);
        record.addGauge(
                Interns.info("LagMillis", "How long ago it heard of the oldest commit that is not applied"),
                lag.nanosBehind(System.nanoTime()) / 1_000_000L);
    }
}

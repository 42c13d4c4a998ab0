/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.calls;

import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.lib.Interns;

/**
 * An observer's reads under leases, as a source of Hadoop's metrics ({@code docs/operating/metrics.md}).
 *
 * <p>Uses {@code MetricsSource}, what a source is asked with, and {@code DefaultMetricsSystem}, to which the NameNode
 * gives its name.
 */
public final class LeasedReadsMetrics implements MetricsSource {
    private static final String NAME = "NearReads";

    private final LeasedReads reads;

    private LeasedReadsMetrics(LeasedReads reads) {
        this.reads = reads;
    }

    public static void register(LeasedReads reads) {
        MetricsSystem system = DefaultMetricsSystem.instance();
        // In tests, the source of an earlier NameNode.
        system.unregisterSource(NAME);
        system.register(
                NAME, "Reads that an observer answers without asking the active", new LeasedReadsMetrics(reads));
    }

    @Override
    public void getMetrics(MetricsCollector collector, boolean all) {
        collector
                .addRecord(NAME)
                .setContext("dfs")
                .addGauge(
                        Interns.info("Leased", "1 while this NameNode may answer reads without asking the active"),
                        reads.isLeased() ? 1 : 0)
                .addCounter(Interns.info("Answered", "Calls that it answered so"), reads.answeredCount())
                .addCounter(Interns.info("Refused", "Calls that it sent to the active"), reads.refusedCount())
                .addCounter(
                        Interns.info("WaitedMillis", "How long calls have waited to be up to date, all together"),
                        reads.waitedNanos() / 1_000_000L);
    }
}

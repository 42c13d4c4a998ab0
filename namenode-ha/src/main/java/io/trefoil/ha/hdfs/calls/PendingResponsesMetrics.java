/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.calls;

import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.lib.Interns;

/**
 * The answers that are held back, as a source of Hadoop's metrics ({@code docs/operating/metrics.md}).
 *
 * <p>Uses {@code MetricsSource}, what a source is asked with, and {@code DefaultMetricsSystem}, to which the NameNode
 * gives its name.
 */
final class PendingResponsesMetrics implements MetricsSource {
    private static final String NAME = "HeldAnswers";

    private final PendingResponses pendingResponses;

    private PendingResponsesMetrics(PendingResponses pendingResponses) {
        this.pendingResponses = pendingResponses;
    }

    static void register(PendingResponses pendingResponses) {
        MetricsSystem system = DefaultMetricsSystem.instance();
        // In tests, the source of an earlier NameNode.
        system.unregisterSource(NAME);
        system.register(
                NAME,
                "Answers that wait until a majority has what they reveal",
                new PendingResponsesMetrics(pendingResponses));
    }

    @Override
    public void getMetrics(MetricsCollector collector, boolean all) {
        collector
                .addRecord(NAME)
                .setContext("dfs")
                .addGauge(Interns.info("Answers", "Answers that wait or are being sent"), pendingResponses.calls())
                .addGauge(
                        Interns.info("Bytes", "Size of the answers that wait or are being sent"),
                        pendingResponses.bytes())
                .addGauge(
                        Interns.info("OldestMillis", "Age of the oldest answer that waits; 0 if none waits"),
                        pendingResponses.oldestNanos() / 1_000_000L);
    }
}

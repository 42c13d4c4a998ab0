/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.forward;

import io.trefoil.ha.hdfs.forward.ForwardedCounts.Metric;
import io.trefoil.ha.hdfs.forward.ForwardedCounts.Outcome;
import io.trefoil.ha.hdfs.forward.ForwardedCounts.Refusal;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.lib.Interns;

/**
 * The calls that this NameNode forwards to the active, as a source of Hadoop's metrics ({@code
 * docs/operating/metrics.md}).
 *
 * <p>Uses {@code MetricsSource}, what a source is asked with, and {@code DefaultMetricsSystem}, to which the NameNode
 * gives its name.
 */
public final class ForwardedCallsMetrics implements MetricsSource {
    static final String NAME = "ForwardedCalls";

    private final CallsToActive calls;

    ForwardedCallsMetrics(CallsToActive calls) {
        this.calls = calls;
    }

    public static void register(CallsToActive calls) {
        MetricsSystem system = DefaultMetricsSystem.instance();
        // In tests, the source of an earlier NameNode.
        system.unregisterSource(NAME);
        system.register(
                NAME, "Clients' calls that this NameNode forwards to the active", new ForwardedCallsMetrics(calls));
    }

    @Override
    public void getMetrics(MetricsCollector collector, boolean all) {
        ForwardedCounts counts = calls.counts();
        MetricsRecordBuilder record = collector
                .addRecord(NAME)
                .setContext("dfs")
                .addGauge(Interns.info("Waiting", "Forwarded calls whose clients wait"), calls.calls())
                .addGauge(
                        Interns.info("AnswerBytes", "Size of the answers that wait until they are applied here"),
                        calls.answerBytes())
                .addCounter(Interns.info("Forwarded", "Calls that it forwarded"), counts.forwarded());
        for (Outcome each : Outcome.values()) {
            add(record, each.metric(), counts.with(each));
        }
        for (Refusal each : Refusal.values()) {
            add(record, each.metric(), counts.with(each));
        }
    }

    private static void add(MetricsRecordBuilder record, Metric metric, long count) {
        record.addCounter(Interns.info(metric.name(), metric.meaning()), count);
    }
}

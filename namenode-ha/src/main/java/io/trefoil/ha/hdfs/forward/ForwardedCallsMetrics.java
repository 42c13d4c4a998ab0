/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.forward;

import io.trefoil.ha.hdfs.forward.ForwardingCounters.Metric;
import io.trefoil.ha.hdfs.forward.ForwardingCounters.Outcome;
import io.trefoil.ha.hdfs.forward.ForwardingCounters.Refusal;
import io.trefoil.ha.hdfs.forward.SerializedResponse.Kind;
import java.util.Optional;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.lib.Interns;

/**
 * The calls that this NameNode forwards to the active, and those that it receives from others as the active, as a source of
 * Hadoop's metrics ({@code docs/operating/metrics.md}).
 *
 * <p>Uses {@code MetricsSource}, what a source is asked with, and {@code DefaultMetricsSystem}, to which the NameNode
 * gives its name.
 */
public final class ForwardedCallsMetrics implements MetricsSource {
    static final String NAME = "ForwardedCalls";

    private final CallForwarder calls;
    private final Optional<ForwardedCallExecutor> executor;

    ForwardedCallsMetrics(CallForwarder calls, Optional<ForwardedCallExecutor> executor) {
        this.calls = calls;
        this.executor = executor;
    }

    /** @param executor empty if no NameNode can forward calls to this one */
    public static void register(CallForwarder calls, Optional<ForwardedCallExecutor> executor) {
        MetricsSystem system = DefaultMetricsSystem.instance();
        // In tests, the source of an earlier NameNode.
        system.unregisterSource(NAME);
        system.register(
                NAME,
                "Clients' calls that this NameNode forwards to the active, or takes from others as the active",
                new ForwardedCallsMetrics(calls, executor));
    }

    @Override
    public void getMetrics(MetricsCollector collector, boolean all) {
        ForwardingCounters counts = calls.counts();
        MetricsRecordBuilder record = collector
                .addRecord(NAME)
                .setContext("dfs")
                .addGauge(Interns.info("Waiting", "Forwarded calls whose clients wait"), calls.calls())
                .addGauge(
                        Interns.info("AnswerBytes", "Size of the answers that wait until they are applied here"),
                        calls.answerBytes())
                .addCounter(Interns.info("Forwarded", "Calls that it forwarded"), counts.forwardedCount())
                .addCounter(
                        Interns.info(
                                "SentAgain", "How often it sent a call again, as it was not executed, or perhaps not"),
                        counts.resentCount());
        for (Outcome each : Outcome.values()) {
            add(record, each.metric(), counts.count(each));
        }
        for (Refusal each : Refusal.values()) {
            add(record, each.metric(), counts.count(each));
        }
        executor.ifPresent(others -> addAcceptedCallMetrics(record, others));
    }

    private static void addAcceptedCallMetrics(MetricsRecordBuilder record, ForwardedCallExecutor executor) {
        record.addGauge(
                        Interns.info("TakenWaiting", "Calls of other NameNodes that are executed, or wait for it"),
                        executor.calls())
                .addCounter(
                        Interns.info("Taken", "Calls that other NameNodes forwarded to this one"),
                        executor.receivedCount())
                .addCounter(
                        Interns.info("TakenAnswered", "Calls of other NameNodes that were executed, and answered"),
                        executor.endedCount(Kind.RETURNED))
                .addCounter(
                        Interns.info("TakenRefused", "Calls of other NameNodes that HDFS refused"),
                        executor.endedCount(Kind.THREW))
                .addCounter(
                        Interns.info("TakenNotExecuted", "Calls of other NameNodes that were not executed"),
                        executor.endedCount(Kind.NOT_EXECUTED) + executor.endedCount(Kind.NOT_ACTIVE))
                .addCounter(
                        Interns.info("TakenBrokenOff", "Calls of other NameNodes that got no answer"),
                        executor.endedCount(Kind.BROKE_OFF));
    }

    private static void add(MetricsRecordBuilder record, Metric metric, long count) {
        record.addCounter(Interns.info(metric.name(), metric.description()), count);
    }
}

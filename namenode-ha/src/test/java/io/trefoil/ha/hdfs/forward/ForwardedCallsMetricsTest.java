/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.forward;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.ha.hdfs.forward.ForwardingCounters.Outcome;
import io.trefoil.ha.hdfs.forward.ForwardingCounters.Refusal;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the metrics system gets of forwarded calls. */
class ForwardedCallsMetricsTest {
    private final CallForwarder calls = new CallForwarder(Optional::empty, () -> false, () -> 0, 1);

    @AfterEach
    void close() {
        calls.close();
    }

    @Test
    void eachOutcomeAndRefusalHasOwnMetric() {
        assertThat(counters())
                .hasSize(4 + Outcome.values().length + Refusal.values().length)
                .containsKeys(
                        "Waiting",
                        "AnswerBytes",
                        "Forwarded",
                        "SentAgain",
                        "Answered",
                        "HandedBackUnknown",
                        "RefusedNoRoom")
                .allSatisfy((name, number) -> assertThat(number).as(name).isZero());

        long count = 0;
        for (Outcome each : Outcome.values()) {
            assertThat(counters()).containsEntry(each.metric().name(), 0L);
            calls.counts().recordBegin();
            calls.counts().recordEnd(each);
            count++;
            assertThat(counters()).containsEntry(each.metric().name(), 1L).containsEntry("Forwarded", count);
        }
        for (Refusal each : Refusal.values()) {
            assertThat(counters()).containsEntry(each.metric().name(), 0L);
            calls.counts().recordRefusal(each);
            assertThat(counters()).containsEntry(each.metric().name(), 1L).containsEntry("Forwarded", count);
        }
    }

    private Map<String, Long> counters() {
        MetricsCollectorImpl collector = new MetricsCollectorImpl();
        new ForwardedCallsMetrics(calls, Optional.empty()).getMetrics(collector, true);
        MetricsRecord record = collector.getRecords().get(0);
        assertThat(record.name()).isEqualTo("ForwardedCalls");
        Map<String, Long> numbers = new TreeMap<>();
        for (AbstractMetric metric : record.metrics()) {
            numbers.put(metric.name(), metric.value().longValue());
        }
        return numbers;
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.ha.agent.Agent;
import io.trefoil.ha.agent.AgentState;
import io.trefoil.ha.agent.events.AgentEvent;
import io.trefoil.ha.agent.events.AgentSettings;
import io.trefoil.ha.agent.events.LocalObservation;
import io.trefoil.ha.model.Ballot;
import io.trefoil.ha.model.HaRole;
import io.trefoil.ha.model.MemberAddresses;
import io.trefoil.ha.model.StandingOrders;
import io.trefoil.ha.model.View;
import io.trefoil.ha.model.ZkSession;
import io.trefoil.ha.zk.HistoryRecord;
import io.trefoil.journal.model.Epoch;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.MetricsTag;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.junit.jupiter.api.Test;

/** What the metrics system gets of a member. */
class MemberMetricsTest {
    private static final String HISTORY =
            """
            [{"ballot":1,"from":"","to":"nn2","cause":"no NameNode is active","epoch":5,"detectedAt":500,"lockedAfterMs":3,
            "promisedAfterMs":9,"activatedAfterMs":80,"announcedAfterMs":82},
            {"ballot":2,"from":"nn2","to":"nn1","cause":"the \\"lease\\" of\\nnn2 \\\\ is over","epoch":7,"detectedAt":1000,
            "lockedAfterMs":4,"promisedAfterMs":11,"activatedAfterMs":101,"announcedAfterMs":104}]
            """;

    private AgentState state = AgentState.begin(
            AgentSettings.builder()
                    .name("nn1")
                    .addresses(MemberAddresses.of("h:1", "h:2", "h:3"))
                    .instance("one")
                    .build(),
            0);
    private String history = "[]";
    private WarmUpState warmUp = WarmUpState.PENDING;
    private boolean quotaCountsKept;

    private final MemberMetrics metrics = new MemberMetrics(
            "ns1",
            "nn1",
            new MemberMetrics.Member() {
                @Override
                public AgentState state() {
                    return state;
                }

                @Override
                public long takeovers() {
                    return 3;
                }

                @Override
                public List<HistoryRecord> failovers() {
                    try {
                        return HistoryRecord.parseList(history);
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                }

                @Override
                public WarmUpState warmUp() {
                    return warmUp;
                }

                @Override
                public boolean keepsQuotaCounts() {
                    return quotaCountsKept;
                }
            },
            77);

    private void handle(AgentEvent event) {
        state = Agent.step(state, event, 1).next();
    }

    private void observe(LocalObservation.Builder observation) {
        handle(AgentEvent.observed(observation.build(), 1));
    }

    private static LocalObservation.Builder standbyObservation() {
        return LocalObservation.builder().role(HaRole.STANDBY).appliedTxId(42);
    }

    @Test
    void reportsNoStateBeforeFirstObservation() {
        assertThat(List.of(gauge("Active"), gauge("Standby"), gauge("Junior"), gauge("ZooKeeperReachable")))
                .containsOnly(0L);
        assertThat(gauge("LeaseRemainingMillis")).isEqualTo(-1);
        assertThat(gauge("Takeovers")).isEqualTo(3);
    }

    @Test
    void reportsStandbyState() {
        handle(AgentEvent.viewChanged(View.of(ZkSession.of(1), Ballot.of(6), Optional.empty(), List.of())));
        observe(standbyObservation());

        assertThat(gauge("Standby")).isEqualTo(1);
        assertThat(gauge("Active")).isZero();
        assertThat(gauge("Healthy")).isEqualTo(1);
        assertThat(gauge("ZooKeeperReachable")).isEqualTo(1);
        assertThat(gauge("Ballot")).isEqualTo(6);
        assertThat(gauge("AppliedTxId")).isEqualTo(42);
        assertThat(gauge("ChangingRole")).isZero();
    }

    @Test
    void reportsLossOfZooKeeper() {
        handle(AgentEvent.viewChanged(View.of(ZkSession.of(1), Ballot.of(6), Optional.empty(), List.of())));
        handle(AgentEvent.disconnected());

        assertThat(gauge("ZooKeeperReachable")).isZero();
    }

    @Test
    void reportsRemainingWriterLease() {
        observe(standbyObservation()
                .localLease(Optional.of(LocalObservation.LocalLease.of(Epoch.of(7), false, false, 1_234_000_000L))));

        assertThat(gauge("LeaseRemainingMillis")).isEqualTo(1_234);
    }

    @Test
    void countsWaitingCalls() {
        metrics.calls().recordWaitBegin();
        metrics.calls().recordWaitBegin();
        metrics.calls().recordWaitEnd(1_000);
        metrics.calls().recordRejected();

        assertThat(gauge("HeldCalls")).isEqualTo(1);
        assertThat(gauge("CallsTurnedAway")).isEqualTo(1);
    }

    @Test
    void reportsWarmUp() {
        assertThat(gauge("WarmedUp")).isZero();

        warmUp = WarmUpState.DONE;
        assertThat(gauge("WarmedUp")).isEqualTo(1);

        warmUp = WarmUpState.FAILED;
        assertThat(gauge("WarmedUp")).isZero();
        assertThat(gauge("WarmUpFailed")).isEqualTo(1);
    }

    @Test
    void reportsWhetherHdfsWouldCountQuotas() {
        assertThat(gauge("QuotaCountsKept")).isZero();

        quotaCountsKept = true;
        assertThat(gauge("QuotaCountsKept")).isEqualTo(1);
    }

    @Test
    void reportsLastFailoverAsSeparateRecord() {
        assertThat(records()).extracting(MetricsRecord::name).containsExactly(MemberMetrics.NAME);

        history = HISTORY;
        MetricsRecord last = record(MemberMetrics.FAILOVER);

        assertThat(tag(last, "From")).isEqualTo("nn2");
        assertThat(tag(last, "To")).isEqualTo("nn1");
        assertThat(gauge(last, "BeganMillis")).isEqualTo(1000);
        assertThat(gauge(last, "AnnouncedMillis")).isEqualTo(104);
    }

    @Test
    void reportsOrderWhenMemberIsDrained() {
        StandingOrders orders =
                StandingOrders.of(1, Optional.empty(), List.of(StandingOrders.Drain.of("nn1", "hdfs", 1L)));
        handle(AgentEvent.viewChanged(View.of(ZkSession.of(1), Ballot.of(6), Optional.empty(), List.of(), orders)));
        observe(standbyObservation());

        assertThat(gauge("Drained")).isEqualTo(1);
        assertThat(gauge("SettingsHash")).isEqualTo(77);
    }

    @Test
    void hashesDifferWhenGroupSettingsDiffer() {
        Map<String, String> one = Map.of("trefoil.journal.lease", "5s", "trefoil.ha.site", "east");

        assertThat(SharedSettingsHash.hash(Map.of("trefoil.journal.lease", "5s", "trefoil.ha.site.ns1.nn2", "west")))
                .isEqualTo(SharedSettingsHash.hash(one));
        assertThat(SharedSettingsHash.hash(Map.of("trefoil.journal.lease", "6s")))
                .isNotEqualTo(SharedSettingsHash.hash(one));
    }

    @Test
    void escapesFailoverCauseForPrometheus() {
        history = HISTORY;

        assertThat(tag(record(MemberMetrics.FAILOVER), "Cause")).isEqualTo("the 'lease' of nn2 / is over");
    }

    private List<? extends MetricsRecord> records() {
        MetricsCollectorImpl collector = new MetricsCollectorImpl();
        metrics.getMetrics(collector, true);
        return collector.getRecords();
    }

    private MetricsRecord record(String name) {
        return onlyMatch(records(), record -> record.name().equals(name));
    }

    private long gauge(String name) {
        return gauge(record(MemberMetrics.NAME), name);
    }

    private static long gauge(MetricsRecord record, String name) {
        for (AbstractMetric metric : record.metrics()) {
            if (metric.name().equals(name)) {
                return metric.value().longValue();
            }
        }
        throw new AssertionError("no " + name + " in " + record);
    }

    private static String tag(MetricsRecord record, String name) {
        return onlyMatch(record.tags(), (MetricsTag tag) -> tag.name().equals(name))
                .value();
    }

    private static <T> T onlyMatch(Iterable<? extends T> from, Predicate<T> predicate) {
        T found = null;
        for (T one : from) {
            if (predicate.test(one)) {
                assertThat(found).isNull();
                found = one;
            }
        }
        assertThat(found).isNotNull();
        return found;
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.metrics;

import io.trefoil.ha.agent.AgentState;
import io.trefoil.ha.agent.events.AgentStage;
import io.trefoil.ha.model.HaRole;
import io.trefoil.ha.model.MemberRecord;
import io.trefoil.ha.model.MemberState;
import io.trefoil.ha.zk.HistoryRecord;
import io.trefoil.journal.hdfs.metrics.PoolMetrics;
import io.trefoil.journal.model.Epoch;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.Interns;
import org.apache.hadoop.metrics2.lib.MetricsRegistry;

/**
 * A NameNode as a member of its group: its state and role, and the last failover of the group.
 *
 * <p>The failover is a separate record because its cause is a tag, and each new value of a tag starts new series in
 * Prometheus for all metrics of its record.
 *
 * <p>Uses {@code MetricsSource}, {@code MetricsRegistry} and what a source is asked with.
 */
public final class MemberMetrics implements MetricsSource {
    static final String NAME = "TrefoilMember";
    static final String FAILOVER = "TrefoilFailover";

    private final MetricsRegistry registry = new MetricsRegistry(NAME).setContext("dfs");
    private final CallWaitCounters calls = new CallWaitCounters(registry);
    private final Member member;
    private final long settingsHash;

    /** The member that the metrics describe. Thread-safe; waits for nothing. */
    public interface Member {
        AgentState state();

        /** Takeovers that this process completed. */
        long takeovers();

        /** The last failovers of the group, oldest first. */
        List<HistoryRecord> failovers();

        WarmUpState warmUp();

        /** Whether HDFS would find correct quota counts if this member became active now. */
        boolean keepsQuotaCounts();
    }

    /** @param settingsHash of those settings that all members should have, see {@link SharedSettingsHash} */
    public MemberMetrics(String nameservice, String nameNode, Member member, long settingsHash) {
        this.member = member;
        this.settingsHash = settingsHash;
        registry.tag("Nameservice", "The nameservice", nameservice);
        registry.tag("NameNode", "Id of the NameNode in it", nameNode);
    }

    /** Registers this source with the metrics system. */
    public void register() {
        PoolMetrics.register(NAME, "A NameNode as a member of its group", this);
    }

    /** The counters of held calls. */
    public CallWaitCounters calls() {
        return calls;
    }

    @Override
    public void getMetrics(MetricsCollector collector, boolean all) {
        MetricsRecordBuilder record = collector.addRecord(registry.info());
        registry.snapshot(record, all);
        addState(record, member.state());
        addGauge(record, "SettingsHash", "The same where settings are the same", settingsHash);
        addGauge(record, "HeldCalls", "Calls of clients that wait for the role", calls.waitingCalls());
        addGauge(
                record,
                "WarmedUp",
                "1 once its first takeover was rehearsed",
                flag(member.warmUp() == WarmUpState.DONE));
        addGauge(record, "WarmUpFailed", "1 if that failed", flag(member.warmUp() == WarmUpState.FAILED));
        addGauge(
                record,
                "QuotaCountsKept",
                "1 while HDFS need not count quotas when it becomes active",
                flag(member.keepsQuotaCounts()));
        record.addCounter(Interns.info("Takeovers", "Takeovers since startup"), member.takeovers());
        List<HistoryRecord> failovers = member.failovers();
        if (!failovers.isEmpty()) {
            addFailover(collector, failovers.get(failovers.size() - 1));
        }
    }

    private static void addState(MetricsRecordBuilder record, AgentState state) {
        Optional<MemberRecord> self = state.publishedRecord();
        for (MemberState each : MemberState.values()) {
            String word = each.name().charAt(0) + each.name().substring(1).toLowerCase(Locale.ROOT);
            boolean value = self.filter(own -> own.state() == each).isPresent();
            addGauge(record, word, "1 if that is its state", flag(value));
        }
        addGauge(
                record,
                "Observer",
                "1 if it is an observer, which answers reads",
                flag(state.observation().role() == HaRole.OBSERVER));
        addGauge(
                record,
                "Healthy",
                "1 if nothing is wrong with it",
                flag(self.filter(own -> own.reason().isEmpty()).isPresent()));
        boolean changing = state.stage() != AgentStage.FOLLOWING && state.stage() != AgentStage.SERVING;
        addGauge(record, "ChangingRole", "1 while its role changes", flag(changing));
        addGauge(
                record,
                "StateMillis",
                "How long it has been in its state",
                self.map(own -> Math.max(0, System.currentTimeMillis() - own.sinceMillis()))
                        .orElse(0L));
        addGauge(
                record,
                "AppliedTxId",
                "Last transaction that its namespace holds",
                state.observation().appliedTxId());
        addGauge(
                record,
                "LagTransactions",
                "Committed transactions that it has not applied",
                self.map(MemberRecord::lag).orElse(0L));
        addGauge(
                record,
                "LagMillis",
                "How long it has known of the oldest of them",
                state.observation().lagMillis());
        addGauge(
                record,
                "Epoch",
                "Newest epoch that its pool node promised",
                self.map(MemberRecord::epoch).orElse(Epoch.NONE).number());
        addGauge(
                record,
                "LeaseRemainingMillis",
                "How long no other can take over; -1 if it is not the writer",
                state.observation()
                        .localLease()
                        .map(own -> Math.max(0, TimeUnit.NANOSECONDS.toMillis(own.remainingNanos())))
                        .orElse(-1L));
        addGauge(
                record,
                "Drained",
                "1 if operators want it to leave the role to others",
                flag(self.filter(own -> state.view().orders().isDrained(own.name()))
                        .isPresent()));
        addGauge(
                record,
                "VersionHash",
                "The same where releases of Trefoil are the same",
                self.map(own -> SharedSettingsHash.hash(own.version())).orElse(0L));
        addGauge(record, "ZooKeeperReachable", "1 while ZooKeeper answers", flag(state.connected()));
        addGauge(
                record,
                "Ballot",
                "Number of the last election",
                state.view().ballot().number());
        addGauge(
                record, "Members", "Members in the view", state.view().members().size());
        addGauge(
                record,
                "Standbys",
                "Standbys among them",
                state.view().members().stream()
                        .filter(member -> member.state() == MemberState.STANDBY)
                        .count());
    }

    private static void addFailover(MetricsCollector collector, HistoryRecord failover) {
        MetricsRecordBuilder record = collector
                .addRecord(FAILOVER)
                .setContext("dfs")
                .tag(Interns.info("From", "The NameNode that was active before"), failover.from())
                .tag(Interns.info("To", "The NameNode that has been active since"), failover.to())
                .tag(Interns.info("Cause", "Why"), sanitize(failover.cause()));
        addGauge(
                record,
                "BeganMillis",
                "When it was noticed that there is no active, since 1970",
                failover.detectedAtMillis());
        addGauge(record, "LockedMillis", "From then until it had the lock", failover.lockedMillis());
        addGauge(record, "PromisedMillis", "Until a majority had promised its epoch", failover.promisedMillis());
        addGauge(record, "ActivatedMillis", "Until HDFS was active", failover.activatedMillis());
        addGauge(record, "AnnouncedMillis", "Until all NameNodes could see that", failover.announcedMillis());
    }

    /**
     * Removes what would break Hadoop's page for Prometheus, which writes tags without escaping: a quote or a line end
     * would spoil the whole page.
     */
    static String sanitize(String text) {
        return text.replace('"', '\'').replace('\\', '/').replaceAll("\\s+", " ");
    }

    private static int flag(boolean value) {
        return value ? 1 : 0;
    }

    private static void addGauge(MetricsRecordBuilder record, String name, String description, long value) {
        record.addGauge(Interns.info(name, description), value);
    }
}

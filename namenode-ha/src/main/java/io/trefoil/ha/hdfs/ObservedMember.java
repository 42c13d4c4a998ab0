/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs;

import io.trefoil.ha.agent.AgentState;
import io.trefoil.ha.hdfs.metrics.MemberMetrics;
import io.trefoil.ha.hdfs.metrics.WarmUpState;
import io.trefoil.ha.run.AgentRunner;
import io.trefoil.ha.zk.HistoryRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.BooleanSupplier;

/** This process's member, for its metrics. */
final class ObservedMember implements MemberMetrics.Member {
    private final AgentRunner agent;
    private final TakeoverPreparation preparation;
    private final BooleanSupplier quotaCountsKept;

    ObservedMember(AgentRunner agent, TakeoverPreparation preparation, BooleanSupplier quotaCountsKept) {
        this.agent = agent;
        this.preparation = preparation;
        this.quotaCountsKept = quotaCountsKept;
    }

    @Override
    public AgentState state() {
        return agent.state();
    }

    @Override
    public long takeovers() {
        return agent.takeovers();
    }

    @Override
    public List<HistoryRecord> failovers() {
        try {
            return HistoryRecord.parseList(agent.historyJson());
        } catch (IOException e) {
            throw new UncheckedIOException("The history that the agent shows cannot be read", e);
        }
    }

    @Override
    public WarmUpState warmUp() {
        return preparation.warmUp();
    }

    @Override
    public boolean keepsQuotaCounts() {
        return quotaCountsKept.getAsBoolean();
    }
}

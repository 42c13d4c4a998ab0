/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs;

import io.trefoil.ha.agent.AgentState;
import io.trefoil.ha.model.MemberRecord;
import io.trefoil.ha.run.AgentRunner;
import io.trefoil.ha.zk.ViewJson;
import java.util.Optional;

/** Exposes the agent's view of its group. */
final class Group implements GroupMXBean {
    private final String nameservice;
    private final AgentRunner agent;
    private final GroupDetails details;

    Group(String nameservice, AgentRunner agent, GroupDetails details) {
        this.nameservice = nameservice;
        this.agent = agent;
        this.details = details;
    }

    private Optional<MemberRecord> self() {
        return agent.state().publishedRecord();
    }

    @Override
    public String getNameservice() {
        return nameservice;
    }

    @Override
    public String getName() {
        return self().map(MemberRecord::name).orElse("");
    }

    @Override
    public String getState() {
        return self().map(record -> record.state().name()).orElse("");
    }

    @Override
    public String getRole() {
        return agent.state().observation().role().name();
    }

    @Override
    public String getReason() {
        return self().map(MemberRecord::reason).orElse("");
    }

    @Override
    public long getSince() {
        return self().map(MemberRecord::sinceMillis).orElse(0L);
    }

    @Override
    public long getTxId() {
        return agent.state().observation().appliedTxId();
    }

    @Override
    public long getLag() {
        return self().map(MemberRecord::lag).orElse(0L);
    }

    @Override
    public long getLagMillis() {
        return agent.state().observation().lagMillis();
    }

    @Override
    public long getEpoch() {
        return self().map(record -> record.epoch().number()).orElse(0L);
    }

    @Override
    public String getStage() {
        return agent.state().stage().name();
    }

    @Override
    public boolean isViewCurrent() {
        return agent.state().connected();
    }

    @Override
    public String getView() {
        AgentState state = agent.state();
        return ViewJson.render(nameservice, state.view(), state.connected(), System.currentTimeMillis());
    }

    @Override
    public String getHistory() {
        return agent.historyJson();
    }

    @Override
    public String getDetails() {
        return details.text();
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.forward;

import io.trefoil.ha.agent.AgentState;
import io.trefoil.ha.agent.Forwarding;
import io.trefoil.journal.model.NodeAddress;
import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Where the pool node of the active is. Only at hosts that this NameNode's own configuration names: the view is from ZooKeeper, and who
 * can write there must not get hold of clients' calls.
 */
public final class KnownActive implements Supplier<Optional<NodeAddress>> {
    private final Supplier<AgentState> agent;
    private final Set<String> hosts;

    public KnownActive(Supplier<AgentState> agent, Collection<String> hosts) {
        this.agent = agent;
        this.hosts = new HashSet<>(hosts);
    }

    @Override
    public Optional<NodeAddress> get() {
        return Forwarding.active(agent.get())
                .map(member -> member.addresses().pool())
                .filter(pool -> !pool.isEmpty())
                .map(NodeAddress::parse)
                .filter(pool -> hosts.contains(pool.host()));
    }
}

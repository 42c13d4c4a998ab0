/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.client;

import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.Transport;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** {@link PoolAdminClient} over TCP. */
final class NetworkPoolAdminClient implements PoolAdminClient {

    private final Duration timeout;
    private final Transport transport;
    private final PoolClients clients;

    NetworkPoolAdminClient(JournalId journal, Duration timeout, Transport transport) {
        this.timeout = timeout;
        this.transport = transport;
        this.clients = new PoolClients(
                transport,
                Hello.of(
                        journal,
                        NamespaceId.UNKNOWN,
                        Hello.CallerRole.READER,
                        ManagementFactory.getRuntimeMXBean().getName(),
                        Optional.<NodeAddress>empty()));
    }

    @Override
    public Map<NodeAddress, NodeAnswer> query(
            Collection<NodeAddress> nodes, PoolRequest request, Predicate<Map<NodeAddress, NodeAnswer>> stopCondition)
            throws IOException {
        return clients.queryEach(nodes, request, timeout, stopCondition);
    }

    @Override
    public void close() {
        clients.close();
        transport.close();
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.client;

import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.transport.authentication.Authentication;
import io.trefoil.journal.transport.client.NettyTransport;
import io.trefoil.journal.transport.tls.TlsSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Sends requests about one journal from a process that is not part of its pool, such as an operator's command. Nodes of any
 * namespace answer; asking changes nothing on them, unless the request itself does.
 */
public interface PoolAdminClient extends AutoCloseable {

    /**
     * Creates a client that sends its requests over the network.
     *
     * @param authentication how this process and the nodes authenticate to each other
     * @param timeout how long one question may take; a node that is silent longer counts as absent
     */
    static PoolAdminClient of(JournalId journal, Authentication authentication, Duration timeout) {
        return new NetworkPoolAdminClient(journal, timeout, NettyTransport.start(journal.text(), authentication));
    }

    /**
     * Creates a client that sends its requests over the network.
     *
     * @param authentication how this process and the nodes authenticate to each other
     * @param tls whether connections use TLS
     * @param timeout how long one question may take; a node that is silent longer counts as absent
     * @throws IOException if connections use TLS and the keys cannot be used; the text names what to set
     */
    static PoolAdminClient of(JournalId journal, Authentication authentication, TlsSettings tls, Duration timeout)
            throws IOException {
        return new NetworkPoolAdminClient(journal, timeout, NettyTransport.start(journal.text(), authentication, tls));
    }

    /**
     * Asks all nodes at once and waits until each has answered or failed, or the time is up. A node that refuses connections
     * has the whole time to come up.
     *
     * @return one answer for each node, in the order given
     * @throws IOException if the calling thread was interrupted
     */
    default Map<NodeAddress, NodeAnswer> query(Collection<NodeAddress> nodes, PoolRequest request) throws IOException {
        return query(nodes, request, answers -> false);
    }

    /**
     * Asks all nodes at once; once enough others have answered, unreachable nodes get no more time to come up.
     *
     * @param stopCondition whether nothing more is needed than these answers
     */
    Map<NodeAddress, NodeAnswer> query(
            Collection<NodeAddress> nodes, PoolRequest request, Predicate<Map<NodeAddress, NodeAnswer>> stopCondition)
            throws IOException;

    @Override
    void close();
}

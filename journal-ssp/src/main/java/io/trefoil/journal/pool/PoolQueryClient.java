/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool;

import io.trefoil.foundation.NoServerReachedException;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.client.PoolClients;
import io.trefoil.journal.pool.client.ReadQuorum;
import io.trefoil.journal.pool.replica.JournalReplica;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.protocol.StatusReply;
import io.trefoil.journal.protocol.StatusRequest;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.Transport;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the nodes of a pool, including the one in this process. Thread-safe. */
final class PoolQueryClient {
    /** How long a request to a connected node may take; a node that is silent for longer is skipped. */
    static final Duration TIMEOUT = Duration.ofSeconds(2);

    private static final Logger LOG = LoggerFactory.getLogger(PoolJournal.class);

    /** The timeout for a format, which writes a whole log file, even to a slow disk. */
    private static final Duration FORMAT_TIMEOUT = Duration.ofMinutes(1);

    private final PoolSettings settings;
    private final LocalNode localNode;
    private final PoolMembers members;
    /** Clients for reading: only nodes that keep exactly this namespace answer. */
    private final PoolClients clients;
    /** Clients for formatting: nodes answer whatever they hold now. */
    private final PoolClients formatClients;
    /**
     * Unreachable nodes for which a request of a format has already waited. The next ones do not wait again while they are: a
     * first {@code namenode -format} has no other node, and would stand still for seconds. Their links continue trying.
     */
    private final Set<NodeAddress> awaitedInVain = ConcurrentHashMap.newKeySet();

    PoolQueryClient(PoolSettings settings, LocalNode localNode, PoolMembers members, Transport transport) {
        this.settings = settings;
        this.localNode = localNode;
        this.members = members;
        this.clients = new PoolClients(transport, newHello(settings.namespace(), Hello.CallerRole.READER));
        this.formatClients = new PoolClients(transport, newHello(NamespaceId.UNKNOWN, Hello.CallerRole.READER));
    }

    /** Returns how this process introduces itself. */
    Hello newHello(NamespaceId namespace, Hello.CallerRole role) {
        return Hello.of(
                settings.journal(),
                namespace,
                role,
                ManagementFactory.getRuntimeMXBean().getName(),
                localNode.address());
    }

    /** The clients for requests to nodes that keep this namespace, for callers that send their own requests. */
    PoolClients clients() {
        return clients;
    }

    /** Asks one node in another process. */
    PoolReply query(NodeAddress address, PoolRequest request, Duration timeout) throws IOException {
        return clients.query(address, request, timeout);
    }

    /**
     * Asks the node in this process and all other nodes that keep this namespace. The result is by address and lacks nodes
     * that do not answer.
     */
    Map<NodeAddress, PoolReply> queryAll(PoolRequest request) throws IOException {
        return queryAll(clients, request, answers -> false);
    }

    /** Asks the node in this process and all others, whatever namespace they keep; for formatting. */
    Map<NodeAddress, PoolReply> queryAllOfAnyNamespace(PoolRequest request) throws IOException {
        Map<NodeAddress, PoolReply> answers = queryAll(formatClients, request, got -> false);
        for (NodeAddress node : members.otherAddresses()) {
            if (answers.containsKey(node)) {
                awaitedInVain.remove(node);
            } else {
                awaitedInVain.add(node);
            }
        }
        return answers;
    }

    /**
     * Sends a further request to the nodes that have reported their status. Answers of others would not count ({@link ReadQuorum}); so
     * nodes that were silent a moment ago are not waited for.
     */
    Map<NodeAddress, PoolReply> queryDetails(Map<NodeAddress, PoolReply> statuses, PoolRequest request)
            throws IOException {
        Map<NodeAddress, PoolReply> answers = new LinkedHashMap<>();
        queryLocal(request, answers);
        Set<NodeAddress> others = new LinkedHashSet<>(statuses.keySet());
        localNode.address().ifPresent(others::remove);
        answers.putAll(clients.queryAll(others, request, TIMEOUT));
        return answers;
    }

    private Map<NodeAddress, PoolReply> queryAll(
            PoolClients clients, PoolRequest request, Predicate<Map<NodeAddress, PoolReply>> stopCondition)
            throws IOException {
        Map<NodeAddress, PoolReply> answers = new LinkedHashMap<>();
        queryLocal(request, answers);
        members.learn(answers);
        Set<NodeAddress> addresses = new LinkedHashSet<>();
        List<NodeAddress> next = members.otherAddresses();
        while (!next.isEmpty()) {
            addresses.addAll(next);
            next.removeIf(this::isKnownToBeDown);
            Map<NodeAddress, PoolReply> more =
                    clients.queryAll(next, request, TIMEOUT, got -> stopCondition.test(merge(answers, got)));
            answers.putAll(more);
            members.learn(answers);
            // The answers may name members that the URI does not name.
            next = members.otherAddresses();
            next.removeAll(addresses);
        }
        return answers;
    }

    private boolean isKnownToBeDown(NodeAddress node) {
        return awaitedInVain.contains(node) && formatClients.isUnreachable(node);
    }

    private static Map<NodeAddress, PoolReply> merge(
            Map<NodeAddress, PoolReply> earlierReplies, Map<NodeAddress, PoolReply> newReplies) {
        Map<NodeAddress, PoolReply> both = new LinkedHashMap<>(earlierReplies);
        both.putAll(newReplies);
        return both;
    }

    private void queryLocal(PoolRequest request, Map<NodeAddress, PoolReply> answers) {
        Optional<JournalReplica> replica = localNode.replica();
        if (replica.isPresent()) {
            try {
                replica.get()
                        .perform(request, TIMEOUT)
                        .ifPresent(reply -> answers.put(localNode.address().get(), reply));
            } catch (IOException e) {
                LOG.info("journal={}: cannot query the local replica, cause={}", settings.journal(), e.toString());
            }
        }
    }

    /** The status of all nodes. */
    Map<NodeAddress, PoolReply> queryStatuses() throws IOException {
        return queryAll(StatusRequest.create());
    }

    /** The statuses for a reader, which needs those of a majority, and then no longer waits for unreachable nodes. */
    Map<NodeAddress, PoolReply> queryStatusesForReading() throws IOException {
        return queryAll(clients, StatusRequest.create(), ReadQuorum::isPossible);
    }

    /** Asks one node to format, or for information that a format needs. */
    PoolReply requestFormat(NodeAddress address, PoolRequest request) throws IOException {
        return localNode.isAt(address)
                ? localNode.replica().get().perform(request, FORMAT_TIMEOUT).get()
                : formatClients.query(address, request, FORMAT_TIMEOUT);
    }

    /** The exception to throw when no node answered. */
    IOException newUnreachableException(String purpose) {
        StringBuilder text = new StringBuilder("Journal " + settings.journal() + ": no pool node can be reached "
                + purpose + " (an answer may take " + TIMEOUT.toMillis() + " ms, a first connection "
                + PoolClients.CONNECTING.toMillis() + " ms); start at least one of them:");
        for (NodeAddress other : members.otherAddresses()) {
            text.append(' ')
                    .append(other)
                    .append(" (")
                    .append(clients.failureReason(other))
                    .append(')');
        }
        return new NoServerReachedException(text.toString());
    }

    /** The highest log, of the incarnation in force, that any node knows to be committed. */
    static LogSummary highestCommitted(Map<NodeAddress, PoolReply> statuses) {
        LogSummary inForce = StatusReply.endInForce(statuses);
        LogSummary best = LogSummary.ORIGIN;
        for (PoolReply reply : statuses.values()) {
            if (reply instanceof StatusReply) {
                LogSummary committed = ((StatusReply) reply).committedSummary();
                best = committed.hasSameIncarnation(inForce) && committed.isAheadOf(best) ? committed : best;
            }
        }
        return best;
    }

    void close() {
        clients.close();
        formatClients.close();
    }
}

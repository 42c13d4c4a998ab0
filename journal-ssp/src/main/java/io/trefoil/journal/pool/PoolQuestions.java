/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool;

import io.trefoil.foundation.NobodyReachedException;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.client.PoolClients;
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
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the nodes of a pool, including the one in this process. Thread-safe. */
final class PoolQuestions {
    /** How long a question to a connected node may take; a node that is silent longer is left out. */
    static final Duration PATIENCE = Duration.ofSeconds(2);

    private static final Logger LOG = LoggerFactory.getLogger(PoolJournal.class);

    /** A format writes a whole log file, however slow the disk is. */
    private static final Duration FORMAT_PATIENCE = Duration.ofMinutes(1);

    private final PoolSettings settings;
    private final OwnNode own;
    private final PoolMembers members;
    /** For reading: only nodes that keep this very namespace answer. */
    private final PoolClients clients;
    /** For formatting: nodes answer whatever they hold now. */
    private final PoolClients formatClients;

    PoolQuestions(PoolSettings settings, OwnNode own, PoolMembers members, Transport transport) {
        this.settings = settings;
        this.own = own;
        this.members = members;
        this.clients = new PoolClients(transport, hello(settings.namespace(), Hello.CallerRole.READER));
        this.formatClients = new PoolClients(transport, hello(NamespaceId.UNKNOWN, Hello.CallerRole.READER));
    }

    /** How this process introduces itself. */
    Hello hello(NamespaceId namespace, Hello.CallerRole role) {
        return Hello.of(
                settings.journal(),
                namespace,
                role,
                ManagementFactory.getRuntimeMXBean().getName(),
                own.address());
    }

    /** The clients for questions to nodes that keep this namespace, for callers that ask in their own way. */
    PoolClients clients() {
        return clients;
    }

    /** Asks one node in another process. */
    PoolReply ask(NodeAddress address, PoolRequest request, Duration patience) throws IOException {
        return clients.ask(address, request, patience);
    }

    /**
     * Asks the node in this process and all others that keep this namespace. The result is by address and lacks nodes
     * that do not answer.
     */
    Map<NodeAddress, PoolReply> askAll(PoolRequest request) throws IOException {
        return askAll(clients, request);
    }

    /** The same, whatever namespace they keep. */
    Map<NodeAddress, PoolReply> askAllOfAnyNamespace(PoolRequest request) throws IOException {
        return askAll(formatClients, request);
    }

    private Map<NodeAddress, PoolReply> askAll(PoolClients asking, PoolRequest request) throws IOException {
        Map<NodeAddress, PoolReply> answers = new LinkedHashMap<>();
        askOwn(request, answers);
        members.learn(answers.values());
        Set<NodeAddress> asked = new LinkedHashSet<>();
        List<NodeAddress> next = members.others();
        while (!next.isEmpty()) {
            Map<NodeAddress, PoolReply> more = asking.askAll(next, request, PATIENCE);
            members.learn(more.values());
            answers.putAll(more);
            asked.addAll(next);
            // The answers may name members that the URI does not name.
            next = members.others();
            next.removeAll(asked);
        }
        return answers;
    }

    private void askOwn(PoolRequest request, Map<NodeAddress, PoolReply> answers) {
        Optional<JournalReplica> replica = own.replica();
        if (replica.isPresent()) {
            try {
                replica.get()
                        .perform(request, PATIENCE)
                        .ifPresent(reply -> answers.put(own.address().get(), reply));
            } catch (IOException e) {
                LOG.info("Journal {}: leaving out {}", settings.journal(), e.toString());
            }
        }
    }

    /** The status of all nodes. */
    Map<NodeAddress, PoolReply> statuses() throws IOException {
        return askAll(StatusRequest.create());
    }

    /** Asks one node to format, or for what a format needs to know. */
    PoolReply askToFormat(NodeAddress address, PoolRequest request) throws IOException {
        return own.isAt(address)
                ? own.replica().get().perform(request, FORMAT_PATIENCE).get()
                : formatClients.ask(address, request, FORMAT_PATIENCE);
    }

    /** The exception for when nobody answered. */
    IOException unreachable(String purpose) {
        StringBuilder text = new StringBuilder("Journal " + settings.journal() + ": no pool node can be reached "
                + purpose + " (an answer may take " + PATIENCE.toMillis() + " ms, a first connection "
                + PoolClients.CONNECTING.toMillis() + " ms); start at least one of them:");
        for (NodeAddress other : members.others()) {
            text.append(' ')
                    .append(other)
                    .append(" (")
                    .append(clients.troubleOf(other))
                    .append(')');
        }
        return new NobodyReachedException(text.toString());
    }

    /** The highest log that any node knows to be committed. */
    static LogSummary furthest(Collection<PoolReply> statuses) {
        LogSummary best = LogSummary.ORIGIN;
        for (PoolReply reply : statuses) {
            if (reply instanceof StatusReply) {
                LogSummary committed = ((StatusReply) reply).committed();
                best = committed.isAheadOf(best) ? committed : best;
            }
        }
        return best;
    }

    void close() {
        clients.close();
        formatClients.close();
    }
}

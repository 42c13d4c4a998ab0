/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.server;

import io.trefoil.foundation.LogThread;
import io.trefoil.journal.model.ChangeProgress;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.MemberChange;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.client.PoolClients;
import io.trefoil.journal.pool.replica.JournalReplica;
import io.trefoil.journal.pool.replica.LocalNamespace;
import io.trefoil.journal.protocol.ChangeMembersRequest;
import io.trefoil.journal.protocol.ChangeReply;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.Transport;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the members of a journal about this node while it is not one of them, so that only its own configuration has to name it ({@link
 * JournalReplica#shouldRequestJoin}). Runs entirely on the transport's thread.
 */
final class JoinRequester implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(JoinRequester.class);

    /** The interval between requests, shorter than the lifetime of a request. */
    private static final Duration EVERY = Duration.ofSeconds(2);

    private final JournalId journal;
    private final NodeAddress ownNode;
    private final JournalReplica replica;
    private final List<NodeAddress> places;
    private final Transport transport;
    private final PoolClients clients;
    private final Supplier<LocalNamespace> namespace;
    /** Logs for the transport's thread, on which answers arrive, and which must not wait for a disk. */
    private final LogThread log;

    private final MemberChange request;
    private final List<CompletableFuture<PoolReply>> asked = new ArrayList<>();
    private String lastText = "";
    private volatile boolean closed;

    /** @param namespace that of the NameNode in this process, as it is known now */
    JoinRequester(
            JournalId journal,
            NodeAddress ownNode,
            JournalReplica replica,
            List<NodeAddress> places,
            Transport transport,
            Supplier<LocalNamespace> namespace) {
        this.journal = journal;
        this.ownNode = ownNode;
        this.replica = replica;
        this.places = places;
        this.transport = transport;
        this.namespace = namespace;
        this.log = new LogThread("ssp-log join " + journal);
        this.clients = new PoolClients(
                transport,
                Hello.of(
                        journal,
                        NamespaceId.UNKNOWN,
                        Hello.CallerRole.READER,
                        ManagementFactory.getRuntimeMXBean().getName(),
                        Optional.of(ownNode)));
        this.request = MemberChange.join("join-" + UUID.randomUUID(), ownNode);
    }

    void begin() {
        transport.schedule(this::requestIfDue, EVERY);
    }

    private void requestIfDue() {
        if (closed) {
            return;
        }
        try {
            announceToOthers();
        } finally {
            // Also if this failed for lack of memory.
            transport.schedule(this::requestIfDue, EVERY);
        }
    }

    private void announceToOthers() {
        asked.forEach(answer -> answer.cancel(false));
        asked.clear();
        if (replica.isActiveMember(ownNode)) {
            // No sessions are needed until this node has another identity.
            clients.close();
        } else if (replica.shouldRequestJoin(ownNode, namespace.get())) {
            request(replica.members());
        }
    }

    private void request(Members members) {
        Set<NodeAddress> addresses = new LinkedHashSet<>(places);
        for (Member member : members.list()) {
            addresses.add(member.address());
        }
        addresses.remove(ownNode);
        for (NodeAddress place : addresses) {
            CompletableFuture<PoolReply> answer = clients.clientFor(place).query(ChangeMembersRequest.of(request));
            asked.add(answer);
            answer.thenAccept(this::handleReply);
        }
    }

    private void handleReply(PoolReply reply) {
        if (!(reply instanceof ChangeReply)) {
            return;
        }
        ChangeProgress progress = ((ChangeReply) reply).progress();
        if (!progress.text().equals(lastText) && isReportable(progress)) {
            lastText = progress.text();
            log.write(() -> LOG.info("Requesting to join: node={} journal={}: {}", ownNode, journal, progress.text()));
        }
    }

    /** A member that only waits for a writer has nothing to report. */
    private boolean isReportable(ChangeProgress progress) {
        boolean isMember = replica.members().find(replica.node()).isPresent();
        return !isMember
                || progress.stage() == ChangeProgress.Stage.UNDER_WAY
                || progress.stage() == ChangeProgress.Stage.REFUSED;
    }

    @Override
    public void close() {
        closed = true;
        clients.close();
        log.shutDown();
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.writer.events;

import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.replica.JournalReplica;
import io.trefoil.journal.pool.writer.delivery.RequestSender;
import io.trefoil.journal.pool.writer.term.TermProgress;
import io.trefoil.journal.pool.writer.term.WriterDriver;
import io.trefoil.journal.pool.writer.term.WriterLogger;
import io.trefoil.journal.protocol.LeaseRequest;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.Link;
import io.trefoil.journal.transport.LinkListener;
import io.trefoil.journal.transport.Transport;
import io.trefoil.journal.transport.Welcome;
import io.trefoil.journal.writer.events.WriterEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Receives the nodes' messages to a writer: those of other nodes over their sessions, on the transport's thread; those of the replica in
 * this process on the disk's thread.
 */
public final class NodeSessions {
    private final WriterDriver driver;
    private final RequestSender sender;
    private final TermProgress progress;
    private final Transport transport;
    private final Hello hello;
    private final WriterLogger log;

    public NodeSessions(
            WriterDriver driver,
            RequestSender sender,
            TermProgress progress,
            Transport transport,
            Hello hello,
            WriterLogger log) {
        this.driver = driver;
        this.sender = sender;
        this.progress = progress;
        this.transport = transport;
        this.hello = hello;
        this.log = log;
    }

    /** Opens a session with a node in another process, once. */
    public void openSession(NodeAddress address) {
        if (driver.acceptsEvents()) {
            // If the writer is closed meanwhile, the sender is, too, and opens none.
            sender.connect(address, hello, new NodeEvents(address));
        }
    }

    /** Opens a session with a node later, on the transport's thread; does not block. */
    public void openSessionLater(NodeAddress address) {
        transport.execute(() -> openSession(address));
    }

    /** Announces the replica in this process, which is always reachable. */
    public void addLocalReplica(NodeAddress address, JournalReplica replica) {
        driver.handle(
                WriterEvent.peerConnected(address, replica.node(), replica.isFormatted(), replica.promisedEpoch()));
    }

    /**
     * Handles answers of the replica in this process. The calling thread itself performs the requests to it that
     * follow.
     */
    public void handleLocalReplies(
            NodeAddress address, List<PoolRequest> requests, List<Optional<PoolReply>> replies, long sentNanos) {
        List<WriterEvent> answers = new ArrayList<>(replies.size());
        for (int i = 0; i < replies.size(); i++) {
            long leaseMillis = LeaseRequest.leaseMillisOf(requests.get(i));
            replies.get(i)
                    .ifPresent(answer -> answers.add(WriterEvent.replied(address, answer, sentNanos, leaseMillis)));
        }
        driver.handleLocalReplies(answers);
        progress.notifyWatcher();
    }

    /** The events of the session with one node; on the transport's thread. */
    private final class NodeEvents implements LinkListener {
        private final NodeAddress address;
        private String lastRefusal = "";

        NodeEvents(NodeAddress address) {
            this.address = address;
        }

        @Override
        public void onUp(Link link, Welcome welcome) {
            lastRefusal = "";
            driver.handle(
                    WriterEvent.peerConnected(address, welcome.node(), welcome.formatted(), welcome.promisedEpoch()));
        }

        @Override
        public void onDown(Link link, String reason) {
            log.logSessionBroken(address, reason);
            driver.handle(WriterEvent.peerDisconnected(address));
        }

        @Override
        public void onForeignIncarnation(Link link, Incarnation kept) {
            driver.handle(WriterEvent.peerRefused(address, kept));
        }

        @Override
        public void onRefused(Link link, String reason) {
            if (!reason.equals(lastRefusal)) {
                log.logRefused(address, reason);
                lastRefusal = reason;
            }
            driver.handle(WriterEvent.peerDisconnected(address));
        }

        @Override
        public void onReply(Link link, PoolRequest request, PoolReply reply, long sentNanos) {
            driver.handle(WriterEvent.replied(address, reply, sentNanos, LeaseRequest.leaseMillisOf(request)));
            progress.notifyWatcher();
        }

        @Override
        public void onReadCompleted(Link link) {
            // The requests that follow from the answers are already on their way to the links.
        }
    }
}

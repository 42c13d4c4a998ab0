/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.server;

import io.trefoil.journal.pool.replica.JournalReplica;
import io.trefoil.journal.pool.replica.storage.CommitSignal;
import io.trefoil.journal.protocol.AwaitCommitRequest;
import io.trefoil.journal.protocol.StatusRequest;
import io.trefoil.journal.transport.InboundRequest;
import io.trefoil.journal.transport.NodeSession;
import io.trefoil.journal.transport.Transport;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The callers that asked a node for a reply when more is committed. Each is answered then, or when its time is up.
 *
 * <p>The caller, which may be any process, chooses the time, so it is limited to {@link #MAX_WAIT}. At most {@value
 * #MAX_SUBSCRIPTIONS} callers wait at once; further ones are answered immediately. A wait ends with its session. One timer serves
 * all, so that nothing remains of a caller that is gone. Thread-safe; never blocks.
 */
final class CommitSubscriptions {

    /**
     * The limit of waiting callers, for all journals together. A NameNode asks only about journals without a replica in
     * its own process, one question at a time.
     */
    static final int MAX_SUBSCRIPTIONS = 1_000;

    static final Duration MAX_WAIT = Duration.ofMinutes(1);

    private static final Duration LOOK = Duration.ofMillis(20);

    private final Transport transport;
    private final Set<Subscription> waits = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean looking = new AtomicBoolean();

    /** @param transport its thread watches the time, and answers */
    CommitSubscriptions(Transport transport) {
        this.transport = transport;
    }

    /** Returns the number of waiting callers. */
    int count() {
        return waits.size();
    }

    /** Answers the request when more is committed or its time is up, but not after {@link #end} for its session. */
    void begin(NodeSession session, JournalReplica replica, AwaitCommitRequest request, InboundRequest inbound) {
        long millis = Math.min(request.timeoutMillis(), MAX_WAIT.toMillis());
        Subscription wait = new Subscription(session, replica, request.knownSn(), millis, inbound);
        if (millis <= 0 || waits.size() >= MAX_SUBSCRIPTIONS) {
            wait.notifyCaller();
            return;
        }
        waits.add(wait);
        replica.commitSignal().add(wait);
        if (wait.hasEnded()) {
            wait.answer();
        } else {
            scheduleExpiry();
        }
    }

    /** Ends the waits of a session that has ended; it can begin no new ones. */
    void end(NodeSession session) {
        for (Subscription wait : waits) {
            if (wait.session == session) {
                wait.tryEnd();
            }
        }
    }

    private void scheduleExpiry() {
        if (looking.compareAndSet(false, true)) {
            transport.schedule(this::expireDue, LOOK);
        }
    }

    private void expireDue() {
        looking.set(false);
        try {
            long nowNanos = System.nanoTime();
            for (Subscription wait : waits) {
                if (nowNanos - wait.untilNanos >= 0) {
                    wait.answer();
                }
            }
        } finally {
            // Also if an answer failed for lack of memory.
            if (!waits.isEmpty()) {
                scheduleExpiry();
            }
        }
    }

    /** A waiting caller. */
    private final class Subscription implements CommitSignal.Listener {
        private final NodeSession session;
        private final JournalReplica replica;
        private final long knownSn;
        private final long untilNanos;
        private final InboundRequest inbound;

        Subscription(NodeSession session, JournalReplica replica, long knownSn, long millis, InboundRequest inbound) {
            this.session = session;
            this.replica = replica;
            this.knownSn = knownSn;
            this.untilNanos = System.nanoTime() + millis * 1_000_000L;
            this.inbound = inbound;
        }

        private boolean hasEnded() {
            return replica.commitSignal().committedSn() > knownSn;
        }

        @Override
        public void onAdvanced() {
            if (hasEnded()) {
                // Not here: the committing thread has more important things to do.
                transport.execute(this::answer);
            }
        }

        private void answer() {
            if (tryEnd()) {
                notifyCaller();
            }
        }

        /** Ends the wait; returns whether it was still waiting. */
        private boolean tryEnd() {
            boolean waited = waits.remove(this);
            if (waited) {
                replica.commitSignal().remove(this);
            }
            return waited;
        }

        private void notifyCaller() {
            replica.perform(StatusRequest.create()).ifPresent(inbound::answer);
        }
    }
}

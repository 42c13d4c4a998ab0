/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.server;

import io.trefoil.journal.pool.replica.JournalReplica;
import io.trefoil.journal.pool.replica.storage.CommitSignal;
import io.trefoil.journal.protocol.AwaitCommitRequest;
import io.trefoil.journal.protocol.StatusRequest;
import io.trefoil.journal.transport.Inbound;
import io.trefoil.journal.transport.NodeSession;
import io.trefoil.journal.transport.Transport;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The callers that asked a node to be told when more is committed. Each is answered then, or when its time is up.
 *
 * <p>The caller, which may be anyone, chooses the time, so it is limited to {@link #LONGEST}. Only {@value #MOST}
 * callers wait at once, and further ones are answered immediately; a wait ends with its session. One timer serves all,
 * so that nothing of a caller remains when it is gone. Thread-safe; never blocks.
 */
final class CommitWaits {

    /** Of all journals. A NameNode asks only for a journal that its own process keeps no replica of, one question at a time. */
    static final int MOST = 1_000;

    static final Duration LONGEST = Duration.ofMinutes(1);

    private static final Duration LOOK = Duration.ofMillis(20);

    private final Transport transport;
    private final Set<Wait> waits = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean looking = new AtomicBoolean();

    /** @param transport its thread looks after the time, and answers */
    CommitWaits(Transport transport) {
        this.transport = transport;
    }

    /** How many wait. */
    int count() {
        return waits.size();
    }

    /** Answers the request when something was committed or its time is up; not after {@link #end} was called for its session. */
    void begin(NodeSession session, JournalReplica replica, AwaitCommitRequest request, Inbound inbound) {
        long millis = Math.min(request.timeoutMillis(), LONGEST.toMillis());
        Wait wait = new Wait(session, replica, request.knownSn(), millis, inbound);
        if (millis <= 0 || waits.size() >= MOST) {
            wait.tell();
            return;
        }
        waits.add(wait);
        replica.commits().add(wait);
        if (wait.isOver()) {
            wait.answer();
        } else {
            lookLater();
        }
    }

    /** A session has ended, and begins none any more. */
    void end(NodeSession session) {
        for (Wait wait : waits) {
            if (wait.session == session) {
                wait.leaves();
            }
        }
    }

    private void lookLater() {
        if (looking.compareAndSet(false, true)) {
            transport.schedule(this::look, LOOK);
        }
    }

    private void look() {
        looking.set(false);
        try {
            long nowNanos = System.nanoTime();
            for (Wait wait : waits) {
                if (nowNanos - wait.untilNanos >= 0) {
                    wait.answer();
                }
            }
        } finally {
            // Also if there was no memory for an answer.
            if (!waits.isEmpty()) {
                lookLater();
            }
        }
    }

    /** One that waits. */
    private final class Wait implements CommitSignal.Listener {
        private final NodeSession session;
        private final JournalReplica replica;
        private final long knownSn;
        private final long untilNanos;
        private final Inbound inbound;

        Wait(NodeSession session, JournalReplica replica, long knownSn, long millis, Inbound inbound) {
            this.session = session;
            this.replica = replica;
            this.knownSn = knownSn;
            this.untilNanos = System.nanoTime() + millis * 1_000_000L;
            this.inbound = inbound;
        }

        private boolean isOver() {
            return replica.commits().committedSn() > knownSn;
        }

        @Override
        public void advanced() {
            if (isOver()) {
                // Not here: the thread that committed has more important things to do.
                transport.execute(this::answer);
            }
        }

        private void answer() {
            if (leaves()) {
                tell();
            }
        }

        /** Whether it waited until now. */
        private boolean leaves() {
            boolean waited = waits.remove(this);
            if (waited) {
                replica.commits().remove(this);
            }
            return waited;
        }

        private void tell() {
            replica.perform(StatusRequest.create()).ifPresent(inbound::answer);
        }
    }
}

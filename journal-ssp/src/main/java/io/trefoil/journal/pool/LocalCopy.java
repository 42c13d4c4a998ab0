/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool;

import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The copy that a writer has in its own process: requests are put here under the writer's lock, and performed in their order by
 * whichever thread may wait for the disk, everything that is here by then with one sync.
 */
final class LocalCopy {
    private final Object lock;
    private final NodeAddress address;
    private final Performer performer;
    private final Answered answered;
    private final Queue<PoolRequest> requests = new ArrayDeque<>();

    /** Keeps requests in their order; its holder performs what is here. */
    private final ReentrantLock turn = new ReentrantLock();

    /** @param lock of the writer, which guards the requests */
    LocalCopy(Object lock, NodeAddress address, Performer performer, Answered answered) {
        this.lock = lock;
        this.address = address;
        this.performer = performer;
        this.answered = answered;
    }

    NodeAddress address() {
        return address;
    }

    /** Puts a request behind all others; under the lock. */
    void add(PoolRequest request) {
        requests.add(request);
    }

    /** How many requests nobody has begun to perform; under the lock. */
    int size() {
        return requests.size();
    }

    /** Performs everything that is here, and what comes meanwhile; without the lock, by a thread that may wait for a disk. */
    void perform() {
        turn.lock();
        try {
            List<PoolRequest> group = take();
            while (!group.isEmpty()) {
                long sentNanos = System.nanoTime();
                answered.replied(performer.perform(group), sentNanos);
                group = take();
            }
        } finally {
            turn.unlock();
        }
    }

    private List<PoolRequest> take() {
        synchronized (lock) {
            if (requests.isEmpty()) {
                return Collections.emptyList();
            }
            List<PoolRequest> group = new ArrayList<>(requests);
            requests.clear();
            return group;
        }
    }

    /** The copy itself; see {@link JournalReplica#perform(List)}. */
    interface Performer {
        List<Optional<PoolReply>> perform(List<PoolRequest> requests);
    }

    /** Hears what the copy answers; called without the lock. */
    interface Answered {
        /** @param replies in the order of the requests; empty for those that have no answer */
        void replied(List<Optional<PoolReply>> replies, long sentNanos);
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.writer.delivery;

import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.replica.JournalReplica;
import io.trefoil.journal.protocol.AppendRequest;
import io.trefoil.journal.protocol.CollectChangesRequest;
import io.trefoil.journal.protocol.CommitRequest;
import io.trefoil.journal.protocol.NewEpochRequest;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.writer.WriterTrace;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * The replica in the writer's own process: the thread that waits for the disk performs its requests in order, everything
 * queued by then with one sync. No other thread ever performs them: a thread in a sync cannot be recalled, and the writer
 * continues when a majority of the other nodes has what it wrote (protocol page, "A disk that hangs"). Thread-safe.
 */
public final class LocalReplica {
    private static final int GROUPS_AT_ONCE = 16;

    private final NodeAddress address;
    private final Executor disk;
    private final Performer performer;
    private final ReplyListener replyListener;
    private final LongSupplier nanoTime;
    private final WriterTrace trace;
    /** Guards the fields below; no other lock is taken while it is held. */
    private final Object lock = new Object();

    private final Deque<PoolRequest> requests = new ArrayDeque<>();
    private boolean atWork;

    /** @param disk runs the work that waits for the disk, one task after the other */
    public LocalReplica(
            NodeAddress address,
            Executor disk,
            Performer performer,
            ReplyListener replyListener,
            LongSupplier nanoTime,
            WriterTrace trace) {
        this.address = address;
        this.disk = disk;
        this.performer = performer;
        this.replyListener = replyListener;
        this.nanoTime = nanoTime;
        this.trace = trace;
    }

    public NodeAddress address() {
        return address;
    }

    /** Queues a request after all others. It is performed after the next {@link #send}. */
    public void add(PoolRequest request) {
        synchronized (lock) {
            if (isRetry(request)) {
                // While the disk hangs, such questions pile up; the newest of a kind replaces the ones before.
                removeNewest(request.getClass());
            }
            requests.add(request);
        }
    }

    /** Removes the last queued request of a kind, unless a later request may depend on it; called under the lock. */
    private void removeNewest(Class<?> kind) {
        Iterator<PoolRequest> newestFirst = requests.descendingIterator();
        while (newestFirst.hasNext()) {
            PoolRequest request = newestFirst.next();
            if (!isRetry(request)) {
                return;
            }
            if (request.getClass().equals(kind)) {
                newestFirst.remove();
                return;
            }
        }
    }

    private static boolean isRetry(PoolRequest request) {
        return request instanceof NewEpochRequest
                || request instanceof CommitRequest
                || request instanceof CollectChangesRequest
                || (request instanceof AppendRequest
                        && ((AppendRequest) request).entries().isEmpty());
    }

    /** Returns the number of requests that are still queued. */
    public int size() {
        synchronized (lock) {
            return requests.size();
        }
    }

    /** Performs everything that is queued, including requests that arrive in the meantime. Does not block. */
    public void send() {
        synchronized (lock) {
            if (atWork || requests.isEmpty()) {
                return;
            }
            atWork = true;
        }
        boolean begun = false;
        try {
            disk.execute(this::perform);
            begun = true;
        } finally {
            if (!begun) {
                // No thread is available: the next send tries again.
                synchronized (lock) {
                    atWork = false;
                }
            }
        }
    }

    private void perform() {
        boolean done = false;
        try {
            for (int i = 0; i < GROUPS_AT_ONCE; i++) {
                List<PoolRequest> group = takeGroup();
                if (group.isEmpty()) {
                    done = true;
                    return;
                }
                group.forEach(request -> trace.recordSent(address, request));
                long sentNanos = nanoTime.getAsLong();
                replyListener.onReplies(group, performer.perform(group), sentNanos);
            }
            // However busy the writer is, other disk tasks get their turn: one that found damage in the log, or closes
            // it.
            disk.execute(this::perform);
            done = true;
        } finally {
            if (!done) {
                // It failed and has reported that itself; later requests learn the outcome.
                synchronized (lock) {
                    atWork = false;
                }
            }
        }
    }

    /** Takes the next group; if there is none, the work is done. */
    private List<PoolRequest> takeGroup() {
        synchronized (lock) {
            if (requests.isEmpty()) {
                atWork = false;
                return Collections.emptyList();
            }
            List<PoolRequest> group = new ArrayList<>(requests);
            requests.clear();
            return group;
        }
    }

    /** The replica itself; see {@link JournalReplica#perform(List)}. */
    public interface Performer {
        List<Optional<PoolReply>> perform(List<PoolRequest> requests);
    }

    /** Gets the replica's answers. */
    public interface ReplyListener {
        /** @param replies in the order of the requests; empty for requests that have no answer */
        void onReplies(List<PoolRequest> requests, List<Optional<PoolReply>> replies, long sentNanos);
    }
}

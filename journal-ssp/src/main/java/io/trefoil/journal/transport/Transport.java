/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport;

import io.trefoil.journal.model.NodeAddress;
import java.time.Duration;

/**
 * The calling side of the network: one thread, which runs all its links. After {@link #close} the other methods
 * throw {@link java.util.concurrent.RejectedExecutionException}.
 */
public interface Transport extends AutoCloseable {

    /** The result of probing a port. */
    enum Probe {
        /** A process listens there. */
        ACCEPTED,
        /**
         * The host is up, but no process listens there: the one that did is gone. A firewall that rejects instead of dropping
         * looks the same, so safety must never depend on this.
         */
        REFUSED,
        /** Nothing is known: no answer in time, or no route to the host. */
        UNREACHABLE
    }

    /** Receives the outcome of {@link #probe}, on the transport's thread. */
    interface ProbeListener {
        void onOutcome(Probe probe);
    }

    /**
     * Maintains a session with a node until the link is closed. Called by any thread; the listener is called by the
     * transport's thread alone, so the caller may hold a lock.
     */
    Link connect(NodeAddress node, Hello hello, LinkListener listener);

    /** Finds out whether a process listens at an address. Called by any thread. */
    void probe(NodeAddress address, Duration timeout, ProbeListener listener);

    /**
     * Runs a task on the transport's thread, soon and in the order of the calls. A task should not throw: exceptions
     * are only logged. Called by any thread.
     */
    void execute(Runnable task);

    /**
     * Runs a task on the transport's thread after a delay, with a resolution of at least a millisecond. Called by any
     * thread.
     */
    void schedule(Runnable task, Duration delay);

    /** Whether the calling thread is the transport's thread. */
    boolean isTransportThread();

    /** Ends all links and the thread; their listeners get no further events. Waits for that, unless called on that thread. */
    @Override
    void close();
}

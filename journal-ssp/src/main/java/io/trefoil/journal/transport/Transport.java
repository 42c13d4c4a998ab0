/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport;

import io.trefoil.journal.model.NodeAddress;
import java.time.Duration;

/**
 * The calling side of the network: one thread, on which all its links live. After {@link #close} the other methods
 * throw {@link java.util.concurrent.RejectedExecutionException}.
 */
public interface Transport extends AutoCloseable {

    /** What came of trying a port. */
    enum Probe {
        /** A process listens there. */
        ACCEPTED,
        /**
         * The host is up and no process listens: the one that did is gone. Or a firewall rejects instead of dropping: that
         * looks the same, so nothing that must be true may be concluded from it.
         */
        REFUSED,
        /** No answer in time, or no way to the host: nothing is known. */
        UNREACHABLE
    }

    /** Hears the outcome of {@link #probe}, on the transport's thread. */
    interface ProbeListener {
        void outcome(Probe probe);
    }

    /** Keeps a session with a node until the link is closed. Called by any thread. */
    Link connect(NodeAddress node, Hello hello, LinkListener listener);

    /** Tries whether anybody listens at an address. Called by any thread. */
    void probe(NodeAddress address, Duration patience, ProbeListener listener);

    /**
     * Runs a task on the transport's thread, soon and in the order of the calls. A task should not throw: what it
     * throws is only logged. Called by any thread.
     */
    void execute(Runnable task);

    /** Runs a task on the transport's thread after a while; resolution well below a millisecond. Called by any thread. */
    void schedule(Runnable task, Duration delay);

    /** Whether the caller is the transport's thread. */
    boolean isTransportThread();

    /** Ends all links and the thread; their listeners hear nothing more. Waits, unless it is that thread that calls. */
    @Override
    void close();
}

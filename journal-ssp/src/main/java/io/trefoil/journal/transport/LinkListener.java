/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport;

import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;

/** Is told what happens on a {@link Link}; always called on the transport's thread, must not block. */
public interface LinkListener {

    /** A session was accepted. */
    void up(Link link, Welcome welcome);

    /** The session broke; unanswered requests of it will not be answered. */
    void down(Link link, String why);

    /** An attempt to connect came to nothing; the link goes on trying. */
    default void unreachable(Link link, String why) {
        // Most listeners only care for sessions.
    }

    /**
     * The node does not want us because it keeps another beginning of the journal, of another cluster; {@link #refused}
     * follows.
     */
    default void strange(Link link, Incarnation kept) {
        // Only a writer can be one whose journal is no more.
    }

    /** The node does not want us; the link goes on trying, with long waits. */
    void refused(Link link, String why);

    /**
     * An answer arrived.
     *
     * @param request what it answers, the object that was handed to {@link Link#send}
     * @param sentNanos when its request was handed to the connection, by {@link System#nanoTime()}
     */
    void replied(Link link, PoolRequest request, PoolReply reply, long sentNanos);

    /** All answers that were read together have been given: the moment to act on them. */
    void turnEnded(Link link);
}

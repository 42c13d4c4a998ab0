/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport;

import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;

/** Is notified of events on a {@link Link}; always called on the transport's thread, must not block. */
public interface LinkListener {

    /** A session was accepted. */
    void onUp(Link link, Welcome welcome);

    /** The session broke; its unanswered requests will get no answer. */
    void onDown(Link link, String reason);

    /** An attempt to connect failed; the link keeps trying. */
    default void onUnreachable(Link link, String reason) {
        // Most listeners only care about sessions.
    }

    /**
     * The node refuses the caller because the node's journal is another incarnation, from another cluster;
     * {@link #onRefused} follows.
     */
    default void onForeignIncarnation(Link link, Incarnation keptIncarnation) {
        // It only matters to a writer, whose journal may no longer exist.
    }

    /** The node refuses the session; the link keeps trying, with long waits. */
    void onRefused(Link link, String reason);

    /**
     * An answer arrived.
     *
     * @param request the request that it answers, the same object that was handed to {@link Link#send}
     * @param sentNanos when the request was handed to the connection, by {@link System#nanoTime()}
     */
    void onReply(Link link, PoolRequest request, PoolReply reply, long sentNanos);

    /** The node has sent something since the session was accepted, perhaps only a part of an answer: it is alive. */
    default void onReceived(Link link) {
        // Most listeners wait for whole answers.
    }

    /** All answers that were read together have been delivered, and can now be acted on. */
    void onReadCompleted(Link link);
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport;

import io.trefoil.journal.model.JournalId;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Decides about new sessions of a node. */
public interface NodeSessionAcceptor {

    /**
     * Starts preparing for sessions of a journal, which may involve a slow disk; returns at once. Called before
     * {@link #accept} by any of several service threads, for callers that are not accepted yet.
     *
     * @return completes when it is ready, or known to have failed; callers do not wait for ever
     */
    default CompletionStage<Void> prepare(JournalId journal) {
        return CompletableFuture.completedFuture(null);
    }

    /**
     * Called by any of several service threads after a connection's caller was admitted; must not block.
     *
     * @param remote address of the caller, for logs
     * @throws SessionRefusedException with a text for the caller that gives both sides' values
     */
    NodeSession accept(Hello hello, String remote) throws SessionRefusedException;
}

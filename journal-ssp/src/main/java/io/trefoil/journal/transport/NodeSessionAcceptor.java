/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport;

import io.trefoil.journal.model.JournalId;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Decides about new sessions of a node. */
public interface NodeSessionAcceptor {

    /**
     * Makes ready what sessions of a journal need, which may have to wait for a disk; returns at once. Called before
     * {@link #accept} by any of several service threads, for callers that nobody has accepted yet.
     *
     * @return done when it is ready, or known not to be; nobody waits for ever
     */
    default CompletionStage<Void> prepare(JournalId journal) {
        return CompletableFuture.completedFuture(null);
    }

    /**
     * Called by any of several service threads after the first words of a connection were understood; must not block.
     *
     * @param remote address of the caller, for logs
     * @throws SessionRefusedException with a text for the caller that names both sides' values
     */
    NodeSession accept(Hello hello, String remote) throws SessionRefusedException;
}

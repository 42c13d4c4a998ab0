/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.server;

import io.trefoil.journal.model.Bytes;

/** Executes clients' calls that another NameNode was asked, in the process of the one that is active. */
public interface ForwardedCalls {

    /**
     * Begins to execute one. On a thread that serves others too, so it waits for nothing.
     *
     * @param answer takes what became of it, once and on any thread; it may be called before this returns
     */
    void execute(Bytes call, Asker answer);

    /** Who handed a call on. */
    interface Asker {
        /** Takes what became of it. */
        void accept(Bytes answer);

        /** Whether it still waits: if not, its client has been told to ask again, and may have done so elsewhere. On any thread. */
        default boolean isWaiting() {
            return true;
        }
    }
}

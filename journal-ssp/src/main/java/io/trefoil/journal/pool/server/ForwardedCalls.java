/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.server;

import io.trefoil.journal.model.Bytes;

/** Executes, in the active's process, clients' calls that another NameNode received. */
public interface ForwardedCalls {

    /**
     * Begins to execute a call. Runs on a thread that serves others too, so it must not block.
     *
     * @param answer takes the outcome, once and on any thread, perhaps before this returns
     */
    void execute(Bytes call, Forwarder answer);

    /** The NameNode that forwarded a call. */
    interface Forwarder {
        /** Receives the outcome. */
        void accept(Bytes answer);

        /**
         * Whether the caller still waits. If not, its client may have been told to ask again, and may have done so
         * elsewhere: its session has ended, or nothing is heard from it. On any thread.
         */
        default boolean isWaiting() {
            return true;
        }
    }
}

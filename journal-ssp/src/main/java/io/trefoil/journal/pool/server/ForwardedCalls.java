/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.server;

import io.trefoil.journal.model.Bytes;
import java.util.function.Consumer;

/** Executes clients' calls that another NameNode was asked, in the process of the one that is active. */
public interface ForwardedCalls {

    /**
     * Begins to execute one. On a thread that serves others too, so it waits for nothing.
     *
     * @param answer takes what became of it, once and on any thread; it may be called before this returns
     */
    void execute(Bytes call, Consumer<Bytes> answer);
}

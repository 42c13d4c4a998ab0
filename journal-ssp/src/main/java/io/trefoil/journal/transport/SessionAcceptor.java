/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport;

/** Decides about new sessions of a node. */
public interface SessionAcceptor {

    /**
     * Called by any of several service threads after the first words of a connection were understood; must not block for long.
     *
     * @param remote address of the caller, for logs
     * @throws SessionRefusedException with a text for the caller that names both sides' values
     */
    Session accept(Hello hello, String remote) throws SessionRefusedException;
}

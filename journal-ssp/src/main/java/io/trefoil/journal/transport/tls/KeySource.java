/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.tls;

import java.io.IOException;

/** Where the certificate of this host comes from, and those that it trusts. */
public interface KeySource {

    /** The part in a connection. */
    enum Side {
        /** The pool node that is called. */
        NODE,
        /** Who calls a pool node. */
        CALLER
    }

    /** Without TLS nobody asks for keys. */
    KeySource NONE = side -> {
        throw new IllegalStateException("There are no keys without TLS");
    };

    /**
     * Reads the keys, and goes on to see whether they change until it is closed.
     *
     * @throws IOException if something is missing or wrong; the text names what to set
     */
    Keys open(Side side) throws IOException;
}

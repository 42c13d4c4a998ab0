/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.tls;

import java.io.IOException;

/** The source of this host's certificate, and of the certificates that it trusts. */
public interface KeySource {

    /** The side of a connection. */
    enum Side {
        /** The pool node that is called. */
        NODE,
        /** The caller of a pool node. */
        CALLER
    }

    /** The source for processes without TLS, which never ask for keys. */
    KeySource NONE = side -> {
        throw new IllegalStateException("There are no keys without TLS");
    };

    /**
     * Reads the keys, and watches them for changes until the result is closed.
     *
     * @throws IOException if something is missing or wrong; the text names what to set
     */
    Keys open(Side side) throws IOException;
}

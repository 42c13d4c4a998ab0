/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.authentication;

import java.io.IOException;

/**
 * Protects the bytes of a connection from being changed or read in transit, as both sides agreed during authentication. Used by the
 * connection's thread only; never blocks.
 */
public interface Protection {

    /** The largest piece that either side produces, in bytes, including the protection. */
    int MAX_PIECE = 64 * 1024;

    /**
     * Every side accepts pieces of this length: each piece costs tens of bytes and some time, so shorter ones would be
     * wasteful.
     */
    int MIN_PIECE = 1024;

    /** The longest piece that {@link #wrap} takes. */
    int maxPlainBytes();

    /** Protects a piece. */
    byte[] wrap(byte[] plain) throws IOException;

    /** @throws IOException if it is not what the other side wrapped */
    byte[] unwrap(byte[] wrappedBytes) throws IOException;
}

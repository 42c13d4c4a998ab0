/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.authentication;

import java.io.IOException;

/**
 * Keeps what goes over a connection from being changed or read on its way, as both sides agreed when they
 * authenticated each other. Used by the connection's thread only; never blocks.
 */
public interface Protection {

    /** No side makes longer pieces than this, with all that protects them. */
    int MAX_PIECE = 64 * 1024;

    /** No side takes shorter pieces only: each costs tens of bytes and some time. */
    int MIN_PIECE = 1024;

    /** The longest piece that {@link #wrap} takes. */
    int maxPlainBytes();

    /** Protects a piece. */
    byte[] wrap(byte[] plain) throws IOException;

    /** @throws IOException if it is not what the other side has wrapped */
    byte[] unwrap(byte[] wrapped) throws IOException;
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.authentication;

import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.transport.access.Identity;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;

/**
 * A side of an exchange in which a caller and a node authenticate each other. The caller speaks first: its first input
 * is empty. Used by one thread at a time; its methods may block.
 */
public interface AuthenticationExchange extends Closeable {

    /**
     * Processes a token from the other side.
     *
     * @return the reply; a node says nothing more when the dialogue is complete
     * @throws IOException if the other side is not who it should be or proved nothing, or no protection suits both
     */
    Bytes process(Bytes message) throws IOException;

    /** Whether the other side has proved who it is; until then nothing it sends may be trusted. */
    boolean isComplete();

    /** The identity of the other side; available only when the dialogue is complete. */
    Identity peer();

    /** The protection of all further bytes, available only when the dialogue is complete; empty if they are sent unprotected. */
    Optional<Protection> protection();

    /** Disposes of the keys, including those of {@link #protection}. */
    @Override
    void close();
}

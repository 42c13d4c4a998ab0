/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.authentication;

import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.transport.access.Identity;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;

/**
 * One side of an exchange in which a caller and a node prove to each other who they are. The caller speaks first, and hears empty
 * bytes for that. Used by one thread at a time; its methods may block.
 */
public interface Dialogue extends Closeable {

    /**
     * Takes what the other side said.
     *
     * @return what to say to that; a node says nothing more when it is complete
     * @throws IOException if the other side is not who it should be or proved nothing, or no protection suits both
     */
    Bytes hear(Bytes said) throws IOException;

    /** Whether the other side has proved who it is; until then nothing that it says counts. */
    boolean isComplete();

    /** Who the other side is; once it is complete. */
    Identity peer();

    /** Of all that follows, once it is complete; empty if it goes as it is. */
    Optional<Protection> protection();

    /** Forgets the keys, those of {@link #protection} as well. */
    @Override
    void close();
}

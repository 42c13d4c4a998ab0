/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Reads the groups of a {@link TraceFile} one after another: those of hours need no more memory than those of seconds. */
public final class TracedGroups implements AutoCloseable {

    private final DataInputStream in;

    private TracedGroups(DataInputStream in) {
        this.in = in;
    }

    public static TracedGroups open(Path file) throws IOException {
        return new TracedGroups(new DataInputStream(new BufferedInputStream(Files.newInputStream(file))));
    }

    /** The next group; empty if there is none, or the last one is not whole, as its process was killed. */
    public Optional<byte[]> next() throws IOException {
        try {
            byte[] group = new byte[in.readInt()];
            in.readFully(group);
            return Optional.of(group);
        } catch (EOFException endsHere) {
            return Optional.empty();
        }
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.file;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The few file system operations that the storage needs. Tests replace {@link NioFiles} with one that fails, fills up and
 * loses power on demand.
 */
public interface FileLayer {

    boolean exists(Path path) throws IOException;

    /** The names in a directory, in no particular order. */
    List<String> list(Path directory) throws IOException;

    /**
     * Returns the number of bytes that can still be written to a directory; {@link Long#MAX_VALUE} if the file system does not
     * say.
     */
    long usableBytes(Path directory);

    /** Opens an existing file for reading and writing. */
    OpenFile open(Path file) throws IOException;

    /** Creates an empty file for reading and writing, replacing an existing one. */
    OpenFile create(Path file) throws IOException;

    /** Creates a directory and its missing parents, accessible to this process's user only; durable when it returns. */
    void createDirectories(Path directory) throws IOException;

    /** Renames a file or directory atomically, replacing an existing file. */
    void rename(Path from, Path to) throws IOException;

    /** Deletes a file. */
    void delete(Path file) throws IOException;

    /** Deletes a directory with all its contents. */
    void deleteTree(Path directory) throws IOException;

    /** Makes creations, renames and deletions in a directory durable. */
    void forceDirectory(Path directory) throws IOException;

    /**
     * Locks a directory against all other processes until the lock is closed, and against other users permanently.
     *
     * @throws IOException if another process has the lock, or another owner in this process; the text says which
     */
    Closeable lock(Path file) throws IOException;
}

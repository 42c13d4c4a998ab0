/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.file;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The few operations that the storage needs of a file system. Tests replace {@link NioFiles} by one that fails, fills
 * up and loses power on demand.
 */
public interface FileLayer {

    boolean exists(Path path) throws IOException;

    /** The names in a directory, in no order. */
    List<String> list(Path directory) throws IOException;

    /** How much can still be written to a directory, in bytes; {@link Long#MAX_VALUE} if the file system does not say. */
    long usableBytes(Path directory);

    /** Opens a file that is there, for reading and writing. */
    OpenFile open(Path file) throws IOException;

    /** Makes an empty file, in the place of one that may be there, for reading and writing. */
    OpenFile create(Path file) throws IOException;

    /** Makes a directory and those above it that are missing, for nobody but this process's user; durable when it returns. */
    void createDirectories(Path directory) throws IOException;

    /** Gives a file or directory another name, atomically, in the place of a file that may be there. */
    void rename(Path from, Path to) throws IOException;

    /** Deletes a file. */
    void delete(Path file) throws IOException;

    /** Deletes a directory with all that is in it. */
    void deleteTree(Path directory) throws IOException;

    /** Makes durable what was made, renamed and deleted in a directory. */
    void forceDirectory(Path directory) throws IOException;

    /**
     * Keeps everybody else out of a directory until the lock is closed, and other users for good.
     *
     * @throws IOException if another process has it, or another owner in this process; the text says who
     */
    Closeable lock(Path file) throws IOException;
}

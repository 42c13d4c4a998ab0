/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Writes small files so that they survive a crash of the host. For any thread; waits for the disk. */
public final class DurableFiles {

    private DurableFiles() {}

    /**
     * Replaces the text of a file atomically: after a crash, the file contains either the whole old text or the whole new one.
     * A crash may leave a draft next to it, with {@code .part} appended to the name; the next call overwrites the draft.
     */
    public static void replace(Path file, String text) throws IOException {
        Path draft = file.resolveSibling(file.getFileName() + ".part");
        write(draft, text);
        rename(draft, file);
    }

    /** Renames a draft to its file: after a crash, the file is either the old one or the draft. Durable when this returns. */
    public static void rename(Path draft, Path file) throws IOException {
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
        sync(file.getParent());
    }

    /** Writes a file that no process reads yet. Its name is durable only after {@link #sync} of its directory. */
    public static void write(Path file, String text) throws IOException {
        write(file, out -> out.write(text.getBytes(StandardCharsets.UTF_8)));
    }

    /**
     * Writes a file that no process reads yet, overwriting its content. Its name is durable only after {@link #sync} of
     * its directory.
     *
     * @param content gets an unbuffered stream
     */
    public static void write(Path file, ContentWriter content) throws IOException {
        try (FileOutputStream out = new FileOutputStream(file.toFile())) {
            content.writeTo(out);
            out.getFD().sync();
        }
    }

    /** Writes the content of a file. */
    public interface ContentWriter {
        void writeTo(OutputStream out) throws IOException;
    }

    /** Makes the content of a file durable, or the names in a directory. */
    public static void sync(Path fileOrDirectory) throws IOException {
        try (FileChannel channel = FileChannel.open(fileOrDirectory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.cli;

import io.trefoil.journal.model.SegmentInfo;
import java.io.BufferedOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/** A folder that edits files are written into: all of them, or none if one fails; never over one that is there. */
final class EditsFolder {

    /** Marks a file that is not whole. */
    private static final String PART = ".part";

    private static final int BUFFER_BYTES = 1 << 20;

    private final Path folder;

    EditsFolder(Path folder) {
        this.folder = folder;
    }

    /**
     * Writes the segments; the files are durable and have their names when this returns.
     *
     * @throws IOException if there is such a file already, or one cannot be read or written
     */
    void write(List<SegmentInfo> segments, EditsSource edits) throws IOException {
        Files.createDirectories(folder);
        for (SegmentInfo segment : segments) {
            Path file = folder.resolve(edits.fileName(segment));
            if (Files.exists(file)) {
                throw new FileAlreadyExistsException(file + " is there already; nothing was exported");
            }
        }
        List<Path> parts = new ArrayList<>();
        try {
            for (SegmentInfo segment : segments) {
                Path part = folder.resolve(edits.fileName(segment) + PART);
                parts.add(part);
                write(segment, edits, part);
            }
        } catch (IOException | RuntimeException e) {
            deleteAll(parts, e);
            throw e;
        }
        for (Path part : parts) {
            String name = part.getFileName().toString();
            Files.move(
                    part,
                    folder.resolve(name.substring(0, name.length() - PART.length())),
                    StandardCopyOption.ATOMIC_MOVE);
        }
    }

    private static void write(SegmentInfo segment, EditsSource edits, Path part) throws IOException {
        try (FileOutputStream file = new FileOutputStream(part.toFile());
                OutputStream buffered = new BufferedOutputStream(file, BUFFER_BYTES)) {
            edits.write(segment, buffered);
            buffered.flush();
            file.getFD().sync();
        }
    }

    private static void deleteAll(List<Path> parts, Exception because) {
        for (Path part : parts) {
            try {
                Files.deleteIfExists(part);
            } catch (IOException e) {
                because.addSuppressed(e);
            }
        }
    }

    /** How long the file of a segment is. */
    long size(SegmentInfo segment, EditsSource edits) throws IOException {
        return Files.size(folder.resolve(edits.fileName(segment)));
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.export;

import io.trefoil.foundation.DurableFiles;
import io.trefoil.foundation.PrivateFiles;
import io.trefoil.foundation.Progress;
import io.trefoil.journal.model.SegmentInfo;
import io.trefoil.tools.cluster.EditsSource;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/** A directory to write edits files into: either all of them, or none if one fails; never over an existing file. */
final class EditsDirectory {

    /** Marks a file that is incomplete. */
    private static final String PART = ".part";

    private static final int BUFFER_BYTES = 1 << 20;

    private final Path folder;

    EditsDirectory(Path folder) {
        this.folder = folder;
    }

    /**
     * Writes the segments; the files are durable and have their final names when this returns.
     *
     * @return what was written, in the order of the segments
     * @throws IOException if the directory is a NameNode's, a file exists already, or a segment cannot be read or written
     */
    List<EditsFile> write(List<SegmentInfo> segments, EditsSource edits, Progress.Task task) throws IOException {
        PrivateFiles.createDirectory(folder);
        for (Path directory : new Path[] {folder, folder.resolve("current")}) {
            if (hasImage(directory)) {
                throw new IOException(
                        directory + " is of a NameNode, as it has an image: edits there would be taken for its"
                                + " own; name another directory; nothing was exported");
            }
        }
        for (SegmentInfo segment : segments) {
            Path file = folder.resolve(edits.fileName(segment));
            if (Files.exists(file)) {
                throw new IOException(file + " exists already; nothing was exported");
            }
        }
        task.total(segments.stream().mapToLong(EditsDirectory::transactions).sum());
        long written = 0;
        List<Path> parts = new ArrayList<>();
        try {
            for (SegmentInfo segment : segments) {
                Path part = folder.resolve(edits.fileName(segment) + PART);
                parts.add(part);
                write(segment, edits, part);
                written += transactions(segment);
                task.done(written);
            }
        } catch (IOException | RuntimeException e) {
            deleteAll(parts, e);
            throw e;
        }
        List<EditsFile> files = new ArrayList<>();
        for (SegmentInfo segment : segments) {
            String name = edits.fileName(segment);
            Path file = folder.resolve(name);
            Files.move(folder.resolve(name + PART), file, StandardCopyOption.ATOMIC_MOVE);
            files.add(EditsFile.of(name, segment.found(), Files.size(file), segment.finalized()));
        }
        DurableFiles.sync(folder);
        return files;
    }

    private static boolean hasImage(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return false;
        }
        try (DirectoryStream<Path> images = Files.newDirectoryStream(directory, "fsimage_*")) {
            return images.iterator().hasNext();
        }
    }

    private static long transactions(SegmentInfo segment) {
        return segment.found().last() - segment.found().first() + 1;
    }

    private static void write(SegmentInfo segment, EditsSource edits, Path part) throws IOException {
        PrivateFiles.createFile(part);
        DurableFiles.write(part, out -> {
            OutputStream buffered = new BufferedOutputStream(out, BUFFER_BYTES);
            edits.write(segment, buffered);
            buffered.flush();
        });
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
}

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

/** A directory for edits files, of which either all are written, or none if one fails, and which never replace an existing file. */
final class EditsDirectory {

    /** The suffix that marks an incomplete file. */
    private static final String PART = ".part";

    private static final int BUFFER_BYTES = 1 << 20;

    private final Path root;

    EditsDirectory(Path directory) {
        this.root = directory;
    }

    /**
     * Writes the segments; the files are durable and have their final names when this returns.
     *
     * @return what was written, in the order of the segments
     * @throws IOException if the directory is a NameNode's, a file exists already, or a segment cannot be read or written
     */
    List<EditsFile> write(List<SegmentInfo> segments, EditsSource edits, Progress.Task task) throws IOException {
        PrivateFiles.createDirectory(root);
        for (Path directory : new Path[] {root, root.resolve("current")}) {
            if (hasImage(directory)) {
                throw new IOException(
                        directory + " is of a NameNode, as it has an image: edits there would be taken for its"
                                + " own; name another directory; nothing was exported");
            }
        }
        for (SegmentInfo segment : segments) {
            Path file = root.resolve(edits.fileName(segment));
            if (Files.exists(file)) {
                throw new IOException(file + " exists already; nothing was exported");
            }
        }
        task.reportTotal(
                segments.stream().mapToLong(EditsDirectory::transactions).sum());
        long written = 0;
        List<Path> parts = new ArrayList<>();
        try {
            for (SegmentInfo segment : segments) {
                Path part = root.resolve(edits.fileName(segment) + PART);
                parts.add(part);
                write(segment, edits, part);
                written += transactions(segment);
                task.reportDone(written);
            }
        } catch (IOException | RuntimeException e) {
            deleteAll(parts, e);
            throw e;
        }
        List<EditsFile> files = new ArrayList<>();
        for (SegmentInfo segment : segments) {
            String name = edits.fileName(segment);
            Path file = root.resolve(name);
            Files.move(root.resolve(name + PART), file, StandardCopyOption.ATOMIC_MOVE);
            files.add(EditsFile.of(name, segment.readableTxIds(), Files.size(file), segment.finalized()));
        }
        DurableFiles.sync(root);
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
        return segment.readableTxIds().last() - segment.readableTxIds().first() + 1;
    }

    private static void write(SegmentInfo segment, EditsSource edits, Path part) throws IOException {
        PrivateFiles.createFile(part);
        DurableFiles.write(part, out -> {
            OutputStream buffered = new BufferedOutputStream(out, BUFFER_BYTES);
            edits.write(segment, buffered);
            buffered.flush();
        });
    }

    private static void deleteAll(List<Path> parts, Exception cause) {
        for (Path part : parts) {
            try {
                Files.deleteIfExists(part);
            } catch (IOException e) {
                cause.addSuppressed(e);
            }
        }
    }
}

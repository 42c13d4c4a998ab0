/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.restore;

import io.trefoil.foundation.DurableFiles;
import io.trefoil.journal.hdfs.edits.ImageCounters;
import io.trefoil.journal.model.ImageId;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.VoidRange;
import io.trefoil.journal.pool.format.NewestImage;
import io.trefoil.journal.storage.image.ImageSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A file in {@code current} that names the incarnation of the journal whose place its namespace takes, because {@code archive
 * restore} made it from an archive. It is of use until a journal is initialized from that namespace. Stateless.
 */
public final class ArchiveRestoreRecord {

    private static final String FILE = "trefoil-archive-restore";

    private ArchiveRestoreRecord() {}

    public static void write(Path currentDirectory, Incarnation replacedIncarnation) throws IOException {
        DurableFiles.write(currentDirectory.resolve(FILE), replacedIncarnation + "\n");
    }

    /**
     * The incarnation whose place the namespace takes; empty if it was not made from an archive.
     *
     * @throws IOException if the record cannot be read, as one of a newer version
     */
    public static Optional<Incarnation> replacedIncarnation(Path currentDirectory) throws IOException {
        Path record = currentDirectory.resolve(FILE);
        if (!Files.exists(record)) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    Incarnation.parse(new String(Files.readAllBytes(record), StandardCharsets.UTF_8).trim()));
        } catch (IllegalArgumentException e) {
            throw new IOException(record + " names no incarnation of a journal: " + e.getMessage(), e);
        }
    }

    /**
     * The images that are void in a journal which begins with the namespace of these directories; none if no archive made it. The
     * new journal begins behind the newest image, which has ids of blocks above those of all earlier incarnations.
     *
     * @throws IOException if a directory cannot be read, or has no complete image
     */
    public static List<VoidRange> lostRanges(List<Path> nameDirectories) throws IOException {
        List<VoidRange> lost = new ArrayList<>();
        for (Path directory : nameDirectories) {
            if (replacedIncarnation(directory.resolve("current")).isPresent()) {
                NewestImage newest = newestImage(Collections.singletonList(directory))
                        .orElseThrow(() -> new IOException(
                                directory + " was restored from an archive, and has no complete image"));
                // The image itself included: one of the same transaction that was there before assigns ids again.
                lost.add(VoidRange.of(newest.txId() - 1, Long.MAX_VALUE, 0, newest.blockId()));
            }
        }
        return lost;
    }

    /**
     * The newest complete image of these directories, which HDFS would load; empty if there is none.
     *
     * @throws IOException if a directory or that image cannot be read
     */
    public static Optional<NewestImage> newestImage(List<Path> nameDirectories) throws IOException {
        SortedMap<ImageId, Path> images = new TreeMap<>();
        for (Path directory : nameDirectories) {
            images.putAll(new ImageSource(directory).images());
        }
        if (images.isEmpty()) {
            return Optional.empty();
        }
        ImageId newest = images.lastKey();
        long blockId = ImageCounters.read(images.get(newest)).contiguousId();
        return Optional.of(NewestImage.of(newest.txId(), blockId));
    }
}

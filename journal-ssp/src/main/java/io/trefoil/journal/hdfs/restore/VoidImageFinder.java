/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.restore;

import io.trefoil.journal.hdfs.edits.ImageCounters;
import io.trefoil.journal.model.VoidRange;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds images that belong to void timelines. The ids of void transactions are assigned again, so only an
 * image's counters tell which of the two timelines it belongs to. Immutable.
 */
public final class VoidImageFinder {

    private static final Pattern IMAGE = Pattern.compile("fsimage_(\\d{19})");

    private final List<VoidRange> ranges;

    private VoidImageFinder(List<VoidRange> ranges) {
        this.ranges = ranges;
    }

    /** Returns the finder of images in any of these ranges. */
    public static VoidImageFinder of(List<VoidRange> ranges) {
        return new VoidImageFinder(Collections.unmodifiableList(new ArrayList<>(ranges)));
    }

    /**
     * A void image in a directory, under the name that HDFS gives a complete image; empty if there is none.
     *
     * @throws IOException if an image cannot be read
     */
    public Optional<Path> find(Path directory) throws IOException {
        if (ranges.isEmpty() || !Files.isDirectory(directory)) {
            return Optional.empty();
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "fsimage_*")) {
            for (Path file : files) {
                Matcher name = IMAGE.matcher(file.getFileName().toString());
                if (name.matches() && isVoid(Long.parseLong(name.group(1)), file)) {
                    return Optional.of(file);
                }
            }
        }
        return Optional.empty();
    }

    /** Skips images that are older than the range, as most are: they need not be read. */
    private boolean isVoid(long txId, Path image) throws IOException {
        if (ranges.stream().noneMatch(range -> range.afterTxId() < txId)) {
            return false;
        }
        long blockId = ImageCounters.read(image).contiguousId();
        return ranges.stream().anyMatch(range -> range.contains(txId, blockId));
    }
}

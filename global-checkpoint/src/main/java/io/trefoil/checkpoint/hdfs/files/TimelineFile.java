/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs.files;

import io.trefoil.foundation.DurableFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The timeline that a name directory's images belong to: the epoch in which the journal was last restored
 * to a checkpoint before them, 0 if never, in the file {@code trefoil-lineage} in {@code current}. {@code
 * -bootstrapStandby} and {@code -format} create a {@code current} without it.
 */
public final class TimelineFile {

    private static final String FILE = "trefoil-lineage";

    private TimelineFile() {}

    /** @throws IOException if it is unknown whether the file exists, or if it cannot be read or does not hold a number */
    public static Optional<Long> read(Path currentDirectory) throws IOException {
        Path file = currentDirectory.resolve(FILE);
        if (Files.notExists(file)) {
            return Optional.empty();
        }
        String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8).trim();
        try {
            return Optional.of(Long.parseLong(text));
        } catch (NumberFormatException e) {
            throw new IOException("Wanted a number in " + file + ", found '" + text + "'", e);
        }
    }

    public static void write(Path currentDirectory, long epoch) throws IOException {
        DurableFiles.replace(currentDirectory.resolve(FILE), epoch + "\n");
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.archive;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A directory of ours in a directory of the operator's, so that nothing else is ever deleted. */
final class WorkDirectory {

    private final Path path;

    WorkDirectory(Path parent, String name) {
        this.path = parent.resolve(name);
    }

    Path path() {
        return path;
    }

    /** Deletes the directory when the process is told to end: a command that goes on until then does not survive to do so. */
    void clearAtExit() {
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            try {
                                clear();
                            } catch (IOException e) {
                                System.err.println("Delete " + path + ", which is no longer needed: " + e.getMessage());
                            }
                        },
                        "clear-at-exit"));
    }

    /** Deletes the directory with all its content, if it exists. */
    void clear() throws IOException {
        if (!Files.isDirectory(path)) {
            return;
        }
        List<Path> files;
        try (Stream<Path> listed = Files.walk(path)) {
            files = listed.sorted(Comparator.reverseOrder()).collect(Collectors.toList());
        }
        for (Path file : files) {
            Files.delete(file);
        }
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The sources that run in production. */
final class MainCode {
    private MainCode() {}

    /** The directory of the project. */
    static Path tree() {
        Path directory = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(directory.resolve("docs/operating"))) {
            directory = directory.getParent();
        }
        return directory;
    }

    /** In order, of all modules in a tree. */
    static List<Path> files(Path tree) throws IOException {
        try (Stream<Path> all = Files.find(
                tree,
                Integer.MAX_VALUE,
                (file, attributes) -> attributes.isRegularFile()
                        && tree.relativize(file)
                                .toString()
                                .matches("(?!integration-tests|benchmarks)[^/]+/src/main/java/.*\\.java"))) {
            return all.sorted().toList();
        }
    }
}

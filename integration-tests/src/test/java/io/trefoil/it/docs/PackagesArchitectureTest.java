/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A package says what happens in it. How many classes it has is for its author to judge. */
class PackagesArchitectureTest {
    @TempDir
    private Path planted;

    @Test
    void everyPackageHasDescription() throws IOException {
        assertThat(undescribedPackages(tree())).isEmpty();
    }

    @Test
    void detectsPackageWithoutDescription() throws IOException {
        plantPackage("module/src/main/java/silent", "One.java");
        plantPackage("module/src/main/java/speaking", "One.java", "package-info.java");
        plantPackage("module/src/test/java/silent", "OneTest.java");

        assertThat(undescribedPackages(planted)).containsExactly("module/src/main/java/silent");
    }

    private void plantPackage(String directory, String... files) throws IOException {
        Files.createDirectories(planted.resolve(directory));
        for (String file : files) {
            Files.createFile(planted.resolve(directory).resolve(file));
        }
    }

    private static Path tree() {
        Path directory = Path.of("").toAbsolutePath();
        while (!Files.isRegularFile(directory.resolve("docs/README.md"))) {
            directory = directory.getParent();
        }
        return directory;
    }

    /** Packages of main code without a {@code package-info}; the client test programs are one class each. */
    private static List<String> undescribedPackages(Path tree) throws IOException {
        try (Stream<Path> modules = Files.list(tree)) {
            return modules.map(module -> module.resolve("src/main/java"))
                    .filter(Files::isDirectory)
                    .flatMap(PackagesArchitectureTest::packages)
                    .filter(directory -> !Files.exists(directory.resolve("package-info.java")))
                    .map(directory -> tree.relativize(directory).toString())
                    .sorted()
                    .toList();
        }
    }

    private static Stream<Path> packages(Path sources) {
        try (Stream<Path> files = Files.walk(sources)) {
            return files
                    .filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> !file.endsWith("package-info.java"))
                    .map(Path::getParent)
                    .collect(Collectors.toSet())
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

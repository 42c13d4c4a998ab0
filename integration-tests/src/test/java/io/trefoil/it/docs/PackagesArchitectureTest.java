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
        assertThat(silentPackages(tree())).isEmpty();
    }

    @Test
    void detectsPackageWithoutDescription() throws IOException {
        plant("module/src/main/java/silent", "One.java");
        plant("module/src/main/java/speaking", "One.java", "package-info.java");
        plant("module/src/test/java/silent", "OneTest.java");

        assertThat(silentPackages(planted)).containsExactly("module/src/main/java/silent");
    }

    private void plant(String folder, String... files) throws IOException {
        Files.createDirectories(planted.resolve(folder));
        for (String file : files) {
            Files.createFile(planted.resolve(folder).resolve(file));
        }
    }

    private static Path tree() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.isRegularFile(folder.resolve("docs/README.md"))) {
            folder = folder.getParent();
        }
        return folder;
    }

    /** Packages of main code without a {@code package-info}; the client test programs are one class each. */
    private static List<String> silentPackages(Path tree) throws IOException {
        try (Stream<Path> modules = Files.list(tree)) {
            return modules.map(module -> module.resolve("src/main/java"))
                    .filter(Files::isDirectory)
                    .flatMap(PackagesArchitectureTest::packages)
                    .filter(folder -> !Files.exists(folder.resolve("package-info.java")))
                    .map(folder -> tree.relativize(folder).toString())
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

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.List;
import java.util.stream.Stream;

/** The archive that module {@code dist} built. */
final class ReleaseArchive {
    private static final String PROPERTY = "trefoil.release.archive";

    private final Path file;

    private ReleaseArchive(Path file) {
        this.file = file;
    }

    static ReleaseArchive ofBuild() {
        String file = System.getProperty(PROPERTY);
        assertThat(file).as(PROPERTY + ", which the Maven build sets").isNotNull();
        assertThat(Path.of(file)).isRegularFile();
        return new ReleaseArchive(Path.of(file));
    }

    Path file() {
        return file;
    }

    String version() {
        return file.getFileName().toString().replaceFirst("trefoil-(.+)\\.tar\\.gz", "$1");
    }

    /** As {@code tar} lists it: modes, owners, sizes, times, names. */
    List<String> listing() throws IOException, InterruptedException {
        return runTar("tar", "--numeric-owner", "-tvzf", file.toString())
                .lines()
                .toList();
    }

    /** Unpacks it, and returns its only directory. */
    Path unpackInto(Path directory) throws IOException, InterruptedException {
        runTar("tar", "-xzf", file.toString(), "-C", directory.toString());
        return directory.resolve("trefoil-" + version());
    }

    /** The same code as another version, packed in a directory. */
    ReleaseArchive repackAs(String version, Path directory) throws IOException, InterruptedException {
        Path renamed = directory.resolve("trefoil-" + version);
        Files.move(unpackInto(directory), renamed);
        for (Path jar : filesBelow(renamed, "trefoil-*.jar")) {
            try (FileSystem inside = FileSystems.newFileSystem(jar)) {
                replaceVersion(inside.getPath("META-INF/MANIFEST.MF"), "Implementation-Version: ", version);
                for (Path build : filesBelow(inside.getPath("META-INF/maven/io.trefoil"), "pom.properties")) {
                    replaceVersion(build, "version=", version);
                }
            }
        }
        Path packed = directory.resolve("trefoil-" + version + ".tar.gz");
        runTar(
                "tar",
                "-czf",
                packed.toString(),
                "-C",
                directory.toString(),
                renamed.getFileName().toString());
        return new ReleaseArchive(packed);
    }

    private static List<Path> filesBelow(Path directory, String name) throws IOException {
        PathMatcher matcher = directory.getFileSystem().getPathMatcher("glob:" + name);
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> matcher.matches(file.getFileName())).toList();
        }
    }

    private void replaceVersion(Path file, String before, String version) throws IOException {
        String text = Files.readString(file);
        assertThat(text).contains(before + version());
        Files.writeString(file, text.replace(before + version(), before + version));
    }

    static List<String> namesIn(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private static String runTar(String... arguments) throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(arguments).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }
}

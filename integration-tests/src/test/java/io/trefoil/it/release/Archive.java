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
final class Archive {
    private static final String PROPERTY = "trefoil.release.archive";

    private final Path file;

    private Archive(Path file) {
        this.file = file;
    }

    static Archive ofTheBuild() {
        String file = System.getProperty(PROPERTY);
        assertThat(file).as(PROPERTY + ", which the Maven build sets").isNotNull();
        assertThat(Path.of(file)).isRegularFile();
        return new Archive(Path.of(file));
    }

    Path file() {
        return file;
    }

    String version() {
        return file.getFileName().toString().replaceFirst("trefoil-(.+)\\.tar\\.gz", "$1");
    }

    /** As {@code tar} lists it: modes, owners, sizes, times, names. */
    List<String> listing() throws IOException, InterruptedException {
        return run("tar", "--numeric-owner", "-tvzf", file.toString()).lines().toList();
    }

    /** Unpacks it, and returns its only folder. */
    Path unpackInto(Path folder) throws IOException, InterruptedException {
        run("tar", "-xzf", file.toString(), "-C", folder.toString());
        return folder.resolve("trefoil-" + version());
    }

    /** The same code as another version, packed in a folder. */
    Archive as(String version, Path folder) throws IOException, InterruptedException {
        Path renamed = folder.resolve("trefoil-" + version);
        Files.move(unpackInto(folder), renamed);
        for (Path jar : filesBelow(renamed, "trefoil-*.jar")) {
            try (FileSystem inside = FileSystems.newFileSystem(jar)) {
                replaceVersion(inside.getPath("META-INF/MANIFEST.MF"), "Implementation-Version: ", version);
                for (Path build : filesBelow(inside.getPath("META-INF/maven/io.trefoil"), "pom.properties")) {
                    replaceVersion(build, "version=", version);
                }
            }
        }
        Path packed = folder.resolve("trefoil-" + version + ".tar.gz");
        run(
                "tar",
                "-czf",
                packed.toString(),
                "-C",
                folder.toString(),
                renamed.getFileName().toString());
        return new Archive(packed);
    }

    private static List<Path> filesBelow(Path folder, String name) throws IOException {
        PathMatcher matcher = folder.getFileSystem().getPathMatcher("glob:" + name);
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> matcher.matches(file.getFileName())).toList();
        }
    }

    private void replaceVersion(Path file, String before, String version) throws IOException {
        String text = Files.readString(file);
        assertThat(text).contains(before + version());
        Files.writeString(file, text.replace(before + version(), before + version));
    }

    static List<String> namesIn(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private static String run(String... words) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }
}

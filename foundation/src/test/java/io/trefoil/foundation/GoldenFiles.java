/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What releases write on disks, in ZooKeeper and on the wire, byte by byte, as files in {@code src/test/resources/golden} of a module: a
 * folder for each release that changed something, named by its minor version. A file is never changed, as clusters have what it has.
 *
 * <p>A test compares what the code writes now with the newest file ({@link #requireSame}), and reads those of all releases
 * ({@link #everyRelease}). {@code docs/operating/compatibility.md} says what has to be kept.
 */
public final class GoldenFiles {
    /** Names the folder in which a test may make files that are missing, as in {@code -Dtrefoil.golden.write=1.1}. */
    private static final String WRITE = "trefoil.golden.write";

    private final Path folder;
    private final String writtenRelease;

    /** @param writtenRelease the release whose missing files are made; empty if none are */
    GoldenFiles(Path folder, String writtenRelease) {
        this.folder = folder;
        this.writtenRelease = writtenRelease;
    }

    /** Those of the module whose tests run. */
    public static GoldenFiles ofModule() {
        return new GoldenFiles(Path.of("src", "test", "resources", "golden"), System.getProperty(WRITE, ""));
    }

    /**
     * Compares what the code writes with what the newest release wrote that has a file of this name.
     *
     * @throws AssertionError if they differ, or there is no such file; the text says what to do
     */
    public void requireSame(String name, byte[] written) throws IOException {
        Map<String, byte[]> releases = everyRelease(name);
        String newest =
                releases.keySet().stream().reduce((older, newer) -> newer).orElse("");
        if (!newest.isEmpty() && Arrays.equals(releases.get(newest), written)) {
            return;
        }
        if (!writtenRelease.isEmpty() && !writtenRelease.equals(newest)) {
            Path file = folder.resolve(writtenRelease).resolve(name);
            Files.createDirectories(file.getParent());
            Files.write(file, written);
            return;
        }
        throw new AssertionError(
                newest.isEmpty() ? missing(name) : changed(name, newest, releases.get(newest), written));
    }

    /** As {@link #requireSame(String, byte[])}, for text. */
    public void requireSame(String name, String written) throws IOException {
        requireSame(name, written.getBytes(StandardCharsets.UTF_8));
    }

    /** The files of this name by their releases, the oldest first. */
    public Map<String, byte[]> everyRelease(String name) throws IOException {
        Map<String, byte[]> releases = new LinkedHashMap<>();
        for (String release : releases()) {
            Path file = folder.resolve(release).resolve(name);
            if (Files.exists(file)) {
                releases.put(release, Files.readAllBytes(file));
            }
        }
        return releases;
    }

    /** As {@link #everyRelease(String)}, as text. */
    public Map<String, String> textOfEveryRelease(String name) throws IOException {
        Map<String, String> texts = new LinkedHashMap<>();
        everyRelease(name).forEach((release, bytes) -> texts.put(release, new String(bytes, StandardCharsets.UTF_8)));
        return texts;
    }

    private List<String> releases() throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> folders = Files.list(folder)) {
            return folders.map(one -> one.getFileName().toString())
                    .sorted(Comparator.<String>comparingInt(one -> number(one, 0))
                            .thenComparingInt(one -> number(one, 1)))
                    .toList();
        }
    }

    private static int number(String release, int part) {
        return Integer.parseInt(release.split("\\.")[part]);
    }

    private String missing(String name) {
        return "No release has " + name + " in " + folder.toAbsolutePath() + ". Make it with -D" + WRITE
                + "=<major.minor of pom.xml>, look at it, and commit it";
    }

    private String changed(String name, String newest, byte[] golden, byte[] written) {
        return name + " is not written as in golden/" + newest + ", which clusters have on their disks and wires: "
                + difference(golden, written) + "\n"
                + "If that was not meant, undo it. Else:\n"
                + "1. give the new form a version, or another name, by which an older release refuses it and changes nothing;\n"
                + "2. have the old form still read, and write how an operator goes back to the older release;\n"
                + "3. make the new file with -D" + WRITE + "=<major.minor of pom.xml>, and leave golden/" + newest
                + " as it is;\n"
                + "4. say so in docs/operating/compatibility.md and CHANGELOG.md";
    }

    private static String difference(byte[] golden, byte[] written) {
        int at = Arrays.mismatch(golden, written);
        return "byte " + at + ": wanted " + around(golden, at) + ", found " + around(written, at);
    }

    private static String around(byte[] bytes, int at) {
        if (at >= bytes.length) {
            return "the end";
        }
        byte[] part = Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + 40));
        return "'" + PrintableText.of(new String(part, StandardCharsets.ISO_8859_1)) + "'";
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * What releases write on disks, in ZooKeeper and on the wire, byte by byte, as files in {@code src/test/resources/golden} of a module: a
 * directory for each release that changed something, named by its minor version. A file is never changed, as clusters have what it has.
 *
 * <p>A test compares what the code writes now with the newest file ({@link #assertMatchesNewestRelease}), and reads those of all releases
 * ({@link #readAllReleases}). {@code docs/operating/compatibility.md} says what has to be kept.
 */
public final class GoldenFiles {
    /** Names the directory in which a test may make files that are missing, as in {@code -Dtrefoil.golden.write=1.1}. */
    private static final String WRITE = "trefoil.golden.write";

    private final Path directory;
    private final String writtenRelease;

    /** @param writtenRelease the release whose missing files are made; empty if none are */
    GoldenFiles(Path directory, String writtenRelease) {
        this.directory = directory;
        this.writtenRelease = writtenRelease;
    }

    /** Those of the module whose tests run. */
    public static GoldenFiles forCurrentModule() {
        return new GoldenFiles(Path.of("src", "test", "resources", "golden"), System.getProperty(WRITE, ""));
    }

    /**
     * Compares what the code writes with what the newest release wrote that has a file of this name.
     *
     * @throws AssertionError if they differ, or there is no such file; the text says what to do
     */
    public void assertMatchesNewestRelease(String name, byte[] currentBytes) throws IOException {
        Map<String, byte[]> releases = readAllReleases(name);
        String newestRelease =
                releases.keySet().stream().reduce((older, newer) -> newer).orElse("");
        if (!newestRelease.isEmpty() && Arrays.equals(releases.get(newestRelease), currentBytes)) {
            return;
        }
        if (!writtenRelease.isEmpty() && !writtenRelease.equals(newestRelease)) {
            Path file = directory.resolve(writtenRelease).resolve(name);
            Files.createDirectories(file.getParent());
            Files.write(file, currentBytes);
            return;
        }
        throw new AssertionError(
                newestRelease.isEmpty()
                        ? missingFileMessage(name)
                        : changedFormatMessage(name, newestRelease, releases.get(newestRelease), currentBytes));
    }

    /** As {@link #assertMatchesNewestRelease(String, byte[])}, for text. */
    public void assertMatchesNewestRelease(String name, String currentText) throws IOException {
        assertMatchesNewestRelease(name, currentText.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Checks that everything is still there that a release of the newest one's major version promised, a line each.
     *
     * @throws AssertionError if something is missing, or there is no such file; the text says what to do
     */
    public void assertKeepsLines(String name, Collection<String> lines) throws IOException {
        Map<String, String> releases = readAllReleasesAsText(name);
        boolean isWriting = !writtenRelease.isEmpty() && !releases.containsKey(writtenRelease);
        if (releases.isEmpty() && !isWriting) {
            throw new AssertionError(missingFileMessage(name));
        }
        int major = Stream.concat(releases.keySet().stream(), isWriting ? Stream.of(writtenRelease) : Stream.empty())
                .mapToInt(GoldenFiles::major)
                .max()
                .getAsInt();
        Map<String, String> missing = new TreeMap<>();
        releases.forEach((release, text) -> text.lines()
                .filter(line -> major(release) == major && !lines.contains(line))
                .forEach(line -> missing.putIfAbsent(line, release)));
        if (!missing.isEmpty()) {
            throw new AssertionError("Programs and configurations rely on these " + name
                    + ", and each is gone, by the release that has it: " + missing + "\n"
                    + "Keep them for the major version, as docs/operating/compatibility.md promises. Only what no release has had yet may go:"
                    + " take its line out of golden then");
        }
        if (isWriting) {
            Path file = directory.resolve(writtenRelease).resolve(name);
            Files.createDirectories(file.getParent());
            Files.writeString(file, String.join("\n", new TreeSet<>(lines)) + "\n");
        }
    }

    /** Version 1 begins with what was there before it. */
    private static int major(String release) {
        return Math.max(1, versionPart(release, 0));
    }

    /** The files of this name by their releases, the oldest first. */
    public Map<String, byte[]> readAllReleases(String name) throws IOException {
        Map<String, byte[]> releases = new LinkedHashMap<>();
        for (String release : releases()) {
            Path file = directory.resolve(release).resolve(name);
            if (Files.exists(file)) {
                releases.put(release, Files.readAllBytes(file));
            }
        }
        return releases;
    }

    /** As {@link #readAllReleases(String)}, as text. */
    public Map<String, String> readAllReleasesAsText(String name) throws IOException {
        Map<String, String> texts = new LinkedHashMap<>();
        readAllReleases(name)
                .forEach((release, bytes) -> texts.put(release, new String(bytes, StandardCharsets.UTF_8)));
        return texts;
    }

    private List<String> releases() throws IOException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> directories = Files.list(directory)) {
            return directories
                    .map(one -> one.getFileName().toString())
                    .sorted(Comparator.<String>comparingInt(one -> versionPart(one, 0))
                            .thenComparingInt(one -> versionPart(one, 1)))
                    .toList();
        }
    }

    private static int versionPart(String release, int part) {
        return Integer.parseInt(release.split("\\.")[part]);
    }

    private String missingFileMessage(String name) {
        return "No release has " + name + " in " + directory.toAbsolutePath() + ". Make it with -D" + WRITE
                + "=<major.minor of pom.xml>, look at it, and commit it";
    }

    private String changedFormatMessage(String name, String newestRelease, byte[] golden, byte[] currentBytes) {
        return name + " is not written as in golden/" + newestRelease
                + ", which clusters have on their disks and wires: "
                + difference(golden, currentBytes) + "\n"
                + "If that was not meant, undo it. Else:\n"
                + "1. give the new form a version, or another name, by which an older release refuses it and changes nothing;\n"
                + "2. have the old form still read, and write how an operator goes back to the older release;\n"
                + "3. make the new file with -D" + WRITE + "=<major.minor of pom.xml>, and leave golden/"
                + newestRelease
                + " as it is;\n"
                + "4. say so in docs/operating/compatibility.md and CHANGELOG.md";
    }

    private static String difference(byte[] golden, byte[] currentBytes) {
        int index = Arrays.mismatch(golden, currentBytes);
        return "byte " + index + ": wanted " + excerptAround(golden, index) + ", found "
                + excerptAround(currentBytes, index);
    }

    private static String excerptAround(byte[] bytes, int index) {
        if (index >= bytes.length) {
            return "the end";
        }
        byte[] part = Arrays.copyOfRange(bytes, index, Math.min(bytes.length, index + 40));
        return "'" + PrintableText.of(new String(part, StandardCharsets.ISO_8859_1)) + "'";
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.image;

import io.trefoil.journal.model.HeldImage;
import io.trefoil.journal.model.ImageId;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.NamespaceId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A NameNode's name directory, in whose {@code current} HDFS saves its images. Only read, never changed. */
public final class ImageSource {

    public static final String VERSION = "VERSION";

    /**
     * A file in {@code current} that lists, one per line, the incarnations of the journal that the namespace there was
     * made from.
     */
    public static final String LINE = "trefoil-journal";

    private static final Pattern IMAGE = Pattern.compile("fsimage_(\\d{1,19})");
    private static final Pattern ROLLBACK = Pattern.compile("fsimage_rollback_(\\d{1,19})");
    private static final Pattern DIGEST = Pattern.compile("([0-9a-fA-F]{32}) [ *](\\S+)\\s*");

    private final Path nameDirectory;

    public ImageSource(Path nameDirectory) {
        this.nameDirectory = nameDirectory;
    }

    public Path nameDirectory() {
        return nameDirectory;
    }

    Path current() {
        return nameDirectory.resolve("current");
    }

    /**
     * The complete images: HDFS gives an image its final name when all of it is on the disk, and it counts as complete when its digest is
     * there too. Empty if there is no such directory.
     */
    public SortedMap<ImageId, Path> images() throws IOException {
        return images(IMAGE);
    }

    /** The complete images to which a rolling upgrade can be rolled back: one while the upgrade is in progress, none otherwise. */
    public SortedMap<ImageId, Path> rollbackImages() throws IOException {
        return images(ROLLBACK);
    }

    static boolean isRollback(Path image) {
        return ROLLBACK.matcher(image.getFileName().toString()).matches();
    }

    private SortedMap<ImageId, Path> images(Pattern pattern) throws IOException {
        SortedMap<ImageId, Path> images = new TreeMap<>();
        if (!Files.isDirectory(current())) {
            return images;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(current(), "fsimage_*")) {
            for (Path file : files) {
                Matcher name = pattern.matcher(file.getFileName().toString());
                if (name.matches()) {
                    readId(file, Long.parseLong(name.group(1))).ifPresent(id -> images.put(id, file));
                }
            }
        }
        return images;
    }

    private static Optional<ImageId> readId(Path image, long txId) throws IOException {
        try {
            Path digest = image.resolveSibling(image.getFileName() + ".md5");
            Matcher text = DIGEST.matcher(new String(Files.readAllBytes(digest), StandardCharsets.UTF_8));
            long length = Files.size(image);
            boolean whole =
                    text.matches() && text.group(2).equals(image.getFileName().toString()) && length > 0;
            return whole
                    ? Optional.of(ImageId.of(txId, length, text.group(1).toLowerCase(Locale.ROOT)))
                    : Optional.<ImageId>empty();
        } catch (NoSuchFileException e) {
            // Not completely saved yet, or just deleted by HDFS.
            return Optional.empty();
        }
    }

    /** The text of HDFS's {@code VERSION}; empty if the file does not exist. */
    public Optional<String> version() throws IOException {
        try {
            return Optional.of(new String(Files.readAllBytes(current().resolve(VERSION)), StandardCharsets.UTF_8));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /** Whether the directory's {@code VERSION} names this namespace. */
    public boolean belongsTo(NamespaceId namespace) throws IOException {
        return version().filter(text -> HeldImage.isVersionOf(text, namespace)).isPresent();
    }

    /**
     * Whether the directory's images may continue with this incarnation of the journal: after a promotion, images may have other
     * transactions with the same txids. True if the directory does not say.
     */
    public boolean mayBeOf(Incarnation incarnation) throws IOException {
        try {
            return Files.readAllLines(current().resolve(LINE)).contains(incarnation.toString());
        } catch (NoSuchFileException e) {
            return true;
        }
    }

    @Override
    public String toString() {
        return nameDirectory.toString();
    }
}

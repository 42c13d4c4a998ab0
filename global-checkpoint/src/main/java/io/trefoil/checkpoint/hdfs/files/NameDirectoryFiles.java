/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs.files;

import io.trefoil.checkpoint.model.CheckpointId;
import io.trefoil.checkpoint.model.RestoreRecord;
import io.trefoil.checkpoint.restore.NameDirectory;
import io.trefoil.foundation.DurableFiles;
import io.trefoil.foundation.PrivateFiles;
import io.trefoil.journal.hdfs.restore.VoidImageFinder;
import io.trefoil.journal.model.VoidRange;
import io.trefoil.journal.storage.image.NameDirectoryLock;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.hdfs.util.MD5FileUtils;

/**
 * A directory of {@code dfs.namenode.name.dir} or {@code dfs.namenode.edits.dir}: its files, and how a new {@code
 * current} replaces the old one.
 */
public final class NameDirectoryFiles {

    public static final String CURRENT = "current";
    static final String VERSION = "VERSION";
    static final String SEEN_TXID = "seen_txid";

    private static final String NEXT = "current.restoring";
    private static final List<String> UPGRADE_DIRECTORIES =
            Arrays.asList("previous", "previous.tmp", "removed.tmp", "finalized.tmp");
    private static final List<String> IDENTITY =
            Arrays.asList("clusterID", "namespaceID", "blockpoolID", "cTime", "layoutVersion");
    private static final Pattern IMAGE = Pattern.compile("fsimage_(\\d{19})");
    private static final Pattern EDITS = Pattern.compile("edits_(?:inprogress_|\\d{19}-)(\\d{19})");
    private static final String ROLLBACK_IMAGE = "fsimage_rollback_";

    private final Path root;
    private final boolean images;

    /** @param holdsImages whether it is for images; if not, it is only for edits */
    public NameDirectoryFiles(Path root, boolean holdsImages) {
        this.root = root;
        this.images = holdsImages;
    }

    public Path root() {
        return root;
    }

    public Path current() {
        return root.resolve(CURRENT);
    }

    boolean holdsImages() {
        return images;
    }

    /** Inspects the directory and changes nothing. */
    public NameDirectory inspect(CheckpointId id, Optional<RestoreRecord> restoreRecord) throws IOException {
        NameDirectory.Builder found = NameDirectory.builder()
                .path(root.toString())
                .holdsImages(images)
                .inUse(NameDirectoryLock.isHeld(root));
        if (restoreRecord.isPresent()) {
            found.movedAside(findMovedAside(id, restoreRecord.get()).map(Path::toString));
        }
        boolean upgrade = UPGRADE_DIRECTORIES.stream().anyMatch(name -> Files.exists(root.resolve(name)));
        if (Files.isDirectory(current())) {
            found.storage(Optional.of(storage(current()))).installedInEpoch(TimelineFile.read(current()));
            long newest = 0;
            try (DirectoryStream<Path> files = Files.newDirectoryStream(current())) {
                for (Path file : files) {
                    String name = file.getFileName().toString();
                    newest = Math.max(newest, Math.max(txId(IMAGE, name), txId(EDITS, name)));
                    upgrade |= name.startsWith(ROLLBACK_IMAGE);
                }
            }
            found.newestTxId(newest);
        }
        return found.unfinishedUpgrade(upgrade).build();
    }

    /** @throws IOException if an image has to be copied and there is not enough room for it */
    public void requireSpace(Path image, DiskSpaceGuard spaceGuard) throws IOException {
        Files.createDirectories(root);
        boolean linked = Files.getFileStore(root).equals(Files.getFileStore(image));
        spaceGuard.require(root, images && !linked ? Files.size(image) : 0);
    }

    private static long txId(Pattern pattern, String name) {
        Matcher matcher = pattern.matcher(name);
        return matcher.matches() ? Long.parseLong(matcher.group(1)) : 0;
    }

    /** The newest image with a checksum; empty if there is none. */
    public Optional<Path> newestImage() throws IOException {
        Optional<Path> newest = Optional.empty();
        if (Files.isDirectory(current())) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(current(), "fsimage_*")) {
                for (Path file : files) {
                    boolean usable =
                            IMAGE.matcher(file.getFileName().toString()).matches() && Files.exists(checksum(file));
                    if (usable && (!newest.isPresent() || txIdOfImage(newest.get()) < txIdOfImage(file))) {
                        newest = Optional.of(file);
                    }
                }
            }
        }
        return newest;
    }

    /**
     * An image of a void timeline; empty if there is none.
     *
     * @throws IOException if an image cannot be read
     */
    public Optional<Path> voidImage(List<VoidRange> ranges) throws IOException {
        return VoidImageFinder.of(ranges).find(current());
    }

    public static long txIdOfImage(Path image) {
        return txId(IMAGE, image.getFileName().toString());
    }

    public static Path checksum(Path image) {
        return MD5FileUtils.getDigestFileForFile(image.toFile()).toPath();
    }

    /** The properties that an image and the directory into which it is placed must have in common. */
    public static String storage(Path directory) throws IOException {
        Properties properties = new Properties();
        try (InputStream in = Files.newInputStream(directory.resolve(VERSION))) {
            properties.load(in);
        }
        StringBuilder text = new StringBuilder();
        for (String name : IDENTITY) {
            text.append(text.length() == 0 ? "" : " ")
                    .append(name)
                    .append('=')
                    .append(properties.getProperty(name, ""));
        }
        return text.toString();
    }

    /**
     * Locks the directory against NameNodes until the lock is closed.
     *
     * @throws IOException if a process is using it
     */
    public Closeable lock() throws IOException {
        Files.createDirectories(root);
        NameDirectoryLock lock =
                NameDirectoryLock.tryAcquire(root).orElseThrow(() -> new IOException(root + " is in use"));
        FileOwnershipCopier.copyOwner(root, lock.file());
        return lock;
    }

    /**
     * Gives the directory a {@code current} that contains only an image, and moves the existing one aside. At every moment the old one is
     * there complete, or the new one complete, or none.
     *
     * @param suffix the end of the old one's new name
     * @return the old one under its new name
     */
    public Optional<Path> installImage(Path image, long epoch, String suffix) throws IOException {
        Path next = root.resolve(NEXT);
        // Left by an earlier attempt.
        if (Files.exists(next) && !FileUtil.fullyDelete(next.toFile())) {
            throw new IOException("Cannot delete " + next);
        }
        fill(next, image, images, txIdOfImage(image));
        TimelineFile.write(next, epoch);
        if (Files.exists(current())) {
            FileOwnershipCopier.copyMode(current(), next);
        }
        return replaceCurrent(next, suffix);
    }

    /**
     * Makes a directory of the same file system {@code current}, and moves the present one aside. At every moment the old one is there, or the
     * new one, or none.
     *
     * @param suffix the end of the old one's new name
     * @return the old one under its new name
     */
    public Optional<Path> replaceCurrent(Path next, String suffix) throws IOException {
        FileOwnershipCopier.copyOwner(root, next);
        DurableFiles.sync(next);
        Optional<Path> moved = Optional.empty();
        if (Files.exists(current())) {
            moved = Optional.of(root.resolve(CURRENT + suffix));
            Files.move(current(), moved.get(), StandardCopyOption.ATOMIC_MOVE);
        }
        Files.move(next, current(), StandardCopyOption.ATOMIC_MOVE);
        DurableFiles.sync(root);
        return moved;
    }

    /**
     * The directory that a restore moved aside first, if it belongs to the timeline that the restore made void. On a host
     * that an earlier restore left out it belongs to another timeline.
     */
    private Optional<Path> findMovedAside(CheckpointId id, RestoreRecord restoreRecord) throws IOException {
        Optional<Path> first = Optional.empty();
        if (Files.isDirectory(root)) {
            String names = CURRENT + movedAsideSuffix(id, restoreRecord.restoreEpoch()) + "*";
            try (DirectoryStream<Path> found = Files.newDirectoryStream(root, names)) {
                for (Path one : found) {
                    first = !first.isPresent() || first.get().compareTo(one) > 0 ? Optional.of(one) : first;
                }
            }
        }
        // NameNodes mark only directories with images.
        boolean isOfVoidTimeline = first.isPresent()
                && (!images || TimelineFile.read(first.get()).orElse(0L) >= restoreRecord.voidEpoch());
        return isOfVoidTimeline ? first : Optional.<Path>empty();
    }

    /** The suffix after {@code current} in the name of a directory that a restore moved aside; followed by the time. */
    public static String movedAsideSuffix(CheckpointId id, long epoch) {
        return ".before-restore-" + id + "-" + epoch + "-";
    }

    /**
     * Makes a directory that was moved aside {@code current} again, and moves the existing one aside.
     *
     * @param suffix the end of the present one's new name
     */
    public void restoreMovedAside(Path before, long epoch, String suffix) throws IOException {
        TimelineFile.write(before, epoch);
        replaceCurrent(before, suffix);
    }

    /** Creates a directory with the contents of a {@code current}; the {@code VERSION} is copied from next to the image. */
    public static void fill(Path directory, Path image, boolean withImage, long seenTxId) throws IOException {
        PrivateFiles.createDirectory(directory);
        copy(image.resolveSibling(VERSION), directory);
        DurableFiles.write(directory.resolve(SEEN_TXID), seenTxId + "\n");
        if (withImage) {
            linkOrCopy(checksum(image), directory);
            linkOrCopy(image, directory);
        }
    }

    private static void linkOrCopy(Path file, Path target) throws IOException {
        try {
            Files.createLink(target.resolve(file.getFileName()), file);
        } catch (FileSystemException | UnsupportedOperationException e) {
            // On another disk.
            copy(file, target);
        }
    }

    private static void copy(Path file, Path target) throws IOException {
        Path copied = target.resolve(file.getFileName());
        Files.copy(file, copied);
        DurableFiles.sync(copied);
    }

    @Override
    public String toString() {
        return root.toString();
    }

    public static NameDirectoryFiles of(File root, boolean holdsImages) {
        return new NameDirectoryFiles(root.toPath(), holdsImages);
    }
}

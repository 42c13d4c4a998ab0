/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs.files;

import io.trefoil.checkpoint.model.CheckpointId;
import io.trefoil.foundation.DurableFiles;
import io.trefoil.foundation.OrderRefusedException;
import io.trefoil.foundation.PrivateFiles;
import java.io.File;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.hdfs.server.namenode.NNStorage;
import org.apache.hadoop.hdfs.util.MD5FileUtils;
import org.apache.hadoop.io.MD5Hash;

/**
 * The images that one NameNode keeps for checkpoints: hard links in {@code trefoil/checkpoints/<id>} next to the {@code current} of its
 * first name directory, with their checksums and the {@code VERSION}. HDFS deletes old images, and cannot be told that one is still needed.
 * Thread-safe.
 *
 * <p>Uses {@code NNStorage.getFsImageName}, {@code MD5FileUtils}.
 */
public final class RetainedImages {

    private static final Pattern IMAGE = Pattern.compile("fsimage_(\\d{19})");
    private static final String VERSION = "VERSION";
    private static final List<String> VERSION_PROPERTIES = Collections.unmodifiableList(
            Arrays.asList("namespaceID", "clusterID", "blockpoolID", "layoutVersion", "cTime", "storageType"));

    private final Path currentDirectory;
    private final Path root;

    /** @param currentDirectory where the NameNode keeps its newest image */
    public RetainedImages(Path currentDirectory) {
        this.currentDirectory = currentDirectory;
        this.root = currentDirectory.resolveSibling("trefoil").resolve("checkpoints");
    }

    /** @throws IOException if the NameNode has no image */
    public static RetainedImages of(NNStorage storage) throws IOException {
        File newest = storage.getHighestFsImageName();
        if (newest == null) {
            throw new IOException("The NameNode has no image");
        }
        return new RetainedImages(newest.toPath().getParent());
    }

    /**
     * Keeps the newest image in a range of transactions; returns at once if an image is already kept.
     *
     * @return the image's transaction; empty if this NameNode has no image in the range
     */
    public synchronized Optional<Long> retain(CheckpointId id, long leastTxId, long mostTxId) throws IOException {
        Path directory = directory(id);
        SortedMap<Long, Path> kept = images(directory);
        if (!kept.isEmpty()) {
            return Optional.of(kept.lastKey());
        }
        SortedMap<Long, Path> fitting = images(currentDirectory).subMap(leastTxId, mostTxId + 1);
        if (fitting.isEmpty()) {
            return Optional.empty();
        }
        Path image = fitting.get(fitting.lastKey());
        Path checksum = MD5FileUtils.getDigestFileForFile(image.toFile()).toPath();
        if (!Files.exists(checksum)) {
            throw new OrderRefusedException(
                    "The image " + image + " has no checksum file; hdfs dfsadmin -saveNamespace" + " makes a new one");
        }
        PrivateFiles.createOrRestrictDirectory(root.getParent());
        Files.createDirectories(directory);
        // The image comes last: a directory with an image is complete.
        Files.copy(currentDirectory.resolve(VERSION), directory.resolve(VERSION), StandardCopyOption.REPLACE_EXISTING);
        DurableFiles.sync(directory.resolve(VERSION));
        link(directory, checksum);
        DurableFiles.sync(directory);
        link(directory, image);
        // The image counts as kept only when a crash of the host can no longer take it away.
        DurableFiles.sync(directory);
        DurableFiles.sync(root);
        DurableFiles.sync(root.getParent());
        return Optional.of(fitting.lastKey());
    }

    private static void link(Path directory, Path file) throws IOException {
        try {
            Files.createLink(directory.resolve(file.getFileName()), file);
        } catch (FileAlreadyExistsException e) {
            // Left by an earlier attempt that ended with its process.
            Files.delete(directory.resolve(file.getFileName()));
            Files.createLink(directory.resolve(file.getFileName()), file);
        }
    }

    /** Whether there is an image of this checkpoint, whether intact or not. */
    public boolean has(CheckpointId id) throws IOException {
        return !images(directory(id)).isEmpty();
    }

    /**
     * Reads the image that is kept for a checkpoint, and the other files that a name directory needs; returns its
     * transaction.
     *
     * @param progress called whenever more was read
     * @throws IOException if there is no image, its checksum is wrong, or the {@code VERSION} next to it is
     *     incomplete
     */
    public long verify(CheckpointId id, Runnable progress) throws IOException {
        SortedMap<Long, Path> kept = images(directory(id));
        if (kept.isEmpty()) {
            throw new OrderRefusedException("No image is kept in " + directory(id));
        }
        verifyVersion(directory(id).resolve(VERSION));
        File image = kept.get(kept.lastKey()).toFile();
        MD5Hash stored = MD5FileUtils.readStoredMd5ForFile(image);
        if (stored == null) {
            throw new OrderRefusedException("The checksum of " + image + " is missing");
        }
        MD5Hash computed;
        try (InputStream bytes = new ProgressStream(Files.newInputStream(image.toPath()), progress)) {
            computed = MD5Hash.digest(bytes);
        }
        if (!stored.equals(computed)) {
            throw new OrderRefusedException(image + " is damaged: its MD5 is " + computed + " instead of " + stored);
        }
        return kept.lastKey();
    }

    /** @throws IOException if a restore would refuse to lay the image into the name directory in its present state */
    public void requireSameNamespace(CheckpointId id) throws IOException {
        String kept = NameDirectoryFiles.storage(directory(id));
        String now = NameDirectoryFiles.storage(currentDirectory);
        if (!kept.equals(now)) {
            throw new OrderRefusedException(directory(id).resolve(VERSION)
                    + " is of another namespace or layout than this NameNode: " + kept + " instead of " + now
                    + "; a restore will refuse it, unless HDFS is again the version that made it");
        }
    }

    private static void verifyVersion(Path file) throws IOException {
        Properties version = new Properties();
        try (InputStream bytes = Files.newInputStream(file)) {
            version.load(bytes);
        } catch (NoSuchFileException e) {
            throw new OrderRefusedException(file + " is missing");
        }
        for (String wanted : VERSION_PROPERTIES) {
            if (version.getProperty(wanted, "").isEmpty()) {
                throw new OrderRefusedException(file + " is damaged: it has no " + wanted);
            }
        }
    }

    /** Records the timeline to which a checkpoint belongs, as {@link TimelineFile} does for a name directory. */
    public void mark(CheckpointId id, long epoch) throws IOException {
        if (!mark(id).equals(Optional.of(epoch))) {
            TimelineFile.write(directory(id), epoch);
        }
    }

    /** The recorded epoch; empty if it is unknown. */
    public Optional<Long> mark(CheckpointId id) throws IOException {
        return TimelineFile.read(directory(id));
    }

    /** The image that is kept for a checkpoint, whether intact or not. */
    public Optional<Path> find(CheckpointId id) throws IOException {
        SortedMap<Long, Path> kept = images(directory(id));
        return kept.isEmpty() ? Optional.<Path>empty() : Optional.of(kept.get(kept.lastKey()));
    }

    /** Stops keeping a checkpoint's image; does nothing if there is none. */
    public synchronized void forget(CheckpointId id) throws IOException {
        File directory = directory(id).toFile();
        if (directory.exists() && !FileUtil.fullyDelete(directory)) {
            throw new IOException("Cannot delete " + directory);
        }
    }

    /** The checkpoints for which something is kept. */
    public synchronized List<CheckpointId> ids() throws IOException {
        List<CheckpointId> ids = new ArrayList<>();
        if (Files.isDirectory(root)) {
            try (DirectoryStream<Path> directories = Files.newDirectoryStream(root)) {
                for (Path directory : directories) {
                    id(directory.getFileName().toString()).ifPresent(ids::add);
                }
            }
        }
        return ids;
    }

    /** The checkpoint that a directory's name denotes; empty if it denotes none. */
    private static Optional<CheckpointId> id(String name) {
        try {
            return Optional.of(CheckpointId.parse(name));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    Path directory(CheckpointId id) {
        return root.resolve(id.toString());
    }

    private static SortedMap<Long, Path> images(Path directory) throws IOException {
        SortedMap<Long, Path> images = new TreeMap<>();
        if (Files.isDirectory(directory)) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "fsimage_*")) {
                for (Path file : files) {
                    Matcher matcher = IMAGE.matcher(file.getFileName().toString());
                    if (matcher.matches()) {
                        images.put(Long.parseLong(matcher.group(1)), file);
                    }
                }
            }
        }
        return images;
    }

    /** Reports each part that is read. */
    private static final class ProgressStream extends FilterInputStream {

        private final Runnable progress;

        ProgressStream(InputStream in, Runnable progress) {
            super(in);
            this.progress = progress;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            int read = super.read(buffer, offset, length);
            progress.run();
            return read;
        }
    }
}

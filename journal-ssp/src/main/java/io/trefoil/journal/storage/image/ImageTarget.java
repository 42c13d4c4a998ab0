/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.image;

import io.trefoil.foundation.DurableFiles;
import io.trefoil.foundation.PrivateFiles;
import io.trefoil.journal.codec.Crc32c;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.HeldImage;
import io.trefoil.journal.model.ImageId;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.BitSet;
import java.util.Objects;
import java.util.Optional;

/**
 * A name directory into which an image is fetched, and from which a stock NameNode starts afterwards. Several threads
 * may write parts; parts that an interrupted fetch left are recognized by their checksums.
 *
 * <p>Nothing that existed is changed before {@link #finish}, and nothing is ever overwritten. HDFS's own lock is held,
 * so that no NameNode uses the directory meanwhile.
 */
public final class ImageTarget implements Closeable {

    private static final String CURRENT = "current";
    /** A namespace that is not complete yet. */
    private static final String DRAFT = CURRENT + ".fetching";

    private static final String PARTIAL_IMAGES = "fsimage_*.fetching-*";
    private static final String[] NAMESPACE_LINES = {"clusterID", "namespaceID", "blockpoolID", "cTime"};

    private final Path directory;
    private final HeldImage image;
    private final Path partial;
    private final NameDirectoryLock lock;
    private FileChannel file;

    private ImageTarget(Path directory, HeldImage image, NameDirectoryLock lock) {
        this.directory = directory;
        this.image = image;
        this.lock = lock;
        ImageId id = image.id();
        this.partial = directory.resolve(image.fileName() + ".fetching-" + id.md5());
    }

    /**
     * Prepares for an image; creates the directory if necessary.
     *
     * @throws IOException if it belongs to another namespace, a NameNode uses it, or it has another image of the same
     *     transaction; nothing was changed
     */
    public static ImageTarget open(Path directory, HeldImage image) throws IOException {
        PrivateFiles.createDirectory(directory);
        Optional<NameDirectoryLock> lock = NameDirectoryLock.tryAcquire(directory);
        if (!lock.isPresent()) {
            throw new IOException(directory + " is in use, its " + NameDirectoryLock.lastHolder(directory)
                    + "; stop that NameNode first");
        }
        ImageTarget target = new ImageTarget(directory, image, lock.get());
        try {
            target.requireCompatible();
        } catch (IOException | RuntimeException e) {
            target.close();
            throw e;
        }
        return target;
    }

    /**
     * Deletes the remains of failed fetches in a directory without a namespace, and its lock file: HDFS formats a directory without asking
     * only if it is empty. Leaves one alone that has a namespace, or is in use.
     */
    public static void clear(Path directory) throws IOException {
        if (!Files.isDirectory(directory) || Files.exists(directory.resolve(CURRENT))) {
            return;
        }
        Optional<NameDirectoryLock> lock = NameDirectoryLock.tryAcquire(directory);
        if (!lock.isPresent()) {
            return;
        }
        try (NameDirectoryLock held = lock.get()) {
            if (Files.exists(directory.resolve(CURRENT))) {
                return;
            }
            deleteFiles(directory, PARTIAL_IMAGES);
            Path draft = directory.resolve(DRAFT);
            if (Files.isDirectory(draft)) {
                deleteFiles(draft, "*");
                Files.delete(draft);
            }
            // HDFS deletes its own likewise. A process that has opened this one meanwhile finds nothing here that two
            // could damage.
            Files.delete(held.file());
        }
    }

    private static void deleteFiles(Path directory, String glob) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, glob)) {
            for (Path file : files) {
                Files.delete(file);
            }
        }
    }

    private void requireCompatible() throws IOException {
        Path current = directory.resolve(CURRENT);
        if (!Files.isDirectory(current)) {
            return;
        }
        Optional<String> version = new ImageSource(directory).version();
        if (!version.isPresent()) {
            if (!isEmpty(current)) {
                throw new IOException(current + " has files, but no " + ImageSource.VERSION
                        + " that says of which namespace; move it aside first");
            }
            return;
        }
        for (String line : NAMESPACE_LINES) {
            String found = Objects.toString(findLine(version.get(), line), "none");
            String wanted = Objects.toString(findLine(image.version(), line), "none");
            if (!found.equals(wanted)) {
                throw new IOException(current + " belongs to another namespace: its " + line + " is " + found
                        + ", that of the image is " + wanted);
            }
        }
        if (Files.exists(current.resolve(image.fileName())) && !isComplete()) {
            throw new IOException(current.resolve(image.fileName()) + " already exists, and is not the " + image
                    + "; move it aside first");
        }
    }

    private static String findLine(String version, String name) {
        for (String line : version.split("\n", -1)) {
            if (line.startsWith(name + "=")) {
                return line.substring(name.length() + 1).trim();
            }
        }
        return null;
    }

    private static boolean isEmpty(Path directory) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            return !files.iterator().hasNext();
        }
    }

    /** Whether the directory has this image already, so that there is nothing to fetch. */
    public boolean isComplete() throws IOException {
        ImageSource source = new ImageSource(directory);
        return (image.isRollback() ? source.rollbackImages() : source.images()).containsKey(image.id());
    }

    /** Reads the parts that an earlier fetch left; returns those with the right checksums. */
    public BitSet findVerifiedParts() throws IOException {
        if (!Files.exists(partial)) {
            PrivateFiles.createFile(partial);
        }
        file = FileChannel.open(partial, StandardOpenOption.READ, StandardOpenOption.WRITE);
        BitSet there = new BitSet();
        long size = file.size();
        for (int part = 0; part < image.partCount() && image.offset(part) < size; part++) {
            Optional<Bytes> bytes = read(file, part);
            if (bytes.isPresent() && matches(part, bytes.get())) {
                there.set(part);
            }
        }
        return there;
    }

    private Optional<Bytes> read(FileChannel from, int part) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(image.size(part));
        while (bytes.hasRemaining()) {
            if (from.read(bytes, image.offset(part) + bytes.position()) < 0) {
                return Optional.empty();
            }
        }
        return Optional.of(Bytes.wrap(bytes.array()));
    }

    /** Whether these bytes match that part of the image. */
    public boolean matches(int part, Bytes bytes) {
        return bytes.size() == image.size(part)
                && Crc32c.of(bytes.sharedArray(), bytes.sharedOffset(), bytes.size()) == image.checksum(part);
    }

    /** Writes a part, after {@link #findVerifiedParts}; may be called by several threads at once. */
    public void write(int part, Bytes bytes) throws IOException {
        ByteBuffer rest = ByteBuffer.wrap(bytes.sharedArray(), bytes.sharedOffset(), bytes.size());
        long at = image.offset(part);
        while (rest.hasRemaining()) {
            at += file.write(rest, at);
        }
    }

    /**
     * Writes all missing parts from another name directory that has the image.
     *
     * @throws IOException if a part there does not match its checksum
     */
    public void copy(Path otherDirectory) throws IOException {
        BitSet there = findVerifiedParts();
        Path source = otherDirectory.resolve(CURRENT).resolve(image.fileName());
        try (FileChannel from = FileChannel.open(source, StandardOpenOption.READ)) {
            for (int part = there.nextClearBit(0); part < image.partCount(); part = there.nextClearBit(part + 1)) {
                Optional<Bytes> bytes = read(from, part);
                if (!bytes.isPresent() || !matches(part, bytes.get())) {
                    throw new IOException(source + " is damaged in part " + part);
                }
                write(part, bytes.get());
            }
        }
    }

    /**
     * Moves the image to its place after all parts were written: durable, with its digest next to it.
     *
     * @return its path
     * @throws IOException if its digest is wrong; what was fetched is deleted then
     */
    public Path finish() throws IOException {
        MessageDigest digest = ImageStore.md5();
        for (int part = 0; part < image.partCount(); part++) {
            Bytes bytes = read(file, part).orElseThrow(() -> new IOException(partial + " is not whole"));
            digest.update(bytes.sharedArray(), bytes.sharedOffset(), bytes.size());
        }
        String found = ImageStore.hex(digest.digest());
        if (!found.equals(image.id().md5()) || file.size() != image.id().length()) {
            file.close();
            Files.delete(partial);
            throw new IOException("What was fetched is not the " + image + ": its MD5 is " + found
                    + ". It was deleted; the nodes gave wrong checksums");
        }
        sync();
        file.close();
        Path current = directory.resolve(CURRENT);
        boolean isNew = !new ImageSource(directory).version().isPresent();
        Path place = isNew ? directory.resolve(DRAFT) : current;
        PrivateFiles.createDirectory(place);
        Path target = place.resolve(image.fileName());
        DurableFiles.write(place.resolve(image.fileName() + ".md5"), image.id().md5() + " *" + image.fileName() + "\n");
        Files.move(partial, target, StandardCopyOption.ATOMIC_MOVE);
        if (isNew) {
            DurableFiles.write(place.resolve("seen_txid"), image.id().txId() + "\n");
            DurableFiles.write(place.resolve(ImageSource.VERSION), image.versionFile());
            Files.move(place, current, StandardCopyOption.ATOMIC_MOVE);
        }
        DurableFiles.sync(current);
        DurableFiles.sync(directory);
        return current.resolve(image.fileName());
    }

    private void sync() throws IOException {
        try {
            file.force(true);
        } catch (IOException e) {
            // The next attempt would find all parts in memory, and its sync would succeed.
            file.close();
            Files.delete(partial);
            throw e;
        }
    }

    /** Keeps the fetched parts for the next attempt. */
    @Override
    public void close() throws IOException {
        if (file != null) {
            file.close();
        }
        // The lock file stays, next to a namespace. If it were deleted, a process that has it open would lock the
        // deleted one, and another
        // process a new one.
        lock.close();
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.image;

import io.trefoil.foundation.PrivateFiles;
import io.trefoil.journal.codec.Crc32c;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.HeldImage;
import io.trefoil.journal.model.ImageId;
import io.trefoil.journal.model.NamespaceId;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The images that a node holds for one journal, each in a directory of its own: a hard link to the NameNode's own file,
 * the checksums of its parts, and HDFS's {@code VERSION}. Thread-safe; its lock is not held while an image is read.
 *
 * <p>Nothing here is synced: what a crash loses is published again, and what it damages no longer matches its digest.
 */
public final class ImageStore {

    private static final Logger LOG = LoggerFactory.getLogger(ImageStore.class);

    private static final Pattern NAME = Pattern.compile("([0-9]{19})-([0-9a-f]{32})");
    private static final String IMAGE = "fsimage";
    private static final String CHECKSUMS = "checksums";
    private static final String PUBLISHED = "published";
    private static final String UNFINISHED = ".tmp";

    private final Path directory;
    private final SortedMap<ImageId, HeldImage> held = new TreeMap<>();
    private final Map<ImageId, Long> publishedSns = new TreeMap<>();

    /** Throttles the reading of a whole image. */
    public interface ReadLimit {
        /** Waits until this many more bytes may be read. */
        void acquire(int bytes) throws IOException;
    }

    private ImageStore(Path directory) {
        this.directory = directory;
    }

    /** @throws IOException if the directory cannot be created or read */
    public static ImageStore open(Path directory, ReadLimit limit) throws IOException {
        ImageStore store = new ImageStore(directory);
        if (Files.isDirectory(directory)) {
            PrivateFiles.createOrRestrictDirectory(directory);
            store.read(limit);
        }
        return store;
    }

    private void read(ReadLimit limit) throws IOException {
        List<Path> unfinished = new ArrayList<>();
        try (DirectoryStream<Path> images = Files.newDirectoryStream(directory)) {
            for (Path image : images) {
                Matcher name = NAME.matcher(image.getFileName().toString());
                if (name.matches()) {
                    try {
                        HeldImage found = loadHeldImage(image, Long.parseLong(name.group(1)), name.group(2), limit);
                        publishedSns.put(found.id(), publishedSn(image));
                        held.put(found.id(), found);
                    } catch (IOException | IllegalArgumentException e) {
                        LOG.warn("Ignoring image={}: {}; do: inspect it, and delete it", image, e.toString());
                    }
                } else if (image.getFileName().toString().endsWith(UNFINISHED)) {
                    unfinished.add(image);
                }
            }
        }
        for (Path image : unfinished) {
            delete(image);
        }
    }

    private static HeldImage loadHeldImage(Path image, long txId, String md5, ReadLimit limit) throws IOException {
        ImageId id = ImageId.of(txId, Files.size(image.resolve(IMAGE)), md5);
        String version = new String(Files.readAllBytes(image.resolve(ImageSource.VERSION)), StandardCharsets.UTF_8);
        try {
            byte[] file = Files.readAllBytes(image.resolve(CHECKSUMS));
            int size = file.length - HeldImage.CHECKSUM_BYTES;
            if (size > 0 && ByteBuffer.wrap(file).getInt(size) == Crc32c.of(file, 0, size)) {
                return HeldImage.of(id, Bytes.wrap(file, 0, size), version);
            }
            LOG.warn("The checksums of image={} are damaged; computing them again; no action needed", image);
        } catch (NoSuchFileException e) {
            LOG.warn("image={} has no checksums; computing them; no action needed", image);
        }
        HeldImage made = HeldImage.of(id, checksums(image.resolve(IMAGE), id, limit), version);
        writeChecksums(image, made);
        return made;
    }

    private static long publishedSn(Path image) throws IOException {
        String text = new String(Files.readAllBytes(image.resolve(PUBLISHED)), StandardCharsets.UTF_8);
        return Long.parseLong(text.trim());
    }

    private static void writeChecksums(Path image, HeldImage heldImage) throws IOException {
        byte[] checksums = heldImage.checksums().toByteArray();
        ByteBuffer file = ByteBuffer.allocate(checksums.length + HeldImage.CHECKSUM_BYTES);
        file.put(checksums).putInt(Crc32c.of(checksums, 0, checksums.length));
        Files.write(image.resolve(CHECKSUMS), file.array());
    }

    /** Reads a whole image; returns the checksums of its parts if it matches the digest. */
    private static Bytes checksums(Path file, ImageId id, ReadLimit limit) throws IOException {
        MessageDigest digest = md5();
        ByteBuffer checksums = ByteBuffer.allocate(Math.toIntExact(
                (id.length() + HeldImage.PART_BYTES - 1) / HeldImage.PART_BYTES * HeldImage.CHECKSUM_BYTES));
        byte[] part = new byte[HeldImage.PART_BYTES];
        try (InputStream in = Files.newInputStream(file)) {
            for (long left = id.length(); left > 0; left -= part.length) {
                int size = (int) Math.min(left, part.length);
                limit.acquire(size);
                readFully(in, part, size, file);
                digest.update(part, 0, size);
                checksums.putInt(Crc32c.of(part, 0, size));
            }
        }
        String image = hex(digest.digest());
        if (!image.equals(id.md5())) {
            throw new IOException(
                    file + " is damaged: its MD5 is " + image + ", HDFS wrote " + id.md5() + " beside it");
        }
        return Bytes.wrap(checksums.array());
    }

    private static void readFully(InputStream in, byte[] part, int size, Path file) throws IOException {
        int read = 0;
        while (read < size) {
            int count = in.read(part, read, size - read);
            if (count < 0) {
                throw new EOFException(file + " became shorter while it was read");
            }
            read += count;
        }
    }

    /** The digest that HDFS uses; {@link #hex} formats it. */
    static MessageDigest md5() {
        try {
            return MessageDigest.getInstance("MD5");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("Every JDK has MD5", e);
        }
    }

    static String hex(byte[] bytes) {
        StringBuilder hex = new StringBuilder();
        for (byte value : bytes) {
            hex.append(String.format("%02x", value));
        }
        return hex.toString();
    }

    public synchronized List<HeldImage> heldImages() {
        return new ArrayList<>(held.values());
    }

    public synchronized Optional<HeldImage> findHeldImage(ImageId id) {
        return Optional.ofNullable(held.get(id));
    }

    /** The last entry of the journal that was committed when this held image was published. */
    public synchronized long publishedSn(ImageId id) {
        return publishedSns.get(id);
    }

    /**
     * Reads an image of a name directory once, and from then on holds it with a hard link. By one thread at a time.
     *
     * @param committedSn a committed entry at or behind that of the image's last transaction
     * @return the held image; empty if HDFS deleted it meanwhile, or it is of another namespace
     * @throws IOException if it cannot be linked, or its digest is wrong; nothing is held then
     */
    public Optional<HeldImage> publish(
            ImageSource source, ImageId id, Path image, NamespaceId namespace, long committedSn, ReadLimit limit)
            throws IOException {
        Optional<String> version = source.version();
        if (!version.isPresent() || !HeldImage.isVersionOf(version.get(), namespace)) {
            return Optional.empty();
        }
        Path target = directory(id);
        Path making = target.resolveSibling(target.getFileName() + UNFINISHED);
        delete(making);
        PrivateFiles.createDirectory(making);
        try {
            Files.createLink(making.resolve(IMAGE), image);
            String text = ImageSource.isRollback(image) ? HeldImage.markAsRollback(version.get()) : version.get();
            HeldImage made = HeldImage.of(id, checksums(making.resolve(IMAGE), id, limit), text);
            Files.write(making.resolve(ImageSource.VERSION), text.getBytes(StandardCharsets.UTF_8));
            Files.write(making.resolve(PUBLISHED), Long.toString(committedSn).getBytes(StandardCharsets.UTF_8));
            writeChecksums(making, made);
            // Outside the lock, so that asking which images are held waits for no disk.
            Files.move(making, target, StandardCopyOption.ATOMIC_MOVE);
            synchronized (this) {
                held.put(id, made);
                publishedSns.put(id, committedSn);
            }
            return Optional.of(made);
        } catch (NoSuchFileException e) {
            delete(making);
            return Optional.empty();
        } catch (IOException | RuntimeException e) {
            delete(making);
            throw e;
        }
    }

    /**
     * A part of an image, as it is on the disk.
     *
     * @throws IOException if the image is no longer held, or cannot be read
     */
    public Bytes read(ImageId id, int part) throws IOException {
        HeldImage image = findHeldImage(id).orElseThrow(() -> new IOException("The " + id + " is not held here"));
        if (part < 0 || part >= image.partCount()) {
            throw new IOException("The " + id + " has " + image.partCount() + " parts, there is no part " + part);
        }
        ByteBuffer bytes = ByteBuffer.allocate(image.size(part));
        try (FileChannel file = FileChannel.open(directory(id).resolve(IMAGE), StandardOpenOption.READ)) {
            while (bytes.hasRemaining()) {
                if (file.read(bytes, image.offset(part) + bytes.position()) < 0) {
                    throw new EOFException("The file of the " + id + " ends in part " + part);
                }
            }
        }
        return Bytes.wrap(bytes.array());
    }

    /** Releases an image, if it is held. By the thread that publishes. */
    public void release(ImageId id) throws IOException {
        Path gone = directory(id).resolveSibling(directory(id).getFileName() + UNFINISHED);
        synchronized (this) {
            if (held.remove(id) == null) {
                return;
            }
            publishedSns.remove(id);
        }
        delete(gone);
        Files.move(directory(id), gone, StandardCopyOption.ATOMIC_MOVE);
        delete(gone);
    }

    private Path directory(ImageId id) {
        return directory.resolve(String.format("%019d-%s", id.txId(), id.md5()));
    }

    @Override
    public String toString() {
        return directory.toString();
    }

    private static void delete(Path image) throws IOException {
        if (!Files.isDirectory(image)) {
            return;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(image)) {
            for (Path file : files) {
                Files.delete(file);
            }
        }
        Files.delete(image);
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.archive.store;

import io.trefoil.checkpoint.archive.ArchivedImage;
import io.trefoil.journal.model.ImageId;
import io.trefoil.journal.model.Incarnation;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/** The images of an archive: HDFS's file, and then a record of it. Stateless. */
public final class ImageRecords {

    private static final String TITLE = "trefoil-archive-image";
    private static final int VERSION = 1;
    private static final int BUFFER_BYTES = 1 << 20;

    private ImageRecords() {}

    /** Limits how fast an image is read. */
    public interface Pace {

        /** A rate without a limit. */
        Pace FREE = bytes -> {};

        /** Waits until so many bytes more may be read. */
        void await(int bytes) throws IOException;
    }

    /**
     * Writes an image, and then its record.
     *
     * @throws IOException if the file is not that image, and then there is no record
     */
    public static void put(ArchiveStore store, ArchivedImage image, Path file, Pace pace) throws IOException {
        store.put(image.path(), out -> {
            try (InputStream in = Files.newInputStream(file)) {
                copy(image, in, out, pace);
            }
        });
        byte[] record = record(image);
        store.put(image.recordPath(), out -> out.write(record));
    }

    static byte[] record(ArchivedImage image) {
        return new ObjectHeader(TITLE, VERSION)
                .append("incarnation", image.incarnation())
                .append("txId", image.txId())
                .append("bytes", image.id().length())
                .append("md5", image.id().md5())
                .append("confirmed", image.confirmedSn())
                .append("millis", image.millis())
                .append(
                        "version",
                        Base64.getEncoder().encodeToString(image.version().getBytes(StandardCharsets.UTF_8)))
                .bytes();
    }

    /** Whether the archive has an image, with its record. */
    public static boolean has(ArchiveStore store, Incarnation incarnation, ImageId id) throws IOException {
        return store.list(ArchivedImage.directory(incarnation)).contains(ArchivedImage.recordPath(incarnation, id));
    }

    static ArchivedImage read(ArchiveStore store, String path) throws IOException {
        try (InputStream in = store.open(path)) {
            ObjectHeader record = ObjectHeader.read(TITLE, VERSION, in);
            return ArchivedImage.of(
                    Incarnation.parse(record.value("incarnation")),
                    ImageId.of(
                            Long.parseLong(record.value("txId")),
                            Long.parseLong(record.value("bytes")),
                            record.value("md5")),
                    Long.parseLong(record.value("confirmed")),
                    Long.parseLong(record.value("millis")),
                    new String(Base64.getDecoder().decode(record.value("version")), StandardCharsets.UTF_8));
        } catch (FileNotFoundException e) {
            throw e;
        } catch (DamagedObjectException | IllegalArgumentException e) {
            throw new DamagedObjectException(path + ": " + e.getMessage(), e);
        } catch (IOException e) {
            throw new IOException(path + ": " + e.getMessage(), e);
        }
    }

    /** @throws IOException if the image is not what its record says */
    static void check(ArchiveReader reader, ArchivedImage image) throws IOException {
        copy(reader, image, new OutputStream() {
            @Override
            public void write(int one) {
                // Only the digest matters.
            }

            @Override
            public void write(byte[] some, int offset, int length) {
                // As above.
            }
        });
    }

    /**
     * Copies an image.
     *
     * @throws IOException if it is not what its record says; the target then holds something else
     */
    public static void copy(ArchiveReader reader, ArchivedImage image, OutputStream out) throws IOException {
        try (InputStream in = reader.open(image)) {
            copy(image, in, out, Pace.FREE);
        }
    }

    private static void copy(ArchivedImage image, InputStream in, OutputStream out, Pace pace) throws IOException {
        MessageDigest digest = md5();
        long bytes = 0;
        byte[] some = new byte[BUFFER_BYTES];
        for (int count = in.read(some); count >= 0; count = in.read(some)) {
            pace.await(count);
            digest.update(some, 0, count);
            out.write(some, 0, count);
            bytes += count;
        }
        StringBuilder found = new StringBuilder();
        for (byte one : digest.digest()) {
            found.append(String.format("%02x", one));
        }
        if (bytes != image.id().length() || !found.toString().equals(image.id().md5())) {
            throw new DamagedObjectException(
                    "it is damaged: wanted " + image.id().length() + " bytes with MD5 "
                            + image.id().md5() + ", found " + bytes + " with " + found);
        }
    }

    private static MessageDigest md5() {
        try {
            return MessageDigest.getInstance("MD5");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("Every JDK has MD5", e);
        }
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.datanode;

import io.trefoil.federation.datanode.LinkOrder.Check;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.hdfs.server.datanode.BlockMetadataHeader;
import org.apache.hadoop.hdfs.server.datanode.CorruptMetaHeaderException;
import org.apache.hadoop.util.DataChecksum;
import org.apache.hadoop.util.StringUtils;

/**
 * Verifies the two files of a replica.
 *
 * <p>Uses {@code BlockMetadataHeader}, {@code DataChecksum}.
 */
final class ReplicaChecksums {

    /** The only version that HDFS's checksum files have ever had. */
    private static final short VERSION = 1;

    /** The number of chunks, each with its checksum, that are read at a time. */
    private static final int CHUNKS = 1_024;

    /** The number of bytes that are read at a time. The writer of the block has chosen how large its chunks are. */
    private static final int MAX_BYTES = 16 * 1024 * 1024;

    private ReplicaChecksums() {}

    /**
     * The MD5 of the checksums, in hexadecimal: HDFS computes the checksum of a file from these.
     *
     * @throws LinkRefusedException if a length is wrong, checksums are of another version or cannot be read, there are none or their chunks
     *     are too large where bytes are to be compared, or bytes do not match
     */
    static String check(Path data, Path meta, long length, Check check) throws IOException {
        if (Files.size(data) != length) {
            throw new LinkRefusedException("the block file has " + Files.size(data) + " bytes, wanted " + length);
        }
        try (DataInputStream sums =
                        new DataInputStream(new BufferedInputStream(Files.newInputStream(meta), 64 * 1024));
                InputStream bytes = Files.newInputStream(data)) {
            BlockMetadataHeader header = BlockMetadataHeader.readHeader(sums);
            DataChecksum checksum = header.getChecksum();
            if (header.getVersion() != VERSION) {
                throw new LinkRefusedException("checksums of version " + header.getVersion() + ", " + checksum
                        + "; wanted version " + VERSION);
            }
            // Files that were written without (dfs.checksum.type=NULL) have none to be lost.
            if (checksum.getChecksumSize() == 0 && check == Check.BYTES) {
                throw new LinkRefusedException("no checksums, with which bytes could be compared: " + checksum);
            }
            requireAllChecksums(meta, length, checksum);
            return digest(data, sums, bytes, length, checksum, check);
        } catch (EOFException | CorruptMetaHeaderException e) {
            throw new LinkRefusedException("the file of checksums cannot be read: " + e.getMessage());
        }
    }

    private static void requireAllChecksums(Path meta, long length, DataChecksum checksum) throws IOException {
        long chunks = (length + checksum.getBytesPerChecksum() - 1) / checksum.getBytesPerChecksum();
        long expected = BlockMetadataHeader.getHeaderSize() + chunks * checksum.getChecksumSize();
        if (Files.size(meta) != expected) {
            throw new LinkRefusedException(
                    "the file of checksums has " + Files.size(meta) + " bytes, wanted " + expected + " for " + length);
        }
    }

    private static String digest(
            Path data, DataInputStream sums, InputStream bytes, long length, DataChecksum checksum, Check check)
            throws IOException {
        MessageDigest md5 = md5();
        int chunk = checksum.getBytesPerChecksum();
        if (check == Check.BYTES && chunk > MAX_BYTES) {
            throw new LinkRefusedException(
                    "chunks of " + chunk + " bytes are too large to be compared; wanted at most " + MAX_BYTES);
        }
        long most = (long) chunk * Math.max(1, Math.min(CHUNKS, MAX_BYTES / chunk));
        byte[] some = new byte[check == Check.BYTES ? (int) Math.min(length, most) : 0];
        byte[] someSums = new byte[CHUNKS * checksum.getChecksumSize()];
        long at = 0;
        while (at < length) {
            int count = (int) Math.min(length - at, most);
            int sumsCount = (int) (((long) count + chunk - 1) / chunk) * checksum.getChecksumSize();
            sums.readFully(someSums, 0, sumsCount);
            md5.update(someSums, 0, sumsCount);
            if (check == Check.BYTES) {
                new DataInputStream(bytes).readFully(some, 0, count);
                try {
                    checksum.verifyChunkedSums(
                            ByteBuffer.wrap(some, 0, count),
                            ByteBuffer.wrap(someSums, 0, sumsCount),
                            data.toString(),
                            at);
                } catch (ChecksumException e) {
                    throw new LinkRefusedException("the bytes are not those of their checksums: " + e.getMessage());
                }
            }
            at += count;
        }
        return StringUtils.byteToHexString(md5.digest());
    }

    private static MessageDigest md5() {
        try {
            return MessageDigest.getInstance("MD5");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JDK has MD5", e);
        }
    }
}

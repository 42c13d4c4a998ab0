/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.load.ledger;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Random;
import java.util.zip.CRC32C;

/**
 * The content of a file, generated from a seed, so that it can be checked without being stored.
 *
 * @param seed contents with equal seed and length are equal
 * @param length in bytes
 */
public record FileContent(long seed, long length) {
    /** The content of a file that was created and closed at once. */
    public static final FileContent EMPTY = new FileContent(0, 0);

    private static final int CHUNK = 64 * 1024;

    void writeTo(OutputStream out) throws IOException {
        Random random = new Random(seed);
        byte[] chunk = new byte[CHUNK];
        for (long left = length; left > 0; left -= CHUNK) {
            random.nextBytes(chunk);
            out.write(chunk, 0, (int) Math.min(left, CHUNK));
        }
    }

    /** The checksum of this content. */
    public long checksum() {
        CRC32C checksum = new CRC32C();
        try {
            writeTo(new OutputStream() {
                @Override
                public void write(int oneByte) {
                    checksum.update(oneByte);
                }

                @Override
                public void write(byte[] bytes, int offset, int count) {
                    checksum.update(bytes, offset, count);
                }
            });
        } catch (IOException e) {
            throw new IllegalStateException("a checksum does not fail", e);
        }
        return checksum.getValue();
    }

    /** The checksum of the stream's content. */
    static long checksumOf(InputStream in) throws IOException {
        CRC32C checksum = new CRC32C();
        byte[] chunk = new byte[CHUNK];
        for (int count = in.read(chunk); count >= 0; count = in.read(chunk)) {
            checksum.update(chunk, 0, count);
        }
        return checksum.getValue();
    }
}

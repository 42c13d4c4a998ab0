/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.log;

import io.trefoil.journal.storage.file.OpenFile;
import io.trefoil.journal.storage.log.frame.LogFrameHead;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/**
 * The bytes after the last complete frame of a log file: nothing, the rest of a torn tail, or more. Zeros, remains of
 * an earlier log file, and frames without a valid head count as nothing: no scan will ever mistake them for entries.
 */
final class TailProbe {

    private static final int CHUNK_SIZE = 256 << 10;
    private static final byte[] ZEROS = new byte[CHUNK_SIZE];

    private final OpenFile file;
    private final int salt;
    private final long fileSize;
    private long usedSize;
    private long durableSn;

    private TailProbe(OpenFile file, int salt) throws IOException {
        this.file = file;
        this.salt = salt;
        this.fileSize = file.size();
    }

    /** Searches a file from a multiple of {@link LogFrameHead#ALIGNMENT} to its end. */
    static TailProbe of(OpenFile file, int salt, long offset) throws IOException {
        TailProbe probe = new TailProbe(file, salt);
        probe.usedSize = offset;
        byte[] chunk = new byte[(int) Math.min(CHUNK_SIZE, probe.fileSize - offset) + LogFrameHead.SIZE];
        for (long at = offset; at < probe.fileSize; at += CHUNK_SIZE) {
            probe.inspect(chunk, at);
        }
        return probe;
    }

    /** The offset after which there is no frame of this file. */
    long usedSize() {
        return usedSize;
    }

    /**
     * The highest durable serial number in any frame's head, whether its entry is complete or not; 0 if there is no such head.
     */
    long durableSn() {
        return durableSn;
    }

    private void inspect(byte[] chunk, long offset) throws IOException {
        // A head may extend into the next chunk.
        int size = (int) Math.min(chunk.length, fileSize - offset);
        int own = Math.min(size, CHUNK_SIZE);
        file.read(ByteBuffer.wrap(chunk, 0, size), offset);
        Arrays.fill(chunk, size, chunk.length, (byte) 0);
        if (isZero(chunk, own)) {
            return;
        }
        for (int i = 0; i < own; i += LogFrameHead.ALIGNMENT) {
            Optional<LogFrameHead> head = LogFrameHead.parse(chunk, i, salt);
            if (head.isPresent() && fileSize - offset - i >= head.get().frameSize()) {
                durableSn = Math.max(durableSn, head.get().durableSn());
                usedSize = Math.max(usedSize, offset + i + head.get().frameSize());
            }
        }
    }

    private static boolean isZero(byte[] chunk, int size) {
        return ByteBuffer.wrap(chunk, 0, size).equals(ByteBuffer.wrap(ZEROS, 0, size));
    }
}

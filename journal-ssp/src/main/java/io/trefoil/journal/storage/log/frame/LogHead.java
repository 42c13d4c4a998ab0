/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.log.frame;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.codec.Crc32c;
import io.trefoil.journal.codec.SummaryCodec;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.storage.file.OpenFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * The head of a log file, before its first frame. All numbers are big-endian:
 *
 * <pre>
 * magic(8) version(4) headSize(4) fileSize(8) firstSn(8) salt(4) summarySize(4) summary crc32c(4) zeros
 * </pre>
 *
 * <p>The summary sums up all entries before this file, so that older files can be purged. The salt is in the checksums
 * of the frames, so that frames left in the same place by an earlier log file are invalid. Immutable.
 */
@AutoValue
public abstract class LogHead {

    /** The size of a head is a multiple of this. */
    static final int BLOCK_SIZE = 4096;

    /** "TREFOIL" and a zero. */
    private static final long MAGIC = 0x54524546_4F494C00L;

    private static final int VERSION = 1;
    private static final int FIXED_SIZE = 8 + 4 + 4 + 8 + 8 + 4 + 4;
    private static final int MAX_SIZE = 2 * SummaryCodec.MAX_SIZE;

    public static LogHead of(LogSummary base, long fileSize, int salt) {
        return new AutoValue_LogHead(base, fileSize, salt, size(base));
    }

    /** The size of the head of a file that begins after {@code base}. */
    public static int size(LogSummary base) {
        int used = FIXED_SIZE + SummaryCodec.encode(base).length + 4;
        int size = (used + BLOCK_SIZE - 1) / BLOCK_SIZE * BLOCK_SIZE;
        if (size > MAX_SIZE) {
            throw new IllegalArgumentException("A summary of " + used + " bytes is too large for a log file");
        }
        return size;
    }

    /**
     * Reads the head of a log file.
     *
     * @return empty if it is damaged
     * @throws IOException if a newer version wrote it, or if the device failed
     */
    public static Optional<LogHead> read(OpenFile file) throws IOException {
        ByteBuffer block = ByteBuffer.allocate(BLOCK_SIZE);
        if (file.size() < BLOCK_SIZE) {
            return Optional.empty();
        }
        file.read(block, 0);
        int headSize = block.getInt(12);
        if (block.getLong(0) != MAGIC
                || headSize < BLOCK_SIZE
                || headSize > Math.min(MAX_SIZE, file.size())
                || headSize % BLOCK_SIZE != 0) {
            return Optional.empty();
        }
        byte[] bytes = new byte[headSize];
        file.read(ByteBuffer.wrap(bytes), 0);
        return parse(bytes);
    }

    private static Optional<LogHead> parse(byte[] bytes) throws IOException {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        int summarySize = in.getInt(FIXED_SIZE - 4);
        if (summarySize < 0 || summarySize > bytes.length - FIXED_SIZE - 4) {
            return Optional.empty();
        }
        int end = FIXED_SIZE + summarySize;
        if (in.getInt(end) != Crc32c.of(bytes, 0, end)) {
            return Optional.empty();
        }
        int version = in.getInt(8);
        if (version != VERSION) {
            throw new IOException("A log file of version " + version + ", this version knows " + VERSION
                    + " only; nothing was changed. Start the release that wrote it");
        }
        long fileSize = in.getLong(16);
        long firstSn = in.getLong(24);
        int salt = in.getInt(32);
        in.position(FIXED_SIZE).limit(end);
        LogHead head = new AutoValue_LogHead(SummaryCodec.decode(in), fileSize, salt, bytes.length);
        return head.firstSn() == firstSn ? Optional.of(head) : Optional.<LogHead>empty();
    }

    /** The summary of the log before this file. */
    public abstract LogSummary base();

    /** The size of the whole file since it was created. */
    public abstract long fileSize();

    /** A random number that is the first input to the checksums of this file's frames; it cannot be known before the file is begun. */
    public abstract int salt();

    /** The size of the head, and thus the offset of the first frame. */
    public abstract int size();

    public final long firstSn() {
        return base().position().sn() + 1;
    }

    public final byte[] toBytes() {
        byte[] summary = SummaryCodec.encode(base());
        ByteBuffer out = ByteBuffer.allocate(size());
        out.putLong(MAGIC)
                .putInt(VERSION)
                .putInt(size())
                .putLong(fileSize())
                .putLong(firstSn())
                .putInt(salt())
                .putInt(summary.length)
                .put(summary);
        out.putInt(Crc32c.of(out.array(), 0, out.position()));
        return out.array();
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.log.frame;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.codec.Crc32c;
import io.trefoil.journal.codec.EntryCodec;
import io.trefoil.journal.model.Entry;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.zip.Checksum;

/**
 * The head before an entry in a log file. All numbers are big-endian:
 *
 * <pre>
 * magic(4) entrySize(4) committedSn(8) durableSn(8) entryCrc32c(4) headCrc32c(4)
 * </pre>
 *
 * <p>A frame begins at a multiple of {@link #ALIGNMENT}, so that a search that lost its position finds the next one. Its
 * entry follows in the form of {@link EntryCodec}, then zeros up to the next multiple. The checksum of the head begins
 * with the salt of the file, so that a frame of another file is never taken for one of this file. Immutable.
 */
@AutoValue
public abstract class LogFrameHead {

    public static final int SIZE = 32;
    public static final int ALIGNMENT = 8;

    /** "SSPF". */
    static final int MAGIC = 0x53535046;

    private static final int MAX_ENTRY_SIZE = EntryCodec.HEADER_SIZE + EntryCodec.MAX_PAYLOAD_SIZE;

    public static LogFrameHead of(int entrySize, long committedSn, long durableSn, int entryChecksum) {
        return new AutoValue_LogFrameHead(entrySize, committedSn, durableSn, entryChecksum);
    }

    /** Parses the head at an offset in an array; empty if there is none, or it is damaged, or of another file. */
    public static Optional<LogFrameHead> parse(byte[] array, int offset, int salt) {
        ByteBuffer in = ByteBuffer.wrap(array, offset, SIZE);
        if (in.getInt() != MAGIC) {
            return Optional.empty();
        }
        LogFrameHead head = of(in.getInt(), in.getLong(), in.getLong(), in.getInt());
        boolean sound = in.getInt() == checksum(salt, array, offset)
                && head.entrySize() >= EntryCodec.HEADER_SIZE
                && head.entrySize() <= MAX_ENTRY_SIZE;
        return sound ? Optional.of(head) : Optional.<LogFrameHead>empty();
    }

    /** Returns the number of bytes that the frame of an entry takes in a log file. */
    public static int frameSize(Entry entry) {
        return frameSize(EntryCodec.size(entry));
    }

    private static int frameSize(int entrySize) {
        return (SIZE + entrySize + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }

    public abstract int entrySize();

    /** The last entry that its writer knew to be committed. */
    public abstract long committedSn();

    /**
     * The last entry known to be durable in this log when the frame was written. It proves that a damaged entry up to
     * there was once complete: it is damage, not a torn tail.
     */
    public abstract long durableSn();

    abstract int entryChecksum();

    public final int frameSize() {
        return frameSize(entrySize());
    }

    public final void putInto(byte[] array, int salt) {
        ByteBuffer out = ByteBuffer.wrap(array);
        out.putInt(MAGIC)
                .putInt(entrySize())
                .putLong(committedSn())
                .putLong(durableSn())
                .putInt(entryChecksum())
                .putInt(checksum(salt, array, 0));
    }

    private static int checksum(int salt, byte[] array, int offset) {
        Checksum checksum = Crc32c.create();
        for (int shift = 24; shift >= 0; shift -= 8) {
            checksum.update(salt >>> shift & 0xFF);
        }
        checksum.update(array, offset, SIZE - 4);
        return (int) checksum.getValue();
    }
}

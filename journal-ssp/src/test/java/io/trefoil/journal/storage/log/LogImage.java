/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.log;

import io.trefoil.journal.codec.Crc32c;
import io.trefoil.journal.codec.EntryCodec;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.storage.file.FileLayer;
import io.trefoil.journal.storage.file.OpenFile;
import io.trefoil.journal.storage.log.frame.LogFrame;
import io.trefoil.journal.storage.log.frame.LogFrameCursor;
import io.trefoil.journal.storage.log.frame.LogFrameHead;
import io.trefoil.journal.storage.log.frame.LogHead;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.NoSuchElementException;
import java.util.Optional;

/** Where the frames of a log are on the disk, for tests that break them. */
public final class LogImage {

    /** Of the head of a frame. */
    public static final int HEAD_SIZE = LogFrameHead.SIZE;

    /** A frame and where it lies. */
    public record Place(Path file, int offset, int size) {

        public int payloadOffset() {
            return offset + LogFrameHead.SIZE + 37;
        }
    }

    private static final int SALT_OFFSET = 32;

    private LogImage() {}

    /** The salt in the head of a log file. */
    public static int salt(byte[] image) {
        return ByteBuffer.wrap(image).getInt(SALT_OFFSET);
    }

    /** Makes the checksum of a frame's head right again. */
    public static void signHead(byte[] image, int offset) {
        ByteBuffer salted = ByteBuffer.allocate(LogFrameHead.SIZE);
        salted.putInt(salt(image)).put(image, offset, LogFrameHead.SIZE - 4);
        ByteBuffer.wrap(image).putInt(offset + LogFrameHead.SIZE - 4, Crc32c.of(salted.array(), 0, LogFrameHead.SIZE));
    }

    /** Puts the frame of an entry of which nothing is said but that it is there. */
    public static void putFrame(byte[] image, int offset, Entry entry, int salt) {
        byte[] head = new byte[LogFrameHead.SIZE];
        LogFrameHead.of(EntryCodec.size(entry), 0, 0, EntryCodec.checksum(entry))
                .putInto(head, salt);
        System.arraycopy(head, 0, image, offset, head.length);
        EntryCodec.encode(entry, ByteBuffer.wrap(image, offset + head.length, EntryCodec.size(entry)));
    }

    public static Place find(FileLayer files, Path path, long sn) throws IOException {
        LogDirectory directory = new LogDirectory(files, path, () -> 0);
        for (long firstSn : directory.firstSns()) {
            Path logPath = directory.logPath(firstSn);
            try (OpenFile file = files.open(logPath)) {
                LogHead head = LogHead.read(file).orElseThrow();
                LogFrameCursor cursor = new LogFrameCursor(file, head.salt(), head.size());
                for (Optional<LogFrame> frame = cursor.next(); frame.isPresent(); frame = cursor.next()) {
                    if (frame.get().entry().sn() == sn) {
                        return new Place(
                                logPath,
                                (int) frame.get().offset(),
                                frame.get().head().frameSize());
                    }
                }
            }
        }
        throw new NoSuchElementException("No frame of entry " + sn);
    }
}

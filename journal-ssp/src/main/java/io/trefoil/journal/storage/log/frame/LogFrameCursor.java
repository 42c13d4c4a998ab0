/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.log.frame;

import io.trefoil.journal.codec.Crc32c;
import io.trefoil.journal.codec.EntryCodec;
import io.trefoil.journal.storage.file.OpenFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/** Iterates over the frames of one log file from a given offset. For one thread. */
public final class LogFrameCursor {

    private static final int WINDOW_SIZE = 256 << 10;

    private final OpenFile file;
    private final int salt;
    private final long fileSize;
    /** A part of the file, in memory. */
    private ByteBuffer window = ByteBuffer.allocate(0);

    private long windowOffset;
    private long offset;

    public LogFrameCursor(OpenFile file, int salt, long offset) throws IOException {
        this.file = file;
        this.salt = salt;
        this.fileSize = file.size();
        this.offset = offset;
    }

    /** The offset of the next frame, if there is one. */
    public long offset() {
        return offset;
    }

    /**
     * The next frame.
     *
     * @return empty if there is none here with right checksums; then the cursor stays where it is
     * @throws io.trefoil.journal.codec.UnsupportedFormatException if a newer version wrote it
     * @throws IOException if the device failed
     */
    public Optional<LogFrame> next() throws IOException {
        if (!fits(LogFrameHead.SIZE)) {
            return Optional.empty();
        }
        load(LogFrameHead.SIZE);
        Optional<LogFrameHead> found = LogFrameHead.parse(window.array(), position(), salt);
        if (!found.isPresent() || !fits(found.get().frameSize())) {
            return Optional.empty();
        }
        LogFrameHead head = found.get();
        load(head.frameSize());
        int entryOffset = position() + LogFrameHead.SIZE;
        if (Crc32c.of(window.array(), entryOffset, head.entrySize()) != head.entryChecksum()) {
            return Optional.empty();
        }
        ByteBuffer entry = ByteBuffer.wrap(window.array(), entryOffset, head.entrySize());
        LogFrame frame =
                LogFrame.of(EntryCodec.decode(entry, head.entryChecksum(), ByteBuffer::allocate), head, offset);
        offset += head.frameSize();
        return Optional.of(frame);
    }

    private boolean fits(int size) {
        return fileSize - offset >= size;
    }

    private int position() {
        return (int) (offset - windowOffset);
    }

    /** Makes the window hold {@code size} bytes from the offset on. */
    private void load(int size) throws IOException {
        if (offset + size <= windowOffset + window.limit()) {
            return;
        }
        int windowBytes = (int) Math.min(fileSize - offset, Math.max(size, WINDOW_SIZE));
        if (window.capacity() < windowBytes || window.capacity() > Math.max(windowBytes, WINDOW_SIZE)) {
            window = ByteBuffer.allocate(windowBytes);
        }
        window.clear();
        window.limit(windowBytes);
        file.read(window, offset);
        window.flip();
        windowOffset = offset;
    }
}

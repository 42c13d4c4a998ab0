/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.log.frame;

import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.storage.file.OpenFile;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Collects the frames of one group, so that they go to the file in one write. It is off-heap, so that the file system
 * can write it without another copy, and is reused for every group. For one thread.
 */
public final class GroupBuffer {

    /** The size of the buffer: a larger group is written in several pieces, and while one is written, the next is copied quickly. */
    private static final int SIZE = 256 << 10;

    private static final byte[] PADDING = new byte[LogFrameHead.ALIGNMENT];

    /** A write that ends at a page boundary never waits for the rest of the page to be read from the disk. */
    private static final int PAGE_SIZE = 4096;

    private static final byte[] ZEROS = new byte[PAGE_SIZE];

    private final ByteBuffer buffer = ByteBuffer.allocateDirect(SIZE);
    private final byte[] headBytes = new byte[LogFrameHead.SIZE];
    private OpenFile file;
    private int salt;
    private long fileSize;
    private long offset;

    /** Sets where the next frames go. */
    public void continueAt(OpenFile nextFile, int nextSalt, long size, long nextOffset) {
        file = nextFile;
        salt = nextSalt;
        fileSize = size;
        offset = nextOffset;
        clear();
    }

    /** The offset at which the next frame will begin. */
    public long endOffset() {
        return offset + buffer.position();
    }

    public void put(LogFrameHead head, byte[] entryHeader, Bytes payload) throws IOException {
        head.putInto(headBytes, salt);
        put(headBytes, 0, headBytes.length);
        put(entryHeader, 0, entryHeader.length);
        put(payload.sharedArray(), payload.sharedOffset(), payload.size());
        put(PADDING, 0, head.frameSize() - LogFrameHead.SIZE - head.entrySize());
    }

    /** Writes the remaining frames, and zeros up to the end of the last page. */
    public void flush() throws IOException {
        int size = buffer.position();
        if (size > 0) {
            long pageEnd = (offset + size + PAGE_SIZE - 1) / PAGE_SIZE * PAGE_SIZE;
            buffer.put(ZEROS, 0, (int) (Math.min(pageEnd, fileSize) - offset - size));
            buffer.flip();
            file.write(buffer, offset);
            offset += size;
            clear();
        }
    }

    /** Empties the buffer, sized so that it is full at the end of a page. */
    private void clear() {
        buffer.clear();
        buffer.limit(SIZE - (int) (offset % PAGE_SIZE));
    }

    private void put(byte[] array, int from, int size) throws IOException {
        int at = from;
        int left = size;
        while (left > 0) {
            if (!buffer.hasRemaining()) {
                flush();
            }
            int count = Math.min(left, buffer.remaining());
            buffer.put(array, at, count);
            at += count;
            left -= count;
        }
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.log;

import io.trefoil.journal.codec.EntryCodec;
import io.trefoil.journal.storage.file.OpenFile;
import io.trefoil.journal.storage.log.frame.LogFrame;
import io.trefoil.journal.storage.log.frame.LogFrameCursor;
import io.trefoil.journal.storage.log.frame.LogFrameHead;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes a log end where a scan found its end. If interrupted and repeated, it gives the same log. */
public final class LogRepairer {

    private static final Logger LOG = LoggerFactory.getLogger(LogRepairer.class);
    private static final int CHUNK_SIZE = 256 << 10;

    private final LogDirectory directory;

    public LogRepairer(LogDirectory directory) {
        this.directory = directory;
    }

    /**
     * Makes the valid part durable. After a failed sync it may be in the machine's memory only, and no later sync would
     * write it: so it is written again.
     *
     * @throws IOException also if it reads differently from the scan: what a device returns now must not overwrite what
     *     was right
     */
    public void settle(LogScanner scan) throws IOException {
        if (scan.files().isEmpty()) {
            return;
        }
        int salt = scan.files().get(scan.files().size() - 1).head().salt();
        try (OpenFile file = directory.files().open(lastPath(scan))) {
            LogFrameCursor cursor = new LogFrameCursor(file, salt, scan.unprovenOffset());
            while (cursor.offset() < scan.endOffset()) {
                long offset = cursor.offset();
                LogFrame frame = cursor.next()
                        .orElseThrow(() -> new IOException(lastPath(scan) + " reads differently from before at "
                                + "byte "
                                + offset + ", nothing was changed"));
                file.write(ByteBuffer.wrap(bytes(frame, salt)), offset);
            }
            file.force();
        }
    }

    /** The bytes of a frame whose checksums were right, from memory. */
    private static byte[] bytes(LogFrame frame, int salt) {
        byte[] bytes = new byte[frame.head().frameSize()];
        frame.head().putInto(bytes, salt);
        ByteBuffer entry =
                ByteBuffer.wrap(bytes, LogFrameHead.SIZE, frame.head().entrySize());
        EntryCodec.encode(frame.entry(), entry);
        return bytes;
    }

    /** Durably removes everything beyond the end, after which no frame follows. */
    public void truncate(LogScanner scan) throws IOException {
        deleteFiles(scan.discardedFirstSns());
        zeroRest(scan);
    }

    /**
     * Cuts the log as {@link #truncate} does, but keeps the bytes beyond the end next to the log, so that the cause can be
     * investigated.
     */
    public void truncateKeepingRest(LogScanner scan) throws IOException {
        List<Long> discarded = scan.discardedFirstSns();
        for (int i = discarded.size() - 1; i >= 0; i--) {
            long sn = discarded.get(i);
            directory.files().rename(directory.logPath(sn), directory.damagedPath(sn));
            directory.force();
        }
        if (!scan.files().isEmpty()) {
            saveDamagedTail(scan);
            zeroRest(scan);
        }
    }

    /** Deletes log files, the last one first, so that the log never has a gap. */
    void deleteFiles(List<Long> firstSns) throws IOException {
        for (int i = firstSns.size() - 1; i >= 0; i--) {
            directory.files().delete(directory.logPath(firstSns.get(i)));
            directory.force();
        }
    }

    private void zeroRest(LogScanner scan) throws IOException {
        ByteBuffer zeros = ByteBuffer.allocate(CHUNK_SIZE);
        try (OpenFile file = directory.files().open(lastPath(scan))) {
            for (long at = scan.endOffset(); at < scan.usedSize(); at += zeros.limit()) {
                zeros.clear();
                zeros.limit((int) Math.min(CHUNK_SIZE, scan.usedSize() - at));
                file.write(zeros, at);
            }
            file.force();
        }
    }

    private void saveDamagedTail(LogScanner scan) throws IOException {
        if (scan.usedSize() == scan.endOffset()) {
            return;
        }
        Path aside = directory.damagedPath(scan.end().position().sn() + 1);
        try (OpenFile file = directory.files().open(lastPath(scan));
                OpenFile copy = directory.files().create(aside)) {
            copy(file, scan.endOffset(), scan.usedSize(), copy, 0);
            copy.force();
        } catch (IOException e) {
            // It is only evidence: the node continues without it, above all on a full disk.
            LOG.warn(
                    "Cannot keep a copy of the damaged part of a log: file={} copy={}; no action needed",
                    lastPath(scan),
                    aside,
                    e);
        }
    }

    private static Path lastPath(LogScanner scan) {
        return scan.files().get(scan.files().size() - 1).path();
    }

    private static void copy(OpenFile from, long first, long end, OpenFile to, long target) throws IOException {
        ByteBuffer chunk = ByteBuffer.allocate(CHUNK_SIZE);
        for (long at = first; at < end; at += chunk.limit()) {
            chunk.clear();
            chunk.limit((int) Math.min(CHUNK_SIZE, end - at));
            from.read(chunk, at);
            chunk.flip();
            to.write(chunk, target + at - first);
        }
    }
}

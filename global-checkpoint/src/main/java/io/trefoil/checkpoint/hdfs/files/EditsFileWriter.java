/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs.files;

import io.trefoil.foundation.DurableFiles;
import io.trefoil.foundation.PrivateFiles;
import io.trefoil.foundation.Progress;
import io.trefoil.journal.hdfs.edits.EditsExport;
import io.trefoil.journal.model.SegmentInfo;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

/** Writes segments of a journal into a directory, as edits files of a name directory. */
public final class EditsFileWriter {

    private static final int BUFFER_BYTES = 1 << 20;

    private EditsFileWriter() {}

    /**
     * Writes the segments that contain transactions of a range; the files are durable and have their final names when this returns.
     *
     * @param task counts transactions
     * @throws IOException if a segment cannot be read or written, its file exists already, or the disk would have too little space left
     */
    public static void write(
            EditsExport export,
            long firstTxId,
            long lastTxId,
            Path directory,
            DiskSpaceGuard spaceGuard,
            Progress.Task task)
            throws IOException {
        PrivateFiles.createDirectory(directory);
        DurableFiles.sync(directory.getParent());
        for (SegmentInfo segment : export.segments(firstTxId)) {
            if (segment.readableTxIds().first() > lastTxId) {
                break;
            }
            String name = EditsExport.fileName(segment);
            Path part = directory.resolve(name + ".part");
            DurableFiles.write(part, out -> {
                OutputStream buffered = new BufferedOutputStream(spaceGuard.guard(directory, out), BUFFER_BYTES);
                export.write(segment, buffered);
                buffered.flush();
            });
            Files.move(part, directory.resolve(name), StandardCopyOption.ATOMIC_MOVE);
            task.reportDone(segment.readableTxIds().last() - firstTxId + 1);
        }
        DurableFiles.sync(directory);
    }

    /**
     * Reads every transaction of a range, as a restore does.
     *
     * @param task counts transactions
     * @return what is damaged or missing; empty if everything is there
     */
    public static Optional<String> findDamage(EditsExport export, long firstTxId, long lastTxId, Progress.Task task) {
        task.reportTotal(lastTxId - firstTxId + 1);
        long next = firstTxId;
        try {
            for (SegmentInfo segment : export.segments(firstTxId)) {
                if (segment.readableTxIds().first() > next || next > lastTxId) {
                    break;
                }
                export.write(segment, new NullStream());
                next = segment.readableTxIds().last() + 1;
                task.reportDone(next - firstTxId);
            }
        } catch (IOException e) {
            return Optional.of("transactions from " + next + " on cannot be read: " + e.getMessage());
        }
        return next > lastTxId
                ? Optional.<String>empty()
                : Optional.of("transactions " + next + " to " + lastTxId + " are not in the journal");
    }

    /** A stream that discards everything, for reading data to the end. */
    private static final class NullStream extends OutputStream {

        @Override
        public void write(int one) {
            // Only the reading matters.
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            // As above.
        }
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs;

import io.trefoil.journal.hdfs.EditsExport;
import io.trefoil.journal.model.SegmentInfo;
import java.io.BufferedOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Segments of a journal in a folder, as the edits files of a name directory. */
final class EditsFiles {

    private static final int BUFFER_BYTES = 1 << 20;

    private EditsFiles() {}

    /**
     * Writes the segments that have transactions of a range; they are durable and have their names when this returns.
     *
     * @throws IOException if one of them cannot be read or written, or is there already; or if the disk would have too little left
     */
    static void write(EditsExport export, long firstTxId, long lastTxId, Path folder, Room room) throws IOException {
        Files.createDirectories(folder);
        NameDirectoryFiles.sync(folder.getParent());
        for (SegmentInfo segment : export.segments(firstTxId)) {
            if (segment.found().first() > lastTxId) {
                break;
            }
            String name = EditsExport.fileName(segment);
            Path part = folder.resolve(name + ".part");
            try (FileOutputStream file = new FileOutputStream(part.toFile());
                    OutputStream buffered = new BufferedOutputStream(room.guard(folder, file), BUFFER_BYTES)) {
                export.write(segment, buffered);
                buffered.flush();
                file.getFD().sync();
            }
            Files.move(part, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
        }
        NameDirectoryFiles.sync(folder);
    }
}

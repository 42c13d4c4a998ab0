/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage;

import java.io.IOException;
import java.nio.file.Path;
import java.util.NoSuchElementException;
import java.util.Optional;

/** Where the frames of a log are on the disk, for tests that break them. */
final class LogImage {

    /** A frame and where it lies. */
    record Place(Path file, int offset, int size) {

        int payloadOffset() {
            return offset + FrameHead.SIZE + 37;
        }
    }

    private LogImage() {}

    static Place of(FileLayer files, Path path, long sn) throws IOException {
        LogDirectory directory = new LogDirectory(files, path);
        for (long firstSn : directory.firstSns()) {
            Path logPath = directory.logPath(firstSn);
            try (OpenFile file = files.open(logPath)) {
                FrameCursor cursor =
                        new FrameCursor(file, LogHead.read(file).orElseThrow().size());
                for (Optional<Frame> frame = cursor.next(); frame.isPresent(); frame = cursor.next()) {
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

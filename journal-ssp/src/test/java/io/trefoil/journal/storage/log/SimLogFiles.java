/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.log;

import io.trefoil.journal.storage.file.OpenFile;
import io.trefoil.journal.storage.file.SimFiles;
import io.trefoil.journal.storage.log.frame.LogFrame;
import io.trefoil.journal.storage.log.frame.LogFrameCursor;
import io.trefoil.journal.storage.log.frame.LogFrameHead;
import io.trefoil.journal.storage.log.frame.LogHead;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** The log files of a journal as they lie on a simulated file system, for rot: which entries are durable, and what proves it. */
public final class SimLogFiles {

    /** The frame of an entry, up to the first one that is not whole. */
    private record FoundFrame(Path file, LogFrame frame, boolean durable) {
        long sn() {
            return frame.entry().sn();
        }
    }

    private final SimFiles files;
    private final List<FoundFrame> frames = new ArrayList<>();
    private long provenSn;

    private SimLogFiles(SimFiles files, long notedSn) {
        this.files = files;
        this.provenSn = notedSn;
    }

    /**
     * Reads them.
     *
     * @param notedSn up to which entry a note that is on the disk says that the log was durable
     */
    public static SimLogFiles of(SimFiles files, Path directory, long notedSn) {
        SimLogFiles found = new SimLogFiles(files, notedSn);
        try {
            found.read(new LogDirectory(files, directory, () -> 0));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found;
    }

    private void read(LogDirectory directory) throws IOException {
        for (long firstSn : directory.firstSns()) {
            Path path = directory.logPath(firstSn);
            try (OpenFile file = files.open(path)) {
                Optional<LogHead> head = LogHead.read(file);
                if (!head.isPresent()) {
                    return;
                }
                if (files.isDurable(path, 0, head.get().size())) {
                    // A file is synced before the next one begins.
                    provenSn = Math.max(provenSn, firstSn - 1);
                }
                read(
                        path,
                        new LogFrameCursor(file, head.get().salt(), head.get().size()));
            }
        }
    }

    private void read(Path path, LogFrameCursor cursor) throws IOException {
        for (Optional<LogFrame> next = cursor.next(); next.isPresent(); next = cursor.next()) {
            LogFrame frame = next.get();
            boolean durable = files.isDurable(
                    path,
                    (int) frame.offset(),
                    (int) frame.offset() + frame.head().frameSize());
            frames.add(new FoundFrame(path, frame, durable));
            if (durable) {
                provenSn = Math.max(provenSn, frame.head().durableSn());
            }
        }
    }

    /** Entries whose damage cannot be taken for a torn tail. */
    public List<Long> provenSns() {
        return frames.stream()
                .filter(found -> found.durable && found.sn() <= provenSn)
                .map(FoundFrame::sn)
                .toList();
    }

    /** Durable entries at the end, of which nothing that is on the disk for sure proves it. */
    public List<Long> unprovenSns() {
        return frames.stream()
                .filter(found -> found.durable && found.sn() > provenSn)
                .map(FoundFrame::sn)
                .toList();
    }

    /** A byte of an entry's frame rots. */
    public void damage(long sn, Random random) {
        FoundFrame found =
                frames.stream().filter(one -> one.sn() == sn).findFirst().orElseThrow();
        // Nothing depends on the padding behind it.
        int size = LogFrameHead.SIZE + found.frame.head().entrySize();
        int offset = (int) found.frame.offset() + random.nextInt(size);
        files.flip(found.file, offset, 1 << random.nextInt(8));
    }
}

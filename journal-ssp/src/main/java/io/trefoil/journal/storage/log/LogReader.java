/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.log;

import io.trefoil.journal.model.Entry;
import io.trefoil.journal.storage.file.FileLayer;
import io.trefoil.journal.storage.file.OpenFile;
import io.trefoil.journal.storage.log.frame.LogFrame;
import io.trefoil.journal.storage.log.frame.LogFrameCursor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads entries from log files, even while they are being written. For any thread. */
public final class LogReader {

    private final FileLayer files;

    public LogReader(FileLayer files) {
        this.files = files;
    }

    /**
     * Reads entries from {@code firstSn} on, which is in the view.
     *
     * @param maxBytes limit of the payload bytes; at least one entry is returned
     * @throws IOException if the device failed, if the first frame is damaged, or if the file is gone
     */
    public List<Entry> read(LogView view, long firstSn, int maxBytes) throws IOException {
        List<Entry> entries = new ArrayList<>();
        long nextSn = firstSn;
        long remainingBytes = maxBytes;
        for (int i = view.indexOf(firstSn);
                i < view.files().size() && nextSn <= view.lastSn() && remainingBytes >= 0;
                i++) {
            boolean isLast = i == view.files().size() - 1;
            long lastSn = isLast ? view.lastSn() : view.files().get(i + 1).firstSn() - 1;
            remainingBytes = readFile(view.files().get(i), nextSn, lastSn, remainingBytes, entries);
            nextSn = firstSn + entries.size();
            if (nextSn <= lastSn) {
                break;
            }
        }
        return entries;
    }

    /** @return the bytes left, negative if the next entry did not fit */
    private long readFile(LogFile logFile, long firstSn, long lastSn, long maxBytes, List<Entry> entries)
            throws IOException {
        long remainingBytes = maxBytes;
        try (OpenFile file = files.open(logFile.path())) {
            LogFrameCursor cursor = new LogFrameCursor(file, logFile.head().salt(), logFile.offsetBefore(firstSn));
            long sn = 0;
            while (sn < lastSn) {
                long offset = cursor.offset();
                Optional<LogFrame> frame = cursor.next();
                if (!frame.isPresent()) {
                    if (entries.isEmpty()) {
                        throw new IOException(logFile.path() + " is damaged at byte " + offset + ": no whole frame"
                                + " there, entry " + firstSn + " cannot be read");
                    }
                    return remainingBytes;
                }
                Entry entry = frame.get().entry();
                sn = entry.sn();
                if (sn >= firstSn) {
                    remainingBytes -= entry.payload().size();
                    if (remainingBytes < 0 && !entries.isEmpty()) {
                        return remainingBytes;
                    }
                    entries.add(entry);
                }
            }
        }
        return remainingBytes;
    }
}

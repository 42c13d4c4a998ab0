/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.log;

import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.storage.log.frame.LogHead;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/** A log file that is part of the log, and the positions of some of its entries. Readers use it while it is written. */
public final class LogFile {

    /** The distance between indexed frames, in bytes: to find an entry, a reader reads at most about as many bytes. */
    private static final int INDEX_STEP = 64 << 10;

    private final Path path;
    private final LogHead head;
    /** Offsets of some frames by serial number; always includes the first one. */
    private final ConcurrentSkipListMap<Long, Long> offsets = new ConcurrentSkipListMap<>();
    /** The last indexed offset; only for the writing thread. */
    private long lastOffset;

    LogFile(Path path, LogHead head) {
        this.path = path;
        this.head = head;
        lastOffset = head.size();
        offsets.put(head.firstSn(), lastOffset);
    }

    Path path() {
        return path;
    }

    LogHead head() {
        return head;
    }

    LogSummary base() {
        return head.base();
    }

    long firstSn() {
        return head.firstSn();
    }

    /** Records the offset of a frame; called in log order. */
    void recordFrame(long sn, long offset) {
        if (offset - lastOffset >= INDEX_STEP) {
            lastOffset = offset;
            offsets.put(sn, offset);
        }
    }

    /** The offset from which a reader looks for an entry. */
    long offsetBefore(long sn) {
        Map.Entry<Long, Long> nearest = offsets.floorEntry(sn);
        return nearest == null ? head.size() : nearest.getValue();
    }

    void truncateAfter(long lastSn) {
        offsets.tailMap(Math.max(lastSn, firstSn()), false).clear();
        lastOffset = offsets.lastEntry().getValue();
    }
}

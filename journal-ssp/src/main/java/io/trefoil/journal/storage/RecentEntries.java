/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage;

import io.trefoil.journal.codec.PayloadRoom;
import io.trefoil.journal.model.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The newest entries of a log, in memory: what a writer catches nodes up from and a standby reads (protocol page,
 * "Storage").
 *
 * <p>One thread adds and cuts, any number read, none waits for another. An entry is at the place that its serial
 * number says, so a reader sees by itself whether what it finds there is what it wants.
 *
 * <p>Payloads are kept as they came, without a copy; who makes many of them cuts them from a {@link PayloadRoom}.
 */
final class RecentEntries {

    /** Many small entries are limited by their number. */
    private static final int SLOT_COUNT = 1 << 16;

    /** About what an entry takes besides its payload. */
    private static final long ENTRY_OVERHEAD = 200L;

    private final AtomicReferenceArray<Entry> slots = new AtomicReferenceArray<>(SLOT_COUNT);
    private final long maxBytes;
    // Of the writing thread alone.
    private long firstSn;
    private long nextSn;
    private long bytes;

    RecentEntries(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** Adds the entry that follows the last one, or any if there is none. */
    void add(Entry entry) {
        if (firstSn == nextSn) {
            firstSn = entry.sn();
            nextSn = entry.sn();
        }
        if (entry.sn() != nextSn) {
            throw new IllegalArgumentException("Wanted entry " + nextSn + ", got " + entry);
        }
        bytes += cost(entry);
        while (firstSn < nextSn && (bytes > maxBytes || nextSn - firstSn >= SLOT_COUNT)) {
            take(firstSn++);
        }
        if (bytes > maxBytes) {
            // Too large by itself.
            bytes -= cost(entry);
            firstSn = nextSn;
        } else {
            slots.set(slot(nextSn), entry);
            nextSn++;
        }
    }

    /** Forgets all above {@code lastSn}. */
    void cutAbove(long lastSn) {
        while (nextSn > firstSn && nextSn - 1 > lastSn) {
            take(--nextSn);
        }
    }

    /**
     * Entries from {@code firstSn} to at most {@code lastSn}. Called by any thread.
     *
     * @param maxBytes at least one is returned if it is here, then no more than these payload bytes
     * @return none if the first one is not here
     */
    List<Entry> read(long firstSn, long lastSn, int maxBytes) {
        List<Entry> entries = new ArrayList<>();
        long total = 0;
        for (long sn = firstSn; sn <= lastSn; sn++) {
            Entry entry = slots.get(slot(sn));
            if (entry == null || entry.sn() != sn) {
                break;
            }
            total += entry.payload().size();
            if (!entries.isEmpty() && total > maxBytes) {
                break;
            }
            entries.add(entry);
        }
        return entries;
    }

    private void take(long sn) {
        bytes -= cost(slots.get(slot(sn)));
        slots.set(slot(sn), null);
    }

    private static int slot(long sn) {
        return (int) (sn & (SLOT_COUNT - 1));
    }

    private static long cost(Entry entry) {
        return ENTRY_OVERHEAD + entry.payload().size();
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage;

import io.trefoil.journal.model.Bytes;
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
 * <p>Payloads are copied, one after the other, into large arrays: a garbage collector moves small ones two or three times
 * before they are old, with pauses of tens of milliseconds at a high load, and does not move large ones.
 */
final class RecentEntries {

    /** Many small entries are limited by their number. */
    private static final int SLOT_COUNT = 1 << 16;

    /** About what an entry takes besides its payload. */
    private static final long ENTRY_OVERHEAD = 200L;

    /** With its header just 4 MiB: more than half of a region of G1 in heaps below 16 GiB. Larger ones move less. */
    private static final int CHUNK_SIZE = (4 << 20) - 64;

    private final AtomicReferenceArray<Entry> slots = new AtomicReferenceArray<>(SLOT_COUNT);
    private final long maxBytes;
    private final int chunkSize;
    // Of the writing thread alone.
    private byte[] chunk = new byte[0];
    private int used;
    private long firstSn;
    private long nextSn;
    private long bytes;

    RecentEntries(long maxBytes) {
        this.maxBytes = maxBytes;
        this.chunkSize = (int) Math.min(CHUNK_SIZE, maxBytes / 4);
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
            slots.set(slot(nextSn), kept(entry));
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

    /** The same entry, with its payload in a chunk; a chunk is given back when no entry in it is left. */
    private Entry kept(Entry entry) {
        Bytes payload = entry.payload();
        int size = payload.size();
        if (size > chunkSize) {
            return entry;
        }
        if (size > chunk.length - used) {
            chunk = new byte[chunkSize];
            used = 0;
        }
        System.arraycopy(payload.sharedArray(), payload.sharedOffset(), chunk, used, size);
        Bytes copy = Bytes.wrap(chunk, used, size);
        used += size;
        return Entry.of(entry.position(), entry.kind(), entry.txIds(), copy);
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

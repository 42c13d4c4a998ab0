/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.log;

import io.trefoil.journal.codec.PayloadAllocator;
import io.trefoil.journal.model.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The newest entries of a log, in memory: from here, lagging nodes are caught up and standbys read (protocol page,
 * "Storage").
 *
 * <p>One thread adds and cuts, any number read, and none waits for another. An entry's serial number determines its
 * slot, so a reader can check whether it found the right one. A journal that needs memory takes it from idle ones
 * ({@link RecentMemory}); the lock is only for that.
 *
 * <p>Payloads are kept without a copy; code that creates many allocates them from a {@link PayloadAllocator}.
 */
public final class RecentEntries implements AutoCloseable {

    /** The limit on the number of entries, which applies to small ones. */
    private static final int MAX_SLOT_COUNT = 1 << 16;

    private static final int MIN_SLOT_COUNT = 1 << 8;

    /** Approximate memory of an entry besides its payload. */
    private static final long ENTRY_OVERHEAD = 200L;

    private final RecentMemory memory;
    private final long maxBytes;
    /**
     * The entries, in an array that is replaced by a longer one when needed: on a node with many journals, most journals have few entries.
     */
    private volatile AtomicReferenceArray<Entry> slots = new AtomicReferenceArray<>(MIN_SLOT_COUNT);

    private volatile long lastTurn;
    private long firstSn;
    private long nextSn;
    private long bytes;

    /** Creates the entries of one journal, for {@link RecentMemory#openEntries}. */
    RecentEntries(RecentMemory memory, long maxBytes) {
        this.memory = memory;
        this.maxBytes = maxBytes;
        this.lastTurn = memory.nextUseNumber();
    }

    /** The turn in which an entry was last added, in the common order of all journals that share the memory. */
    long lastUseNumber() {
        return lastTurn;
    }

    /** Adds the entry that follows the last one, or any if there is none. */
    public void add(Entry entry) {
        expectNext(entry);
        lastTurn = memory.nextUseNumber();
        long cost = cost(entry);
        boolean fits = cost <= maxBytes;
        if (fits) {
            memory.reserve(cost);
        }
        synchronized (this) {
            if (firstSn == nextSn) {
                firstSn = entry.sn();
                nextSn = entry.sn();
            }
            while (firstSn < nextSn && (!fits || bytes + cost > maxBytes || nextSn - firstSn >= MAX_SLOT_COUNT)) {
                removeOldest();
            }
            if (fits) {
                growFor(nextSn - firstSn + 1);
                slots.set(slot(slots, nextSn), entry);
                nextSn++;
                bytes += cost;
            } else {
                firstSn = nextSn;
            }
        }
    }

    private synchronized void expectNext(Entry entry) {
        if (firstSn < nextSn && entry.sn() != nextSn) {
            throw new IllegalArgumentException("Wanted entry " + nextSn + ", got " + entry);
        }
    }

    /** Removes all entries above {@code lastSn}. */
    synchronized void truncateAfter(long lastSn) {
        while (nextSn > firstSn && nextSn - 1 > lastSn) {
            forget(--nextSn);
        }
    }

    /** Removes the oldest entries, at least {@code wanted} bytes of them if there are that many; returns the number of bytes removed. */
    synchronized long evict(long bytesToFree) {
        long before = bytes;
        while (firstSn < nextSn && before - bytes < bytesToFree) {
            removeOldest();
        }
        if (firstSn == nextSn && slots.length() > MIN_SLOT_COUNT) {
            slots = new AtomicReferenceArray<>(MIN_SLOT_COUNT);
        }
        return before - bytes;
    }

    /** Releases all memory; nothing may be added afterwards. */
    @Override
    public void close() {
        memory.removeHolder(this);
        evict(Long.MAX_VALUE);
    }

    /**
     * Reads entries from {@code firstSn} to at most {@code lastSn}. Called by any thread.
     *
     * @param maxBytes limit of the payload bytes; at least one entry is returned if it is here
     * @return an empty list if the first entry is not here
     */
    public List<Entry> read(long firstSn, long lastSn, int maxBytes) {
        AtomicReferenceArray<Entry> now = slots;
        List<Entry> entries = new ArrayList<>();
        long total = 0;
        for (long sn = firstSn; sn <= lastSn; sn++) {
            Entry entry = now.get(slot(now, sn));
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

    /** Replaces the array with a longer one; a reader that still uses the shorter one finds the entries that existed when its read began. */
    private void growFor(long count) {
        AtomicReferenceArray<Entry> before = slots;
        if (count <= before.length()) {
            return;
        }
        AtomicReferenceArray<Entry> longer = new AtomicReferenceArray<>(2 * before.length());
        for (long sn = firstSn; sn < nextSn; sn++) {
            longer.set(slot(longer, sn), before.get(slot(before, sn)));
        }
        slots = longer;
    }

    private void removeOldest() {
        forget(firstSn++);
    }

    private void forget(long sn) {
        AtomicReferenceArray<Entry> now = slots;
        long cost = cost(now.getAndSet(slot(now, sn), null));
        bytes -= cost;
        memory.release(cost);
    }

    private static int slot(AtomicReferenceArray<Entry> slots, long sn) {
        return (int) (sn & (slots.length() - 1));
    }

    private static long cost(Entry entry) {
        return ENTRY_OVERHEAD + entry.payload().size();
    }
}

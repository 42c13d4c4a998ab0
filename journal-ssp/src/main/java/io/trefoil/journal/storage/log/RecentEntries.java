/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.log;

import io.trefoil.journal.codec.PayloadAllocator;
import io.trefoil.journal.model.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The newest entries of a log, in memory: from here a writer catches nodes up, and a standby reads (protocol page,
 * "Storage").
 *
 * <p>One thread adds and cuts, any number read, and none waits for another. An entry's serial number determines its
 * slot, so a reader can check whether it found the right one. A journal that needs memory takes it from idle ones
 * ({@link RecentMemory}); the lock is only for that.
 *
 * <p>Payloads are kept without a copy; code that creates many allocates them from a {@link PayloadAllocator}.
 */
public final class RecentEntries implements AutoCloseable {

    /** The limit for small entries: their number. */
    private static final int MAX_SLOT_COUNT = 1 << 16;

    private static final int MIN_SLOT_COUNT = 1 << 8;

    /** Approximate memory of an entry besides its payload. */
    private static final long ENTRY_OVERHEAD = 200L;

    private final RecentMemory memory;
    private final long maxBytes;
    /**
     * The entries, in an array that is replaced by a longer one when needed: on a node with many journals, most have
     * few entries.
     */
    private volatile AtomicReferenceArray<Entry> slots = new AtomicReferenceArray<>(MIN_SLOT_COUNT);

    private volatile long lastTurn;
    private long firstSn;
    private long nextSn;
    private long bytes;

    /** Creates the entries of one journal, for {@link RecentMemory#hold}. */
    RecentEntries(RecentMemory memory, long maxBytes) {
        this.memory = memory;
        this.maxBytes = maxBytes;
        this.lastTurn = memory.nextTurn();
    }

    /** The turn in which an entry was last added, in the order of all that share the memory. */
    long lastTurn() {
        return lastTurn;
    }

    /** Adds the entry that follows the last one, or any if there is none. */
    public void add(Entry entry) {
        expectNext(entry);
        lastTurn = memory.nextTurn();
        long cost = cost(entry);
        boolean fits = cost <= maxBytes;
        if (fits) {
            memory.take(cost);
        }
        synchronized (this) {
            if (firstSn == nextSn) {
                firstSn = entry.sn();
                nextSn = entry.sn();
            }
            while (firstSn < nextSn && (!fits || bytes + cost > maxBytes || nextSn - firstSn >= MAX_SLOT_COUNT)) {
                takeOldest();
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
    synchronized void cutAbove(long lastSn) {
        while (nextSn > firstSn && nextSn - 1 > lastSn) {
            forget(--nextSn);
        }
    }

    /** Removes the oldest entries, of at least {@code wanted} bytes if there are so many; returns how many bytes. */
    synchronized long evict(long wanted) {
        long before = bytes;
        while (firstSn < nextSn && before - bytes < wanted) {
            takeOldest();
        }
        if (firstSn == nextSn && slots.length() > MIN_SLOT_COUNT) {
            slots = new AtomicReferenceArray<>(MIN_SLOT_COUNT);
        }
        return before - bytes;
    }

    /** Gives all memory back; nothing may be added afterwards. */
    @Override
    public void close() {
        memory.left(this);
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

    /** A reader that still uses the shorter array finds in it what was there when the read began. */
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

    private void takeOldest() {
        forget(firstSn++);
    }

    private void forget(long sn) {
        AtomicReferenceArray<Entry> now = slots;
        long cost = cost(now.getAndSet(slot(now, sn), null));
        bytes -= cost;
        memory.give(cost);
    }

    private static int slot(AtomicReferenceArray<Entry> slots, long sn) {
        return (int) (sn & (slots.length() - 1));
    }

    private static long cost(Entry entry) {
        return ENTRY_OVERHEAD + entry.payload().size();
    }
}

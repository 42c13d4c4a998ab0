/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.log;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The common budget for the newest entries that all journals of a process keep in memory. When it is used up, the
 * journals idle for longest give theirs back first: reading from disk costs less than a full heap. Thread-safe.
 */
public final class RecentMemory {

    private final long maxBytes;
    private final AtomicLong usedBytes = new AtomicLong();
    private final AtomicLong turns = new AtomicLong();
    private final List<RecentEntries> holders = new CopyOnWriteArrayList<>();

    /** @param maxBytes what all journals together may keep */
    public RecentMemory(long maxBytes) {
        if (maxBytes < 0) {
            throw new IllegalArgumentException("A budget is never negative, got " + maxBytes);
        }
        this.maxBytes = maxBytes;
    }

    /** How many bytes all journals keep at present. */
    public long usedBytes() {
        return usedBytes.get();
    }

    /** Creates the memory of one journal, which {@link RecentEntries#close} gives back. */
    public RecentEntries hold(long maxBytesOfOne) {
        RecentEntries entries = new RecentEntries(this, Math.min(maxBytesOfOne, maxBytes));
        holders.add(entries);
        return entries;
    }

    void left(RecentEntries holder) {
        holders.remove(holder);
    }

    /** An increasing number: the holder with the lowest has been idle for longest. */
    long nextTurn() {
        return turns.incrementAndGet();
    }

    void give(long bytes) {
        usedBytes.addAndGet(-bytes);
    }

    /** Takes bytes; if that exceeds the budget, idle holders give theirs back. The caller holds no lock of any holder. */
    void take(long bytes) {
        long over = usedBytes.addAndGet(bytes) - maxBytes;
        if (over > 0) {
            reclaim(over);
        }
    }

    private void reclaim(long wanted) {
        List<RecentEntries> idlestFirst = new ArrayList<>(holders);
        idlestFirst.sort(Comparator.comparingLong(RecentEntries::lastTurn));
        long left = wanted;
        for (RecentEntries holder : idlestFirst) {
            left -= holder.evict(left);
            if (left <= 0) {
                return;
            }
        }
    }
}

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

    /** Returns how many bytes all journals keep at present. */
    public long usedBytes() {
        return usedBytes.get();
    }

    /** Creates the memory of one journal, which {@link RecentEntries#close} releases. */
    public RecentEntries openEntries(long maxBytesOfOne) {
        RecentEntries entries = new RecentEntries(this, Math.min(maxBytesOfOne, maxBytes));
        holders.add(entries);
        return entries;
    }

    void removeHolder(RecentEntries holder) {
        holders.remove(holder);
    }

    /** An increasing number: the holder with the lowest number has been idle the longest. */
    long nextUseNumber() {
        return turns.incrementAndGet();
    }

    void release(long bytes) {
        usedBytes.addAndGet(-bytes);
    }

    /** Takes bytes from the budget; if it is exceeded, idle holders release theirs. The caller holds no lock of any holder. */
    void reserve(long bytes) {
        long over = usedBytes.addAndGet(bytes) - maxBytes;
        if (over > 0) {
            reclaim(over);
        }
    }

    private void reclaim(long bytesToFree) {
        List<RecentEntries> idlestFirst = new ArrayList<>(holders);
        idlestFirst.sort(Comparator.comparingLong(RecentEntries::lastUseNumber));
        long left = bytesToFree;
        for (RecentEntries holder : idlestFirst) {
            left -= holder.evict(left);
            if (left <= 0) {
                return;
            }
        }
    }
}

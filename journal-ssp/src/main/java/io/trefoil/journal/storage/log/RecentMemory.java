/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.log;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One budget for the newest entries that all journals of a process keep in memory. When it is used up, the journals
 * that have not been written to for the longest give theirs back first: reading from disk costs less than a full heap.
 * Thread-safe.
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

    /** What all journals keep at the moment, in bytes. */
    public long usedBytes() {
        return usedBytes.get();
    }

    /** Makes room for the entries of one journal, which gives them back by {@link RecentEntries#close}. */
    public RecentEntries hold(long maxBytesOfOne) {
        RecentEntries entries = new RecentEntries(this, Math.min(maxBytesOfOne, maxBytes));
        holders.add(entries);
        return entries;
    }

    void left(RecentEntries holder) {
        holders.remove(holder);
    }

    /** A number that grows: who has the lowest was written to the longest ago. */
    long nextTurn() {
        return turns.incrementAndGet();
    }

    void give(long bytes) {
        usedBytes.addAndGet(-bytes);
    }

    /** Takes bytes, and sees to it that somebody else has them no more. The caller holds no lock of any holder. */
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
            left -= holder.giveBack(left);
            if (left <= 0) {
                return;
            }
        }
    }
}

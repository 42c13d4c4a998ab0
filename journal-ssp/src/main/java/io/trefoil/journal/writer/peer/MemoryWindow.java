/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer.peer;

import io.trefoil.journal.writer.events.EntryRange;
import java.util.Arrays;

/**
 * Records which of the newest entries a writer's driver has in memory, and how large they are. It tells the rules what
 * can be sent from memory, and how many entries make a part. Immutable to its users.
 *
 * <p>Successive states share one array of sums, of which each sees its own piece: an append adds one number and does not
 * copy the window. The array is copied only if it is full, or if another successor of the same state was appended to
 * before. So only one thread at a time may append, just as only one steps the rules.
 */
public final class MemoryWindow {

    private static final int MIN_CAPACITY = 64;

    private final Sums sums;
    private final long prevSn;
    private final long lastSn;

    private MemoryWindow(Sums sums, long prevSn, long lastSn) {
        this.sums = sums;
        this.prevSn = prevSn;
        this.lastSn = lastSn;
    }

    /** Creates an empty window; the next entry follows {@code sn}. */
    public static MemoryWindow emptyWindowAfter(long sn) {
        return new MemoryWindow(new Sums(sn, new long[MIN_CAPACITY], 1), sn, sn);
    }

    /** The oldest entry in memory, or the next entry if memory is empty. */
    public long firstSn() {
        return prevSn + 1;
    }

    /** Whether the entries after {@code sn} can be sent from memory. */
    public boolean reachesBackTo(long sn) {
        return sn >= prevSn;
    }

    /**
     * A copy with one more entry. While it exceeds {@code maxBytes}, the oldest entries are dropped, but none above
     * {@code committedSn}.
     */
    public MemoryWindow plus(long payloadBytes, long maxBytes, long committedSn) {
        Sums longer = sums.isFullAfter(lastSn) ? sums.copyOf(prevSn, lastSn) : sums;
        longer.add(payloadBytes);
        MemoryWindow next = new MemoryWindow(longer, prevSn, lastSn + 1);
        long newPrevSn = prevSn;
        while (longer.bytes(newPrevSn, next.lastSn) > maxBytes && newPrevSn < committedSn) {
            newPrevSn++;
        }
        return newPrevSn == prevSn ? next : next.withoutBelow(newPrevSn + 1);
    }

    /** A copy without the entries below {@code firstSn}. */
    public MemoryWindow withoutBelow(long firstSn) {
        return new MemoryWindow(sums, firstSn - 1, lastSn);
    }

    /** The size of the payloads of a range that is in memory. */
    public long bytes(EntryRange range) {
        return sums.bytes(range.prevSn(), range.lastSn());
    }

    /**
     * The beginning of a range that is in memory: as many entries as {@code maxBytes} allows, and at least one if there is
     * any.
     */
    public EntryRange prefix(EntryRange range, long maxBytes) {
        if (range.isEmpty()) {
            return range;
        }
        long partSn = range.prevSn() + 1;
        while (partSn < range.lastSn() && sums.bytes(range.prevSn(), partSn + 1) <= maxBytes) {
            partSn++;
        }
        return EntryRange.of(range.prevSn(), partSn);
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof MemoryWindow)) {
            return false;
        }
        MemoryWindow that = (MemoryWindow) other;
        return lastSn == that.lastSn && Arrays.equals(sizes(), that.sizes());
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(new long[] {prevSn, lastSn, sums.bytes(prevSn, lastSn)});
    }

    private long[] sizes() {
        long[] sizes = new long[(int) (lastSn - prevSn)];
        for (int i = 0; i < sizes.length; i++) {
            sizes[i] = sums.bytes(prevSn + i, prevSn + i + 1);
        }
        return sizes;
    }

    @Override
    public String toString() {
        return firstSn() + ".." + lastSn + " with " + sums.bytes(prevSn, lastSn) + " bytes";
    }

    /** The number of bytes from a base entry up to each later one; once written, a sum never changes. */
    private static final class Sums {
        private final long baseSn;
        private final long[] upTo;
        private int filled;

        Sums(long baseSn, long[] upTo, int filled) {
            this.baseSn = baseSn;
            this.upTo = upTo;
            this.filled = filled;
        }

        /** Whether the entry after {@code sn} does not fit here, because the array is full or another entry occupies its slot. */
        boolean isFullAfter(long sn) {
            int next = (int) (sn - baseSn) + 1;
            return next != filled || next == upTo.length;
        }

        void add(long bytes) {
            upTo[filled] = upTo[filled - 1] + bytes;
            filled++;
        }

        long bytes(long prevSn, long lastSn) {
            return upTo[(int) (lastSn - baseSn)] - upTo[(int) (prevSn - baseSn)];
        }

        Sums copyOf(long prevSn, long lastSn) {
            int kept = (int) (lastSn - prevSn);
            long[] copy = new long[Math.max(MIN_CAPACITY, 2 * kept + 2)];
            for (int i = 1; i <= kept; i++) {
                copy[i] = bytes(prevSn, prevSn + i);
            }
            return new Sums(prevSn, copy, kept + 1);
        }
    }
}
